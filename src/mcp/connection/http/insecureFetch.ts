import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { Readable } from 'node:stream';
import { withBody } from './watchedResponse.js';

/** Statuses that a `Response` may not carry a body with. */
const bodilessStatuses = new Set([204, 205, 304]);

/**
 * `fetch` without certificate checks, for the one server whose entry asks for it. Text bodies only; redirects are
 * returned, never followed.
 */
export function insecureFetch(input: string | URL, init: RequestInit = {}): Promise<Response> {
  const url = new URL(input);
  const body = typeof init.body === 'string' ? init.body : undefined;
  return new Promise((resolve, reject) => {
    const options = {
      method: init.method ?? 'GET',
      headers: Object.fromEntries(new Headers(init.headers)),
      signal: init.signal ?? undefined,
    };
    const request =
      url.protocol === 'https:'
        ? httpsRequest(url, { ...options, rejectUnauthorized: false })
        : httpRequest(url, options);
    const fail = (cause: unknown) =>
      reject(init.signal?.aborted ? init.signal.reason : new TypeError('fetch failed', { cause }));
    request.once('error', fail);
    request.once('response', (incoming) => {
      try {
        resolve(responseOf(incoming));
      } catch (error) {
        incoming.destroy();
        fail(error);
      }
    });
    request.end(body);
  });
}

/** @throws for a status that no `Response` has */
function responseOf(incoming: IncomingMessage): Response {
  const status = incoming.statusCode ?? 0;
  const headers = new Headers();
  for (let index = 0; index + 1 < incoming.rawHeaders.length; index += 2) {
    headers.append(incoming.rawHeaders[index] ?? '', incoming.rawHeaders[index + 1] ?? '');
  }
  const isBodiless = bodilessStatuses.has(status);
  if (isBodiless) {
    incoming.resume();
  }
  const stream = isBodiless ? null : (Readable.toWeb(incoming) as ReadableStream);
  return withBody(stream, { status, statusText: incoming.statusMessage ?? '', headers });
}
