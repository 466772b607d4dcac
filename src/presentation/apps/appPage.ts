/** The page around an app, as text. Plain Node; no `vscode`. */
import { escapeHtml } from '../../base/text/escapeHtml.js';

/** What the page is made of; both are ours. */
export interface AppPageFiles {
  readonly script: string;
  readonly style: string;
}

export interface AppPageParts extends AppPageFiles {
  /** Content security policy of the app. */
  readonly policy: string;
  readonly title: string;
  readonly language: string;
  /** JSON, safe inside a script element. */
  readonly texts: string;
}

/**
 * The app's document, which the page puts into a sandboxed frame, inherits the policy, so the policy has to allow
 * inline scripts. The page itself holds no others than ours, and not one character of a server.
 */
export function appPage({ script, style, policy, title, language, texts }: AppPageParts): string {
  return `<!DOCTYPE html>
<html lang="${escapeHtml(language)}">
<head>
  <meta charset="UTF-8">
  <meta http-equiv="Content-Security-Policy" content="${escapeHtml(policy)}">
  <meta http-equiv="x-dns-prefetch-control" content="off">
  <meta name="referrer" content="no-referrer">
  <meta name="viewport" content="width=device-width, initial-scale=1.0">
  <title>${escapeHtml(title)}</title>
  <style>${style}</style>
</head>
<body>
  <script type="application/json" id="l10n">${texts}</script>
  <script>${script}</script>
</body>
</html>`;
}
