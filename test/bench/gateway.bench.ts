/** A call of another program through the gateway, beside the same call of the server itself. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import type * as esbuild from 'esbuild';
import {
  type BenchScale,
  comparePaired,
  type Figure,
  sequentially,
  timed,
} from './connections/figures.js';
import {
  openRaw,
  type RawClient,
  startBareRelay,
  startHttpServer,
  stdioEntry,
} from './connections/parties.js';

const callsPerBlock = 32;

export async function runBench({ scale }: BenchScale): Promise<readonly Figure[]> {
  const root = await mkdtemp(join(tmpdir(), 'pi-mcp-bench-gateway-'));
  try {
    const script = await buildCommandLine(root);
    const figures = await sequentially([1, 200, 1000], (tools) =>
      benchCatalog({ root, script, tools, rounds: Math.round(120 * scale) }),
    );
    return figures.flat();
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

interface Run {
  readonly root: string;
  readonly script: string;
  readonly tools: number;
  readonly rounds: number;
}

async function benchCatalog({ root, script, tools, rounds }: Run): Promise<readonly Figure[]> {
  const flags = [`--tools=${tools}`];
  const name = tools === 1 ? 'echo' : `tool_${tools - 1}`;
  const remote = await startHttpServer(...flags);
  const gateway = await startGateway(script, join(root, String(tools)), {
    stdio: stdioEntry(...flags),
    http: { url: remote.url },
  });
  const relay = await startBareRelay(stdioEntry(...flags));
  const clients: RawClient[] = [];
  const open = async (...args: Parameters<typeof openRaw>) => {
    const client = await openRaw(...args);
    clients.push(client);
    return () => client.callTool({ name, arguments: { message: 'hello' } });
  };
  try {
    const direct = await open({ url: remote.url });
    const relayed = await open({ url: relay.url });
    const directStdio = await open(stdioEntry(...flags));
    const through = await open({ url: `${gateway.url}/stdio`, token: gateway.token });
    const throughHttp = await open({ url: `${gateway.url}/http`, token: gateway.token });
    for (const call of [direct, directStdio, relayed, through, throughHttp]) {
      await sequentially([1, 2, 3, 4, 5, 6], () => block(call));
    }
    const compare = (what: string, baseline: string, base: Call, ours: Call, target?: number) =>
      comparePaired(
        { name: `call through the gateway, ${tools} tools, ${what}`, unit: 'µs', baseline, target },
        rounds,
        () => block(base),
        () => block(ours),
      );
    return [
      await compare('server over stdio', 'over HTTP without it', direct, through, 1.3),
      await compare('server over stdio', 'through the least relay', relayed, through),
      await compare('server over stdio, least relay', 'over HTTP without it', direct, relayed),
      await compare('server over HTTP', 'over HTTP without it', direct, throughHttp),
      await compare('server over stdio', 'over stdio without it', directStdio, through),
    ];
  } finally {
    await Promise.all(clients.map((client) => client.close()));
    await gateway.stop();
    await remote.stop();
    await relay.stop();
  }
}

type Call = () => Promise<unknown>;

/** Microseconds per call. */
async function block(call: Call): Promise<number> {
  const ms = await timed(async () => {
    for (let count = 0; count < callsPerBlock; count++) {
      await call();
    }
  });
  return (ms * 1000) / callsPerBlock;
}

/** The command line as it is packaged. */
async function buildCommandLine(root: string): Promise<string> {
  const path = pathToFileURL(resolve('node_modules/esbuild/lib/main.js')).href;
  const { build } = ((await import(path)) as { readonly default: typeof esbuild }).default;
  const outfile = join(root, 'cli.cjs');
  await build({
    entryPoints: ['src/cli.ts'],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    mainFields: ['module', 'main'],
    logLevel: 'error',
  });
  return outfile;
}

/** In a process of its own, as in an extension host. */
async function startGateway(
  script: string,
  home: string,
  servers: Readonly<Record<string, unknown>>,
) {
  const agentDir = join(home, '.pi', 'agent');
  await mkdir(agentDir, { recursive: true });
  await writeFile(join(agentDir, 'mcp.json'), JSON.stringify({ mcpServers: servers }));
  const child: ChildProcess = spawn(
    process.execPath,
    [script, '--home', home, 'gateway', '--folder', home, '--json'],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  const lines = createInterface(child.stdout as NonNullable<typeof child.stdout>);
  const [line] = (await once(lines, 'line')) as [string];
  const { url, useToken } = JSON.parse(line) as { readonly url: string; readonly useToken: string };
  const stop = async () => {
    const exited = once(child, 'exit');
    child.stdin?.end();
    await exited;
  };
  return { url, token: useToken, stop };
}
