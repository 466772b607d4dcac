/** Rights as OAuth writes them: words with spaces between (RFC 6749 §3.3). */

/** Every right of any of them once; `undefined` when there is none. */
export function unionOfScopes(...scopes: readonly (string | undefined)[]): string | undefined {
  return [...new Set(scopes.flatMap(words))].join(' ') || undefined;
}

export function coversScope(held: string | undefined, wanted: string | undefined): boolean {
  const rights = new Set(words(held));
  return words(wanted).every((right) => rights.has(right));
}

function words(scope: string | undefined): readonly string[] {
  return (scope ?? '').split(/\s+/).filter(Boolean);
}
