/** The one HTTP server of a gateway, on this machine alone. */
import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import * as l10n from '@vscode/l10n';
import { isCancellationError } from '../../base/async/cancellation.js';
import { errorMessage, HumanError } from '../../base/errors.js';
import { TokenBucket } from '../../base/tokenBucket.js';
import type { Clock } from '../../platform/clock.js';
import type { AccessTokens, Grant } from './accessTokens.js';
import { readBody } from './body.js';
import { ClientConnections } from './clientConnections.js';
import { judgeRequest } from './guards.js';
import { gatewayLimits } from './limits.js';

/** A request that has passed the guards, with its body read. Most need no more than that, so the rest is made when asked for. */
export class GuardedRequest {
  private leaving: AbortController | undefined;

  constructor(
    readonly request: IncomingMessage,
    readonly response: ServerResponse,
    /** Encoded, without the query. */
    readonly path: string,
    readonly grant: Grant,
    readonly body: Buffer,
  ) {}

  get method(): string {
    return this.request.method ?? '';
  }

  get query(): URLSearchParams {
    const [, query = ''] = /\?([^#]*)/.exec(this.request.url ?? '') ?? [];
    return new URLSearchParams(query);
  }

  /** Aborts when the client goes away before it has its answer. */
  get gone(): AbortSignal {
    this.leaving ??= whenGone(this.response);
    return this.leaving.signal;
  }
}

function whenGone(response: ServerResponse): AbortController {
  const leaving = new AbortController();
  const look = () => !response.writableFinished && leaving.abort();
  if (response.closed) {
    look();
  } else {
    response.once('close', look);
  }
  return leaving;
}

export interface HttpDoorOptions {
  /** 0: any that is free. */
  readonly port: number;
  readonly tokens: AccessTokens;
  /** Answers what has passed. A rejection becomes an answer that says nothing. */
  readonly serve: (request: GuardedRequest) => Promise<void> | undefined;
  readonly onError: (error: unknown) => void;
  readonly clock: Clock;
}

export class HttpDoor {
  private readonly rate: TokenBucket;
  private readonly refusedRate: TokenBucket;
  private readonly connections: ClientConnections;
  /** Of requests that are not answered yet. */
  private bodiesBytes = 0;

  readonly port: number;

  private constructor(
    private readonly server: Server,
    private readonly options: HttpDoorOptions,
  ) {
    this.port = (server.address() as AddressInfo).port;
    const now = () => options.clock.elapsed();
    this.rate = new TokenBucket({ ...gatewayLimits.rate, now });
    this.refusedRate = new TokenBucket({ ...gatewayLimits.refusedRate, now });
    this.connections = new ClientConnections(options.clock);
    server.on('connection', (socket) => this.connections.add(socket));
    server.on('request', (request, response) => this.receive(request, response));
    // a wish to switch protocols is no request of ours; one for a tunnel ends with its connection, as nothing listens for it
    server.on('upgrade', (_request, socket) => socket.destroy());
    server.on('error', options.onError);
  }

  /** @throws {HumanError} with code `port_taken`. */
  static async open(options: HttpDoorOptions): Promise<HttpDoor> {
    const server = createServer({
      headersTimeout: gatewayLimits.headersMs,
      requestTimeout: gatewayLimits.requestMs,
      keepAliveTimeout: gatewayLimits.keepAliveMs,
      maxHeaderSize: gatewayLimits.headerBytes,
      connectionsCheckingInterval: 1000,
    });
    server.maxConnections = gatewayLimits.connections + 2 * gatewayLimits.unprovenConnections;
    // the address, not `localhost`, which may be one of several
    await new Promise<void>((resolve, reject) => {
      server.once('error', (error) => reject(portTaken(options.port, error)));
      server.listen({ port: options.port, host: '127.0.0.1', exclusive: true }, resolve);
    });
    return new HttpDoor(server, options);
  }

  /** Answers that are complete may still go out; resolves when the port is free and every connection has ended. */
  close(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.server.closeAllConnections(), gatewayLimits.flushMs);
      this.server.close(() => {
        clearTimeout(timer);
        resolve();
      });
      this.server.closeIdleConnections();
    });
  }

  private receive(request: IncomingMessage, response: ServerResponse): void {
    request.on('error', ignore);
    response.on('error', ignore);
    const { method = '', url = '', rawHeaders } = request;
    const { port } = this;
    const verdict = judgeRequest(
      { method, url, rawHeaders },
      { port, tokens: this.options.tokens },
    );
    if (verdict.kind === 'alive') {
      answer(response, 204);
      return;
    }
    if (verdict.kind === 'refused') {
      const isFlood = !this.refusedRate.take();
      refuse(response, isFlood ? 429 : verdict.status, verdict.reason, {
        // without metadata, or clients would try to sign in
        ...(verdict.challenge !== undefined &&
          !isFlood && { 'www-authenticate': verdict.challenge }),
      });
      return;
    }
    if (!this.connections.prove(request.socket)) {
      refuse(response, 503, 'Too many connections.', { connection: 'close' });
      return;
    }
    if (!this.rate.take()) {
      refuse(response, 429, 'Too many requests.', { 'retry-after': '1' });
      return;
    }
    void this.pass(request, response, verdict);
  }

  private async pass(
    request: IncomingMessage,
    response: ServerResponse,
    { path, grant }: { readonly path: string; readonly grant: Grant },
  ): Promise<void> {
    const size = announcedBytes(request);
    if (this.bodiesBytes + size > gatewayLimits.bodiesBytes) {
      refuseUnread(request, response, 503, 'Too much is asked at once.');
      return;
    }
    this.bodiesBytes += size;
    response.once('close', () => {
      this.bodiesBytes -= size;
    });
    try {
      const body = await readBody(request);
      if (body === undefined) {
        refuseUnread(request, response, 413, 'The body is too large.');
        return;
      }
      await this.options.serve(new GuardedRequest(request, response, path, grant, body));
    } catch (error) {
      const isGone = response.closed && !response.writableFinished;
      if (!isGone && !isCancellationError(error)) {
        this.options.onError(error);
      }
      refuse(response, 500, 'The gateway failed.');
    }
  }
}

/** As much as it may be where it does not say. */
function announcedBytes({ headers }: IncomingMessage): number {
  const { bodyBytes } = gatewayLimits;
  const length = headers['content-length'];
  const isOpen = headers['transfer-encoding'] !== undefined;
  return length === undefined ? (isOpen ? bodyBytes : 0) : Math.min(Number(length), bodyBytes);
}

function refuseUnread(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  reason: string,
): void {
  response.once('finish', () => request.destroy());
  refuse(response, status, reason, { connection: 'close' });
}

/** What fails is told by what closes. */
function ignore(): void {}

const always: OutgoingHttpHeaders = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
};

/** Answers with JSON, or with nothing. */
export function answer(
  response: ServerResponse,
  status: number,
  document?: unknown,
  headers: OutgoingHttpHeaders = {},
): void {
  if (response.headersSent) {
    response.end();
    return;
  }
  if (document === undefined) {
    response.writeHead(status, { ...always, ...headers }).end();
    return;
  }
  send(response, status, JSON.stringify(document), {
    'content-type': 'application/json',
    ...headers,
  });
}

/** A page to read. */
export function answerText(
  response: ServerResponse,
  type: string,
  text: string,
  headers: OutgoingHttpHeaders,
): void {
  send(response, 200, text, { 'content-type': `${type}; charset=utf-8`, ...headers });
}

function send(
  response: ServerResponse,
  status: number,
  body: string,
  headers: OutgoingHttpHeaders,
): void {
  const length = { 'content-length': Buffer.byteLength(body) };
  response.writeHead(status, { ...always, ...length, ...headers }).end(body);
}

/** In the form in which clients of MCP read errors as well. */
export function refuse(
  response: ServerResponse,
  status: number,
  message: string,
  headers: OutgoingHttpHeaders = {},
): void {
  const error = { code: status === 404 ? -32001 : -32000, message };
  answer(response, status, { jsonrpc: '2.0', error, id: null }, headers);
}

function portTaken(port: number, cause: unknown): HumanError {
  return new HumanError(
    'port_taken',
    l10n.t('Nothing can listen at port {0}: {1}', port, errorMessage(cause)),
    { remedy: l10n.t('Choose another port, or none, which takes any that is free.'), cause },
  );
}
