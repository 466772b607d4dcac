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

/** What the page stored before it was hidden or reloaded; validate before use. */
export function readSavedState(): unknown {
  return api.getState();
}

export function saveState(state: unknown): void {
  api.setState(state);
}

/** Connects the page to the extension. Messages of anyone else never reach the page. */
export function connect<Outgoing, Incoming>(
  handlers: MessageHandlers<Incoming>,
): MessageChannel<Outgoing, Incoming> {
  const channel = new MessageChannel<Outgoing, Incoming>({
    post: (message) => api.postMessage(message),
    handlers,
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
