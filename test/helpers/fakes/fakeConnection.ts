import { Emitter } from '../../../src/base/event.js';
import type { JsonObject } from '../../../src/base/json.js';
import { maskText } from '../../../src/config/secrets/secretMask.js';
import { classifyFailure } from '../../../src/mcp/connection/connectionErrors.js';
import type { McpConnection } from '../../../src/mcp/connection/mcpConnection.js';
import type { ListHint, ListItems } from '../../../src/mcp/connection/reading/readList.js';
import type { McpSession } from '../../../src/mcp/connection/session/engine.js';
import type {
  McpListKind,
  McpServerFailure,
  McpTool,
  McpToolResult,
} from '../../../src/mcp/mcpTypes.js';

/** A connection that a test ends, fails and answers by hand. */
export class FakeConnection implements McpConnection {
  private readonly closeEmitter = new Emitter<McpServerFailure | undefined>();
  private readonly listEmitter = new Emitter<McpListKind>();
  readonly onDidClose = this.closeEmitter.event;
  isClosed = false;
  silentMs = Number.POSITIVE_INFINITY;
  /** What the server says of how its lists may be kept. */
  readonly listHints = new Map<keyof ListItems, ListHint>();
  /** What `tools/list` answers; replace it to make it fail or wait. */
  listTools: () => Promise<readonly McpTool[]> = async () => [];
  callTool: (name: string, args: JsonObject) => Promise<McpToolResult> = async () => ({
    content: [],
    isError: false,
  });
  ping: () => Promise<void> = async () => undefined;
  /** Holds up `close` until it resolves. */
  closing: Promise<void> = Promise.resolve();

  constructor(readonly pid: number) {}

  resolveTexts: McpConnection['resolveTexts'] = async (written) => ({
    texts: written.map(({ text }) => text),
    secrets: [],
  });
  conceal: McpConnection['conceal'] = () => undefined;

  readonly session = {
    transport: 'stdio',
    serverInfo: { name: 'fake', version: '1' },
    instructions: undefined,
    protocolVersion: '2025-06-18',
    capabilities: { tools: {} },
    closeError: undefined,
    onDidClose: new Emitter<void>().event,
    onDidChangeList: this.listEmitter.event,
    listHints: this.listHints,
    onDidLog: new Emitter<never>().event,
    list: async <K extends keyof ListItems>(key: K) => ({
      items: (key === 'tools' ? await this.listTools() : []) as readonly ListItems[K][],
      notices: [],
    }),
    startTool: async (name: string, args: JsonObject) => ({
      kind: 'result' as const,
      result: await this.callTool(name, args),
    }),
    tasks: {
      onDidChange: new Emitter<never>().event,
      get: () => Promise.reject(new Error('not in this fake')),
      result: () => Promise.reject(new Error('not in this fake')),
      update: () => Promise.reject(new Error('not in this fake')),
      cancel: async () => false,
      list: async () => [],
    },
    respond: () => Promise.reject(new Error('not in this fake')),
    readResource: async () => [],
    getPrompt: async () => ({ messages: [] }),
    complete: async () => [],
    onDidUpdateResource: new Emitter<string>().event,
    watchResource: async () => undefined,
    setLogLevel: async () => undefined,
    request: () => Promise.reject(new Error('not in this fake')),
    ping: () => this.ping(),
    close: async () => undefined,
  } satisfies McpSession;

  updateLogLevel(): void {}

  describeError(error: unknown): McpServerFailure {
    return classifyFailure(error, { mask: maskText });
  }

  changeList(kind: McpListKind): void {
    this.listEmitter.fire(kind);
  }

  /** The server goes away by itself. */
  fail(failure: McpServerFailure): void {
    this.closeEmitter.fire(failure);
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await this.closing;
  }
}
