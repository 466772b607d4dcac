import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { escapeHtml } from '../../base/text/escapeHtml.js';
import { pagePolicy } from '../../presentation/pagePolicy.js';

/** Page → its style sheets beside those that every page has. */
const sheets = {
  agent: ['fields', 'cardQuestions', 'agent', 'cards'],
  config: ['form', 'groups', 'config'],
  consent: ['consent'],
  doctor: ['doctor'],
  inspector: ['inspector'],
  questions: ['fields', 'cardQuestions', 'questions'],
  registry: ['form', 'registry'],
  runTool: ['groups', 'fields', 'runTool'],
} as const;
type PageName = keyof typeof sheets;

export interface PageFiles {
  /** Names the script in dist/webview. */
  readonly name: PageName;
  readonly title: string;
  /** What the style sheet knows as `body[data-place]`. Default: nothing. */
  readonly place?: string;
}

/** What a page may load: our scripts and styles, and images that are part of a message. */
export function webviewOptions(extensionUri: vscode.Uri): vscode.WebviewOptions {
  return {
    enableScripts: true,
    enableForms: false,
    localResourceRoots: [
      vscode.Uri.joinPath(extensionUri, 'media'),
      vscode.Uri.joinPath(extensionUri, 'dist', 'webview'),
    ],
  };
}

export function webviewHtml(
  webview: vscode.Webview,
  extensionUri: vscode.Uri,
  { name, title, place }: PageFiles,
): string {
  // the component library takes the nonce from its meta element to try out what style sheets can do
  const nonce = randomBytes(16).toString('base64');
  const resource = (...path: string[]) =>
    webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, ...path)).toString();
  const styles = [
    resource('dist', 'webview', 'codicon.css'),
    resource('media', 'webview', 'base.css'),
    ...sheets[name].map((sheet) => resource('media', 'webview', `${sheet}.css`)),
  ];
  const policy = pagePolicy({
    source: webview.cspSource,
    nonce,
    drawsDiagrams: name === 'agent' || name === 'runTool',
  });
  return `<!DOCTYPE html>
<html lang="${escapeHtml(vscode.env.language)}">
<head>
  <meta charset="UTF-8">
  <meta http-equiv="Content-Security-Policy" content="${policy}">
  <meta property="csp-nonce" content="${nonce}">
  <meta name="viewport" content="width=device-width, initial-scale=1.0">
  <title>${escapeHtml(title)}</title>
${styles.map((href) => `  <link rel="stylesheet" href="${href}">`).join('\n')}
</head>
<body${place === undefined ? '' : ` data-place="${escapeHtml(place)}"`}>
  <div id="root"></div>
  <script type="application/json" id="l10n" nonce="${nonce}">${l10nJson()}</script>
  <script nonce="${nonce}" src="${resource('dist', 'webview', `${name}.js`)}"></script>
</body>
</html>`;
}

/** The bundle of the display language; empty when that is English. */
export function l10nJson(): string {
  const bundle = vscode.l10n.bundle;
  // `</script>` inside a string would end the element
  return bundle ? JSON.stringify(bundle).replaceAll('<', '\\u003c') : '';
}
