/**
 * The common request of a session: one that is answered with one message. It takes the shortest way, past the machinery
 * that the SDK has for all others, which takes longer than the call.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isJsonObject, type JsonObject } from '../../base/json.js';
import { rpcCode } from '../../base/jsonRpc.js';

export interface PlainRequest {
  readonly id: string | number;
  readonly method: string;
  readonly params: JsonObject;
}

/** Milliseconds after which an answer becomes a stream: clients give up where nothing begins. */
const beginMs = 50;
/** Milliseconds after which a stream says that it is still there. */
const keepAliveMs = 15_000;
const streamType = 'text/event-stream';

/** `undefined`: it needs more than an answer, or is not as it should be, and the SDK says so. */
export function plainRequest(
  { headers }: IncomingMessage,
  message: unknown,
  versions: readonly string[],
): PlainRequest | undefined {
  const { accept = '' } = headers;
  const version = headers['mcp-protocol-version'];
  const isUsual =
    accept.includes('application/json') &&
    accept.includes(streamType) &&
    headers['content-type']?.split(';')[0]?.trim() === 'application/json' &&
    (version === undefined || versions.includes(String(version)));
  if (!isUsual || !isJsonObject(message) || message.jsonrpc !== '2.0') {
    return undefined;
  }
  const { id, method, params = {} } = message;
  const isRequest =
    (typeof id === 'string' || typeof id === 'number') && typeof method === 'string';
  if (!isRequest || !isJsonObject(params)) {
    return undefined;
  }
  const meta = params._meta;
  return isJsonObject(meta) && meta.progressToken !== undefined
    ? undefined
    : { id, method, params };
}

/** @param answering rejects with what becomes an error of the protocol; `undefined`: nobody waits for it any more */
export async function sendPlainAnswer(
  { id }: PlainRequest,
  answering: Promise<JsonObject | undefined>,
  response: ServerResponse,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  let keepAlive: ReturnType<typeof setInterval> | undefined;
  const begin = () => {
    response.writeHead(200, { ...headers, 'content-type': streamType }).flushHeaders();
    keepAlive = setInterval(() => response.write(': still there\n\n'), keepAliveMs);
  };
  const beginning = setTimeout(begin, beginMs);
  const outcome = await answering.then(
    (result) => result && { result },
    (error: unknown) => ({ error: errorItem(error) }),
  );
  clearTimeout(beginning);
  clearInterval(keepAlive);
  const text = outcome && JSON.stringify({ jsonrpc: '2.0', id, ...outcome });
  if (response.headersSent) {
    response.end(text && `event: message\ndata: ${text}\n\n`);
  } else {
    const type = text === undefined ? streamType : 'application/json';
    // with its length, Node sends head and body in one piece
    const length = Buffer.byteLength(text ?? '');
    const head = { ...headers, 'content-type': type, 'content-length': length };
    response.writeHead(200, head).end(text);
  }
}

function errorItem(error: unknown): JsonObject {
  const { code, message, data } = (error ?? {}) as Partial<
    Record<'code' | 'message' | 'data', unknown>
  >;
  return {
    code: Number.isSafeInteger(code) ? code : rpcCode.internalError,
    message: typeof message === 'string' ? message : 'Internal error',
    ...(data !== undefined && { data }),
  };
}
