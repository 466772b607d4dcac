import type { IncomingMessage, ServerResponse } from 'node:http';
import { readAll } from './resource.js';
import type { Handler } from './wire.js';

/** For servers that are written for `fetch`, as those of edge runtimes are. */
export function webHandler(
  origin: string,
  answer: (request: Request) => Promise<Response>,
): Handler {
  return async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const { method = 'GET' } = incoming;
    const headers = new Headers();
    for (const [name, value] of Object.entries(incoming.headers)) {
      headers.set(name, String(value));
    }
    const body = method === 'GET' || method === 'HEAD' ? null : await readAll(incoming);
    const response = await answer(
      new Request(new URL(incoming.url ?? '/', origin), { method, headers, body }),
    );
    outgoing.statusCode = response.status;
    outgoing.setHeaders(response.headers);
    outgoing.end(await response.text());
  };
}
