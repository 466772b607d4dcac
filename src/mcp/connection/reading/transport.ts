import type { JsonObject } from '../../../base/json.js';

/** A JSON-RPC message; the engine validates what it needs. */
export type JsonRpcMessage = JsonObject;

/** A wire, in the shape both SDKs accept. `onclose` fires exactly once; `send` rejects when the peer is gone. */
export interface McpTransport {
  start(): Promise<void>;
  send(message: JsonRpcMessage): Promise<void>;
  /** As `send`, with a message that is JSON already. */
  sendText?(text: string): Promise<void>;
  close(): Promise<void>;
  /** @param text the message as it came, where that is at hand; SDKs pass something else there */
  onmessage?: (message: JsonRpcMessage, text?: string) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  sessionId?: string;
  setProtocolVersion?(version: string): void;
}
