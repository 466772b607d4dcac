/** The official suite's scenarios for servers, run against an address, with every check that they make. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer, request as httpRequest, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endServer, startServer } from '../../workbench/loopback.mjs';
import { type Check, runSuite } from './suite.js';

/** By scenario, every check in its order. */
export type ServerVerdict = ReadonlyMap<string, readonly Check[]>;

/** Everything that the suite has for a revision, on its wire. */
export async function judgeServer(url: string, revision: string): Promise<ServerVerdict> {
  const directory = await mkdtemp(join(tmpdir(), 'pi-mcp-verdict-'));
  try {
    await runSuite(
      '0.2',
      ['server', '--url', url, '--requirements', revision, '-o', directory],
      {},
    );
    const folders = await readdir(directory);
    const verdicts = await Promise.all(
      folders.map(async (folder) => {
        const text = await readFile(join(directory, folder, 'checks.json'), 'utf8');
        const [, scenario = folder] = /^server-(.*?)-\d{4}-\d\d-\d\dT/.exec(folder) ?? [];
        return [scenario, JSON.parse(text) as readonly Check[]] as const;
      }),
    );
    return new Map(verdicts.sort(([a], [b]) => a.localeCompare(b)));
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** What passed alone and does not pass through another, as `scenario: check`. */
export function lostChecks(alone: ServerVerdict, through: ServerVerdict): readonly string[] {
  const passed = new Set(passedChecks(through));
  return passedChecks(alone).filter((check) => !passed.has(check));
}

/** `scenario: check` of all that passed, in the order of the alphabet. */
export function passedChecks(verdict: ServerVerdict): readonly string[] {
  return [...verdict]
    .flatMap(([scenario, checks]) => passedIds(checks).map((id) => `${scenario}: ${id}`))
    .sort();
}

function passedIds(checks: readonly Check[]): readonly string[] {
  const failed = checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING');
  const ids = checks.filter(({ status }) => status === 'SUCCESS').map(({ id }) => id);
  return [...new Set(ids)].filter((id) => !failed.some((one) => one.id === id));
}

/** Adds the token that the suite cannot send, and names the place behind it where the suite names this one. */
export class TokenProxy {
  private constructor(private readonly server: Server) {}

  static async open(target: URL, token: string): Promise<TokenProxy> {
    const server = createServer((incoming, outgoing) => {
      const { method, headers } = incoming;
      const own = `:${(server.address() as AddressInfo).port}`;
      const host = headers.host?.endsWith(own) ? target.host : headers.host;
      const request = httpRequest(target, {
        method,
        headers: { ...headers, host, authorization: `Bearer ${token}` },
      });
      request.on('response', (response: IncomingMessage) => {
        outgoing.writeHead(response.statusCode ?? 502, response.headers);
        outgoing.flushHeaders();
        response.pipe(outgoing);
      });
      request.on('error', () => outgoing.destroy());
      outgoing.on('close', () => request.destroy());
      incoming.pipe(request);
    });
    await startServer(server);
    return new TokenProxy(server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/mcp`;
  }

  close(): Promise<void> {
    return endServer(this.server);
  }
}
