/** Between Node's requests and those that libraries read. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { CancellationError } from '../../base/async/cancellation.js';
import { gatewayLimits } from './limits.js';
import type { UnreadAnswers } from './unread.js';

/** The whole body; `undefined` when it is larger than what is read. Rejects when the client goes away. */
export function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const maxBytes = gatewayLimits.bodyBytes;
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
    request.on('end', () => resolve(Buffer.concat(chunks)));
    request.on('error', reject);
    request.on(
      'close',
      () => request.complete || reject(new CancellationError('The client went away.')),
    );
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
  return requestUntil(signal, new URL(url, 'http://127.0.0.1'), { method, headers });
}

/**
 * Aborts with the signal also when only the signal of the request is kept: Node lets go of what that one follows as soon
 * as nobody keeps the request itself.
 */
export function requestUntil(
  signal: AbortSignal,
  input: URL | Request,
  init: RequestInit = {},
): Request {
  const request = new Request(input, { ...init, signal });
  const kept = new Set([request]);
  signal.addEventListener('abort', () => kept.clear(), { once: true });
  return request;
}

const soleEvent = /^(?:event: message\n)?data: (.*)\n\n$/;
/** Milliseconds that an answer may take before its stream begins: clients give up where nothing begins. */
const beginMs = 50;

/** Resolves when all is sent or the client is gone. */
export async function sendResponse(
  response: Response,
  to: ServerResponse,
  unread: UnreadAnswers,
): Promise<void> {
  const headers = Object.fromEntries(response.headers);
  // Node decides about the connection
  delete headers.connection;
  const { status, body } = response;
  const look = () => unread.look(to, clientOf(to.req));
  if (body && headers['content-type']?.startsWith('text/event-stream')) {
    await sendStream(body.getReader(), to, { status, headers, look });
    return;
  }
  const whole = body && Buffer.from(await response.arrayBuffer());
  to.writeHead(status, headers).end(whole ?? undefined);
  look();
}

type Reader = ReadableStreamDefaultReader<Uint8Array>;

interface Head {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Something was written. */
  readonly look: () => void;
}

async function sendStream(reader: Reader, to: ServerResponse, head: Head): Promise<void> {
  const begin = () => {
    if (!to.headersSent) {
      to.writeHead(head.status, head.headers).flushHeaders();
    }
  };
  const isListened = to.req.method === 'GET';
  const beginning = setTimeout(begin, isListened ? 0 : beginMs);
  const leave = () => void reader.cancel().catch(() => undefined);
  to.once('close', leave);
  try {
    const first = await reader.read();
    if (first.done) {
      return;
    }
    const second = reader.read();
    const answer = isListened ? undefined : await soleAnswer(first.value, second);
    if (answer !== undefined && !to.headersSent) {
      // in one piece, and nothing for the client to take apart: that is half of the time of a short call
      to.writeHead(head.status, { ...head.headers, 'content-type': 'application/json' });
      to.end(answer);
      head.look();
      return;
    }
    begin();
    // taken at once, since what whoever makes the stream keeps of it has no bound
    for (
      let chunk: Awaited<typeof second> = first;
      !chunk.done && !to.destroyed;
      chunk = chunk === first ? await second : await reader.read()
    ) {
      to.write(chunk.value);
      head.look();
    }
  } finally {
    clearTimeout(beginning);
    to.off('close', leave);
    begin();
    to.end();
  }
}

/** The message of a stream that has no other one and has ended with it; `undefined`: it may go on. */
async function soleAnswer(
  event: Uint8Array,
  next: Promise<{ readonly done: boolean }>,
): Promise<string | undefined> {
  let isOver = false;
  next.then(
    ({ done }) => {
      isOver = done;
    },
    // whoever reads on learns of it
    () => undefined,
  );
  await setImmediate();
  const [, data] = isOver ? (soleEvent.exec(Buffer.from(event).toString()) ?? []) : [];
  return data;
}

/** Requests without a session are told apart by their connections. */
function clientOf({ headers, socket }: IncomingMessage): string {
  return String(headers['mcp-session-id'] ?? socket.remotePort);
}
