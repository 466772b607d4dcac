/** A registry of MCP servers on loopback, which speaks the documented API. */
import { createServer } from 'node:http';
import { registryEntries } from '../fixtures/registry/entries.mjs';
import { endServer, startServer } from '../workbench/loopback.mjs';

interface Reply {
  readonly status: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface RegistryServer {
  readonly url: string;
  /** Paths with their queries, in order. */
  readonly requests: readonly string[];
  /** What the next requests get instead; `undefined` waits until the server is closed. */
  readonly next: (Reply | undefined)[];
  close(): Promise<void>;
}

export async function startRegistry(
  entries: readonly object[] = registryEntries,
): Promise<RegistryServer> {
  const requests: string[] = [];
  const next: (Reply | undefined)[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    const hasNext = next.length > 0;
    const reply = next.shift();
    if (hasNext && !reply) {
      return;
    }
    const { status, body, headers } = reply ?? answer(request.url ?? '', entries);
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
  });
  const port = await startServer(server);
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    next,
    close: () => endServer(server),
  };
}

function answer(path: string, entries: readonly object[]): Reply {
  const url = new URL(path, 'http://registry');
  const one = /^\/v0\.1\/servers\/([^/]+)\/versions\/latest$/.exec(url.pathname)?.[1];
  if (one !== undefined) {
    const found = entries.find((entry) => nameOf(entry) === decodeURIComponent(one));
    return found ? ok(found) : { status: 404, body: '{"error":"Server not found"}' };
  }
  if (url.pathname !== '/v0.1/servers') {
    return { status: 404, body: 'no page' };
  }
  const search = url.searchParams.get('search')?.toLowerCase() ?? '';
  const found = entries.filter((entry) => JSON.stringify(entry).toLowerCase().includes(search));
  const start = Number(url.searchParams.get('cursor') ?? 0);
  const end = start + Number(url.searchParams.get('limit') ?? 30);
  return ok({
    servers: found.slice(start, end),
    metadata: { count: found.length, ...(end < found.length && { nextCursor: String(end) }) },
  });
}

function nameOf(entry: object): unknown {
  return (entry as { server?: { name?: unknown } }).server?.name;
}

function ok(value: object): Reply {
  return { status: 200, body: JSON.stringify(value) };
}
