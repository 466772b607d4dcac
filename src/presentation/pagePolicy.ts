/** What one of our pages may load and do, as a content security policy. Nothing that is not named. */
export interface PagePolicyParts {
  /** Where its scripts, styles and fonts come from. */
  readonly source: string;
  readonly nonce: string;
  /** Diagrams are drawn by a worker, under this same policy. */
  readonly drawsDiagrams: boolean;
}

export function pagePolicy({ source, nonce, drawsDiagrams }: PagePolicyParts): string {
  return [
    `default-src 'none'`,
    `script-src 'nonce-${nonce}'`,
    `style-src ${source} 'nonce-${nonce}'`,
    `font-src ${source}`,
    `img-src data:`,
    // these two know no default
    `base-uri 'none'`,
    `form-action 'none'`,
    ...(drawsDiagrams ? ['worker-src blob:'] : []),
  ].join('; ');
}
