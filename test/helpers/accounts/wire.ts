import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer, Server as SecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Certificate } from '../../fixtures/certificate.js';
import { endServer, startServer } from '../../workbench/loopback.mjs';
import { atShiftedTime } from './shiftedDate.js';

export type Handler = (request: IncomingMessage, response: ServerResponse) => unknown;

/** One request and its answer, as they went over the wire. */
export interface Exchange {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  readonly status: number;
  readonly answer: string;
}

interface Interruption {
  readonly path: string;
  readonly answer: (response: ServerResponse) => void;
}

/** A server on a free port of 127.0.0.1 that notes what passes, and with which a test can interfere. */
export class Wire {
  readonly exchanges: Exchange[] = [];
  /** Under what the server is reached, without a slash at its end. */
  readonly origin: string;
  /** Rewrites the JSON of answers under `/.well-known/`; `undefined` hides the document. */
  metadata: (document: Record<string, unknown>, url: URL) => object | undefined = (document) =>
    document;
  /** How far the server's clock is ahead, in milliseconds; needs `installShiftedDate`. */
  clockShiftMs = 0;
  /** Rewrite the JSON of answers, by path. */
  readonly rewrites = new Map</* path */ string, (document: Record<string, unknown>) => object>();
  private readonly interruptions: Interruption[] = [];
  private handler: Handler = (_request, response) => response.writeHead(503).end();

  private constructor(private readonly server: ReturnType<typeof createServer>) {
    const scheme = server instanceof SecureServer ? 'https' : 'http';
    this.origin = `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  /** Answers 503 until {@link handle} is called, so that what needs its own address can be made. */
  static async listen(certificate?: Certificate): Promise<Wire> {
    const server = certificate ? createSecureServer(certificate) : createServer();
    await startServer(server);
    const wire = new Wire(server);
    server.on('request', (request, response) => wire.pass(request, response));
    return wire;
  }

  handle(handler: Handler): void {
    this.handler = handler;
  }

  /** Answers the next request to `path` in the server's stead. */
  failNext(path: string, status: number, headers: object = {}, body: unknown = {}): void {
    const answer = (response: ServerResponse) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(JSON.stringify(body));
    };
    this.interruptions.push({ path, answer });
  }

  /** What went to a path, in the order of its answers. */
  to(path: string): readonly Exchange[] {
    return this.exchanges.filter(({ url }) => url.pathname === path);
  }

  /** The next request needs a new connection. */
  dropConnections(): void {
    this.server.closeAllConnections();
  }

  close(): Promise<void> {
    return endServer(this.server);
  }

  private pass(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? '/', this.origin);
    const [sent, answered] = [tapRequest(request), tapResponse(response)];
    response.once('close', () => {
      const { method = '', headers } = request;
      const { statusCode: status } = response;
      this.exchanges.push({ method, url, headers, status, body: sent(), answer: answered() });
    });
    const index = this.interruptions.findIndex(({ path }) => path === url.pathname);
    const [interruption] = index < 0 ? [] : this.interruptions.splice(index, 1);
    if (interruption) {
      interruption.answer(response);
      request.resume();
      return;
    }
    if (url.pathname.includes('/.well-known/')) {
      rewriteJson(response, (document) => this.metadata(document, url));
    }
    const rewrite = this.rewrites.get(url.pathname);
    if (rewrite) {
      rewriteJson(response, rewrite);
    }
    atShiftedTime(this.clockShiftMs, () => this.handler(request, response));
  }
}

/** Notes what arrives without taking it from whoever reads the request. */
function tapRequest(request: IncomingMessage): () => string {
  const chunks: Buffer[] = [];
  const push = request.push.bind(request);
  request.push = (chunk, encoding) => {
    if (chunk) {
      chunks.push(Buffer.from(chunk));
    }
    return push(chunk, encoding);
  };
  return () => Buffer.concat(chunks).toString();
}

function tapResponse(response: ServerResponse): () => string {
  const chunks: Buffer[] = [];
  const note = (chunk: unknown) => {
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) {
      chunks.push(Buffer.from(chunk as string));
    }
  };
  const [write, end] = [response.write.bind(response), response.end.bind(response)];
  response.write = ((chunk: unknown, ...rest: []) => {
    note(chunk);
    return write(chunk, ...rest);
  }) as typeof response.write;
  response.end = ((chunk: unknown, ...rest: []) => {
    note(chunk);
    return end(chunk, ...rest);
  }) as typeof response.end;
  return () => Buffer.concat(chunks).toString();
}

/** For handlers that write their JSON in one piece. */
function rewriteJson(
  response: ServerResponse,
  change: (document: Record<string, unknown>) => object | undefined,
): void {
  const end = response.end.bind(response);
  response.end = ((chunk?: unknown) => {
    const isDocument = response.statusCode < 300 && !response.headersSent && chunk !== undefined;
    if (!isDocument) {
      return end(chunk);
    }
    const document = change(JSON.parse(String(chunk)));
    if (!document) {
      response.statusCode = 404;
    }
    const text = JSON.stringify(document ?? {});
    response.removeHeader('content-length');
    return end(text);
  }) as typeof response.end;
}
