/** A gateway over a whole core with real servers, and real clients of both SDKs. */
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
} from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { ClientCapabilities } from '@modelcontextprotocol/sdk/types.js';
import type { WorkspaceFolder } from '../../../src/config/definition.js';
import type { LoggerProvider } from '../../../src/config/ports.js';
import { Gateway, type GatewayOptions } from '../../../src/gateway/gateway.js';
import type { CallFiles } from '../../../src/mcp/callLog/callFiles.js';
import type { McpService } from '../../../src/mcp/mcpApi.js';
import type { UserPort } from '../../../src/mcp/service/connections.js';
import { repository } from '../../workbench/paths.mjs';
import { CoreHarness } from '../coreHarness.js';

export function fixtureServer(name: string, ...args: readonly string[]) {
  const script = join(repository, 'test', 'fixtures', 'servers', `${name}.mjs`);
  return { command: process.execPath, args: [script, ...args] };
}

/** A process that ends before it says anything. */
export const deadServer = { command: process.execPath, args: ['-e', 'process.exit(3)'] };

export class GatewayHarness {
  private readonly clients: { close(): Promise<void> }[] = [];
  private readonly gateways: Gateway[] = [];
  /** What the gateways had to report. */
  readonly errors: unknown[] = [];

  private constructor(
    readonly core: CoreHarness,
    readonly folder: WorkspaceFolder,
    readonly service: McpService,
  ) {}

  /** @param servers of the folder, which is trusted */
  static async create(
    servers: Readonly<Record<string, unknown>>,
    features?: UserPort['features'],
    loggers?: LoggerProvider,
    /** Where calls are logged. Default: nowhere. */
    calls?: CallFiles,
  ): Promise<GatewayHarness> {
    const core = await CoreHarness.create();
    const folder = await core.addFolder('project', servers);
    const service = core.open(undefined, {
      ...(features && { features }),
      ...(loggers && { loggers }),
      callLog: calls && { files: calls, keepDays: () => 1 },
    });
    await service.whenStarted();
    await service.trust.trustFolder(folder.uri);
    await service.whenStarted();
    return new GatewayHarness(core, folder, service);
  }

  async start(changes: Partial<GatewayOptions> = {}): Promise<Gateway> {
    const gateway = await Gateway.start({
      service: this.service,
      folderUri: this.folder.uri,
      version: '0.0.0',
      onError: (error) => this.errors.push(error),
      ...changes,
    });
    this.gateways.push(gateway);
    return gateway;
  }

  /** Of the generation of 2025. @param server one, under its own names */
  async connect(gateway: Gateway, server?: string, name?: string): Promise<Client> {
    const client = await connectClient(addressOf(gateway, server), gateway.tokens.use, name);
    this.clients.push(client);
    return client;
  }

  /** At the socket, which is of all servers. */
  async connectSocket({ socket }: Gateway): Promise<Client> {
    const client = new Client({ name: 'at the socket', version: '1.2.3' });
    await client.connect(new LineTransport(connect(socket)));
    this.clients.push(client);
    return client;
  }

  /** Of 2026-07-28. */
  async connectModern(gateway: Gateway, server?: string): Promise<ModernClient> {
    const client = new ModernClient(
      { name: 'modern tester', version: '1.2.3' },
      { versionNegotiation: { mode: { pin: '2026-07-28' } } },
    );
    await client.connect(
      new ModernTransport(addressOf(gateway, server), {
        requestInit: { headers: headersOf(gateway) },
      }),
    );
    this.clients.push(client);
    return client;
  }

  async dispose(): Promise<void> {
    await Promise.all(this.clients.map((client) => client.close().catch(() => undefined)));
    await Promise.all(this.gateways.map((gateway) => gateway.stop()));
    await this.core.dispose();
  }
}

export function addressOf(gateway: Gateway, server?: string): URL {
  return new URL(
    server === undefined ? gateway.url : `${gateway.url}/${encodeURIComponent(server)}`,
  );
}

/** Of the generation of 2025. */
export async function connectClient(
  url: URL,
  token: string,
  name = 'tester',
  capabilities: ClientCapabilities = {},
): Promise<Client> {
  const client = new Client({ name, version: '1.2.3' }, { capabilities });
  const requestInit = { headers: { Authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
  return client;
}

/** A message as it is sent, without a client around it. */
export function post(
  gateway: Gateway,
  body: unknown,
  {
    server,
    headers,
    signal,
  }: { readonly server?: string; readonly headers?: object; readonly signal?: AbortSignal } = {},
): Promise<Response> {
  return fetch(addressOf(gateway, server), {
    method: 'POST',
    headers: {
      ...headersOf(gateway),
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify(body),
    signal,
  });
}

/** The texts of a result. */
export function textsOf(result: unknown): readonly string[] {
  const { content } = result as { readonly content: readonly { readonly text?: string }[] };
  return content.map(({ text }) => text ?? '');
}

export function headersOf({ tokens }: Gateway) {
  return { Authorization: `Bearer ${tokens.use}` };
}

/** As clients of Unix sockets speak. */
export class LineTransport implements Transport {
  onclose?: () => void;
  onmessage?: NonNullable<Transport['onmessage']>;

  constructor(private readonly socket: Socket) {}

  async start(): Promise<void> {
    createInterface(this.socket).on('line', (line) => this.onmessage?.(JSON.parse(line)));
    this.socket.on('close', () => this.onclose?.());
  }

  async send(message: unknown): Promise<void> {
    this.socket.write(`${JSON.stringify(message)}\n`);
  }

  async close(): Promise<void> {
    this.socket.destroy();
  }
}
