import * as l10n from '@vscode/l10n';
import { isJsonObject } from '../../base/json.js';
import { MessageChannel, type MessageHandlers } from '../../protocol/messages.js';
import { isCommandKey } from './inputs.js';

interface VsCodeApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): VsCodeApi;

// may be acquired only once
const api = acquireVsCodeApi();

/** Loads the translations that the extension put into the page; call before the first `l10n.t`. */
export function loadL10n(): void {
  const contents = document.getElementById('l10n')?.textContent;
  if (contents) {
    l10n.config({ contents });
  }
}

/** What the page stored before it was hidden or reloaded; validate before use. */
export function readSavedState(): unknown {
  return api.getState();
}

/** What one part of the page stored, beside the others; also what it stored when it was a page of its own. */
export function readSavedPart(name: string): unknown {
  const saved = readSavedState();
  return (isJsonObject(saved) ? saved[name] : undefined) ?? saved;
}

export function savePart(name: string, part: unknown): void {
  const saved = readSavedState();
  api.setState(isJsonObject(saved) ? { ...saved, [name]: part } : { [name]: part });
}

export function saveState(state: unknown): void {
  api.setState(state);
}

/**
 * Connects the page to the extension. Messages of anyone else never reach the page.
 * @param scope of one of several channels
 */
export function connect<Outgoing, Incoming>(
  handlers: MessageHandlers<Incoming>,
  scope?: string,
): MessageChannel<Outgoing, Incoming> {
  const channel = new MessageChannel<Outgoing, Incoming>({
    post: (message) => api.postMessage(message),
    handlers,
    scope,
  });
  window.addEventListener('message', (event) => {
    // frames of a page have other origins
    if (event.origin === window.origin) {
      void channel.receive(event.data);
    }
  });
  document.addEventListener('keydown', selectAllOnce);
  return channel;
}

/** The browser selects all of a field at once. VS Code would do so again later, and what is typed next would replace what was typed meanwhile. */
function selectAllOnce(event: KeyboardEvent): void {
  const [field] = event.composedPath();
  const isField = field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement;
  if (isField && isCommandKey(event, 'a')) {
    event.stopPropagation();
  }
}
