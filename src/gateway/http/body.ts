/** Between Node's requests and those that libraries read. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { CancellationError } from '../../base/async/cancellation.js';
import { gatewayLimits } from './limits.js';

/** The whole body; `undefined` when it is larger than what is read. Rejects when the client goes away. */
export function readBody(
  request: IncomingMessage,
  maxBytes: number = gatewayLimits.bodyBytes,
): Promise<Buffer | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) {
    return Promise.resolve(undefined);
  }
  const chunks: Buffer[] = [];
  let size = 0;
  return new Promise((resolve, reject) => {
    const read = (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBytes) {
        // the rest stays unread, so that the answer can still be sent
        request.off('data', read).pause();
        resolve(undefined);
        return;
      }
      chunks.push(chunk);
    };
    request.on('data', read);
    request.once('end', () => resolve(Buffer.concat(chunks)));
    request.once('error', reject);
    request.once('close', () => reject(new CancellationError('The client went away.')));
  });
}

/** Without the body, which is read already, and without the token, which nobody behind the guards needs. */
export function toWebRequest(request: IncomingMessage, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (name !== 'authorization' && name !== 'cookie' && value !== undefined) {
      headers.set(name, Array.isArray(value) ? value.join(', ') : value);
    }
  }
  const { method = 'GET', url = '/' } = request;
  return new Request(new URL(url, 'http://127.0.0.1'), { method, headers, signal });
}

/** Resolves when all is sent or the client is gone. */
export async function sendResponse(response: Response, to: ServerResponse): Promise<void> {
  const headers = Object.fromEntries(response.headers);
  // Node decides about the connection
  delete headers.connection;
  to.writeHead(response.status, headers);
  if (!response.body) {
    to.end();
    return;
  }
  to.flushHeaders();
  const reader = response.body.getReader();
  const leave = () => void reader.cancel().catch(() => undefined);
  to.once('close', leave);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done || to.destroyed) {
        break;
      }
      if (!to.write(value)) {
        await new Promise<void>((resolve) => {
          to.once('drain', resolve);
          to.once('close', resolve);
        });
      }
    }
  } finally {
    to.off('close', leave);
    to.end();
  }
}
