import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { DisposableStore } from '../../base/disposable.js';
import { type PageFiles, pageHtml, textsJson } from '../../presentation/pageHtml.js';
import { MessageChannel, type MessageChannelOptions } from '../../protocol/messages.js';

/** What every page of ours is made with. */
export interface PageKit {
  readonly extensionUri: vscode.Uri;
  /** Logs what was not meant to happen. */
  readonly logError: (message: string) => void;
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
  files: PageFiles,
): string {
  return pageHtml(files, {
    language: vscode.env.language,
    texts: l10nJson(),
    nonce: randomBytes(16).toString('base64'),
    source: webview.cspSource,
    resource: (path) =>
      webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, ...path.split('/'))).toString(),
  });
}

/** Talks with the page of the webview until the store ends. */
export function channelTo<Events, Requests>(
  webview: vscode.Webview,
  store: DisposableStore,
  options: Omit<MessageChannelOptions<Requests>, 'post'> & Pick<PageKit, 'logError'>,
): MessageChannel<Events, Requests> {
  const post = (message: unknown) => void webview.postMessage(message);
  const channel = store.add(new MessageChannel<Events, Requests>({ ...options, post }));
  store.add(webview.onDidReceiveMessage((message) => channel.receive(message)));
  return channel;
}

/** The bundle of the display language; empty when that is English. */
export function l10nJson(): string {
  return textsJson(vscode.l10n.bundle);
}
