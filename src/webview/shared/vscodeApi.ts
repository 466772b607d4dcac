import { MessageChannel, type MessageHandlers } from '../../protocol/messages.js';

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
  return channel;
}
