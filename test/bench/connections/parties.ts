/** The two that are compared: the raw SDK client and our core, over the same servers. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Client as HttpClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as FirstHttpTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { loadEngine } from '../../../src/mcp/connection/engineSelection.js';
import type { McpServer, McpService } from '../../../src/mcp/mcpApi.js';
import { createWindowlessCore } from '../../helpers/windowlessCore.js';

export const serverScript = resolve('test/bench/servers/benchServer.mjs');

const slowScript = resolve('test/bench/servers/slowServer.sh');

export interface StdioEntry {
  readonly command: string;
  readonly args: readonly string[];
}

export function stdioEntry(...flags: readonly string[]): StdioEntry {
  return { command: process.execPath, args: [serverScript, ...flags] };
}

/** A server whose start takes time but no processor, as one that waits for a network or a disk. */
export function slowEntry(seconds: number | 'hang'): StdioEntry {
  return { command: 'sh', args: [slowScript, String(seconds)] };
}

/** What both SDKs' clients have in common here. */
export interface RawClient {
  callTool(call: {
    readonly name: string;
    readonly arguments: Record<string, unknown>;
  }): Promise<unknown>;
  close(): Promise<void>;
}

/** The client of the SDK that our engine uses for this transport, as its documentation shows it, tools listed. */
export async function openRaw(
  target: StdioEntry | { readonly url: string; readonly token?: string },
): Promise<RawClient> {
  const info = { name: 'bench', version: '1.0.0' };
  if ('url' in target) {
    const { url, token } = target;
    const client = new HttpClient(info);
    await client.connect(
      new StreamableHTTPClientTransport(
        new URL(url),
        token === undefined
          ? {}
          : { requestInit: { headers: { authorization: `Bearer ${token}` } } },
      ),
    );
    await client.listTools();
    return client;
  }
  const client = new Client(info);
  await client.connect(
    new StdioClientTransport({ command: target.command, args: [...target.args] }),
  );
  await client.listTools();
  return client;
}

/** The client of the first SDK over HTTP. */
export async function openRawFirst(
  target: StdioEntry | { readonly url: string },
): Promise<RawClient> {
  if (!('url' in target)) {
    return openRaw(target);
  }
  const client = new Client({ name: 'bench', version: '1.0.0' });
  await client.connect(new FirstHttpTransport(new URL(target.url)));
  await client.listTools();
  return client;
}

/** The same server as leader of a session of its own, where a tool for that exists. */
export function ownSession({ command, args }: StdioEntry): StdioEntry {
  return hasSetsid() ? { command: 'setsid', args: [command, ...args] } : { command, args };
}

function hasSetsid(): boolean {
  return spawnSync('setsid', ['true']).status === 0;
}

interface Listening {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/** An HTTP server in a process of its own. */
export function startHttpServer(...flags: readonly string[]): Promise<Listening> {
  return startListening([serverScript, '--http', ...flags]);
}

/** What every program between a client over HTTP and this server over stdio costs at least. */
export function startBareRelay({ command, args }: StdioEntry): Promise<Listening> {
  return startListening([resolve('test/bench/servers/bareRelay.mjs'), command, ...args]);
}

async function startListening(args: readonly string[]): Promise<Listening> {
  const child: ChildProcess = spawn(process.execPath, [...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [line] = await once(child.stdout as NonNullable<typeof child.stdout>, 'data');
  const stop = async () => {
    const exited = once(child, 'exit');
    child.stdin?.end();
    await exited;
  };
  return { url: String(line).trim(), stop };
}

export interface OpenCore {
  readonly service: McpService;
  server(name: string): McpServer;
  close(): Promise<void>;
}

/** A home for one or more runs of the core. */
export class CoreHome {
  private constructor(readonly root: string) {}

  static async create(entries: Readonly<Record<string, unknown>>): Promise<CoreHome> {
    const home = new CoreHome(await mkdtemp(join(tmpdir(), 'pi-mcp-bench-')));
    const agentDir = join(home.root, '.pi', 'agent');
    await mkdir(agentDir, { recursive: true });
    await writeFile(join(agentDir, 'mcp.json'), JSON.stringify({ mcpServers: entries }));
    return home;
  }

  open(startPolicy: 'connect' | 'manual' = 'connect'): OpenCore {
    const service = createWindowlessCore({
      homeDir: this.root,
      storageDir: join(this.root, 'storage'),
      engine: loadEngine,
      startPolicy,
    });
    const servers = () => service.pools.flatMap((pool) => pool.servers);
    return {
      service,
      server(name) {
        const found = servers().find(({ definition }) => definition.name === name);
        if (!found) {
          throw new Error(`No server is named ${name}`);
        }
        return found;
      },
      close: () => service.shutdown(),
    };
  }

  async dispose(): Promise<void> {
    await rm(this.root, { recursive: true, force: true });
  }
}

/** Runs `work` with a core over these servers, none connected yet. */
export async function withCore<T>(
  entries: Readonly<Record<string, unknown>>,
  work: (core: OpenCore) => Promise<T>,
): Promise<T> {
  const home = await CoreHome.create(entries);
  const core = home.open('manual');
  try {
    await core.service.whenStarted();
    return await work(core);
  } finally {
    await core.close();
    await home.dispose();
  }
}

/** What a window shows of every tool that is known. */
export function shownTools({ service }: OpenCore): readonly string[] {
  const servers = service.pools.flatMap((pool) => pool.servers);
  return servers.flatMap(({ catalog }) =>
    catalog.value.tools.map(({ name, description = '' }) => `${name}: ${description}`),
  );
}
