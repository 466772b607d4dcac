import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { endServer, startServer } from '../../workbench/loopback.mjs';

export interface HeardRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export type Answer = (request: HeardRequest, response: ServerResponse) => void;

const notFound: Answer = (_request, response) => void response.writeHead(404).end();

/** Listens on loopback, and hears when anybody connects or asks for anything. */
export class Listener {
  readonly requests: HeardRequest[] = [];
  /** Counts those too that say nothing. */
  connections = 0;
  /** Default: HTTP 404. */
  answer: Answer = notFound;

  private constructor(
    private readonly server: Server,
    readonly port: number,
  ) {
    server.on('connection', () => {
      this.connections++;
    });
    server.on('request', (request, response) => void this.hear(request, response));
  }

  static async create(): Promise<Listener> {
    const server = createServer();
    return new Listener(server, await startServer(server));
  }

  url(path: string): string {
    return `http://127.0.0.1:${this.port}/${path}`;
  }

  /** Everything that was sent here, for a search for secrets. */
  get received(): string {
    return JSON.stringify(this.requests);
  }

  close(): Promise<void> {
    return endServer(this.server);
  }

  private async hear(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url: path = '', headers } = request;
    const heard = { method, path, headers, body: await text(request) };
    this.requests.push(heard);
    this.answer(heard, response);
  }
}
