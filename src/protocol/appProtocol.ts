/**
 * Messages between the page around an MCP App and the extension. The page relays; the app in its frame comes from a
 * server. What the page sends is therefore worth no more than what the app sends.
 */
import type { MessageMap } from './messages.js';

/** What of VS Code the app may see. */
export interface AppSurroundings {
  readonly theme: 'light' | 'dark';
  /** Of the frame, in CSS pixels. */
  readonly width: number;
  readonly height: number;
  /** CSS variables of the app protocol, such as `--color-text-primary`. */
  readonly variables: Readonly<Record<string, string>>;
}

/** `live`: the app runs. `frozen`: the page shows `notice` over it, and it reaches nothing. */
export interface AppStatus {
  readonly kind: 'live' | 'frozen';
  /** A full sentence. */
  readonly notice?: string;
}

export interface AppContent {
  /** The server's document, for the sandboxed frame only. */
  readonly html: string;
  /** Whose app this is. */
  readonly title: string;
  /** What it may reach. */
  readonly reach: string;
  readonly status: AppStatus;
}

export interface AppRequests extends MessageMap {
  ready: { params: AppSurroundings; result: AppContent };
  surroundings: { params: AppSurroundings; result: undefined };
  /** A JSON-RPC message of the app. */
  fromApp: { params: { message: unknown }; result: undefined };
  /** `size`: a message was too large to be passed on. `flood`: the app did not stop sending and was cut off. */
  dropped: { params: { why: 'size' | 'flood' }; result: undefined };
}

export interface AppEvents extends MessageMap {
  /** A JSON-RPC message for the app. */
  toApp: { params: { message: unknown }; result: undefined };
  status: { params: AppStatus; result: undefined };
}
