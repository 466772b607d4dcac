/**
 * Markdown of a server without what reaches beyond it: its links, pictures and HTML become text, and a block of code
 * that it leaves open is closed.
 */
export function plainMarkdown(text: string): string {
  // addresses in plain text become links as well
  const escaped = text.replace(
    /[<>[\]!&@]|(?<=:)\/|(?<=www)\./g,
    (character) => `&#${character.charCodeAt(0)};`,
  );
  const fences = escaped.match(/^ {0,3}(?:```|~~~)/gm) ?? [];
  return fences.length % 2 === 1 ? `${escaped}\n${fences.at(-1)?.trim()}` : escaped;
}
