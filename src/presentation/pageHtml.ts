/** The document of one of our pages. */
import { escapeHtml } from '../base/text/escapeHtml.js';

/** Named as its script and its style sheet in dist/webview. */
export type PageName = 'agent' | 'config' | 'consent' | 'doctor' | 'questions' | 'add' | 'server';

export interface PageFiles {
  readonly name: PageName;
  readonly title: string;
  /** What the style sheet knows as `body[data-place]`. Default: nothing. */
  readonly place?: string;
}

export interface PageSurroundings {
  readonly language: string;
  /** JSON, safe inside a script element; empty in English. */
  readonly texts: string;
  readonly nonce: string;
  /** Where its scripts, styles and fonts come from, as a content security policy names it. */
  readonly source: string;
  /** The address of a file of the extension. */
  readonly resource: (path: string) => string;
}

export function pageHtml(
  { name, title, place }: PageFiles,
  { language, texts, nonce, source, resource }: PageSurroundings,
): string {
  const drawsDiagrams = name === 'agent' || name === 'server';
  const policy = pagePolicy({ source, nonce, drawsDiagrams });
  // the component library takes the nonce from its meta element to try out what style sheets can do
  return `<!DOCTYPE html>
<html lang="${escapeHtml(language)}">
<head>
  <meta charset="UTF-8">
  <meta http-equiv="Content-Security-Policy" content="${policy}">
  <meta property="csp-nonce" content="${nonce}">
  <meta name="viewport" content="width=device-width, initial-scale=1.0">
  <title>${escapeHtml(title)}</title>
  <link rel="stylesheet" href="${resource(`dist/webview/${name}.css`)}">
</head>
<body${place === undefined ? '' : ` data-place="${escapeHtml(place)}"`}>
  <div id="root"></div>
  <script type="application/json" id="l10n" nonce="${nonce}">${texts}</script>
  <script nonce="${nonce}" src="${resource(`dist/webview/${name}.js`)}"></script>
</body>
</html>`;
}

/** The texts of a language for {@link PageSurroundings}. */
export function textsJson(bundle: object | undefined): string {
  // `</script>` inside a string would end the element
  return bundle ? JSON.stringify(bundle).replaceAll('<', '\\u003c') : '';
}

/** What one of our pages may load and do, as a content security policy. Nothing that is not named. */
interface PagePolicyParts {
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
