/** The peer, `pi-mcp-adapter`, as a host of its kind sees it: an extension that registers tools. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

interface Tool {
  readonly name: string;
  execute(
    id: string,
    args: unknown,
    signal: undefined,
    onUpdate: undefined,
    context: unknown,
  ): Promise<unknown>;
}

type Handler = (event: unknown, context: unknown) => unknown;
export type AdapterFactory = (host: unknown) => void;

/** @param path of the adapter as one module. */
export async function loadAdapter(path: string): Promise<AdapterFactory> {
  const module: { readonly default: AdapterFactory } = await import(pathToFileURL(path).href);
  return module.default;
}

/** A session with the adapter. */
export class AdapterSession {
  private readonly tools = new Map</* name */ string, Tool>();
  private readonly handlers = new Map</* event */ string, Handler[]>();
  private active: readonly string[] = [];
  private readonly context: unknown;

  constructor(cwd: string) {
    const nothing = () => undefined;
    this.context = {
      cwd,
      hasUI: false,
      mode: 'rpc',
      ui: { setStatus: nothing, notify: nothing, theme: {} },
      sessionManager: { getBranch: () => [], getEntries: () => [], getSessionId: () => 'bench' },
      modelRegistry: {},
      isIdle: () => true,
    };
  }

  async start(adapter: AdapterFactory): Promise<void> {
    adapter(this.createHost());
    await this.fire('session_start');
  }

  call(tool: string, args: unknown): Promise<unknown> {
    const found = this.tools.get(tool);
    if (!found) {
      throw new Error(`The adapter has no tool ${tool}`);
    }
    return found.execute('bench', args, undefined, undefined, this.context);
  }

  async close(): Promise<void> {
    await this.fire('session_shutdown');
  }

  private async fire(event: string): Promise<void> {
    for (const handler of this.handlers.get(event) ?? []) {
      await handler({ type: event }, this.context);
    }
  }

  private createHost(): unknown {
    const nothing = () => undefined;
    return {
      on: (event: string, handler: Handler) =>
        this.handlers.set(event, [...(this.handlers.get(event) ?? []), handler]),
      registerTool: (tool: Tool) => this.tools.set(tool.name, tool),
      unregisterTool: (name: string) => this.tools.delete(name),
      getAllTools: () => [...this.tools.values()],
      getActiveTools: () => this.active,
      setActiveTools: (names: readonly string[]) => {
        this.active = names;
      },
      registerCommand: nothing,
      registerFlag: nothing,
      getFlag: nothing,
      sendMessage: nothing,
      sendUserMessage: nothing,
      appendEntry: nothing,
      exec: async () => ({ stdout: '', stderr: '', code: 1 }),
      events: { on: () => nothing, emit: nothing },
    };
  }
}

/** A home for sessions with the adapter. It reads the environment, so there is one at a time. */
export async function withAdapterHome<T>(
  servers: Readonly<Record<string, unknown>>,
  work: (open: (adapter: AdapterFactory) => Promise<AdapterSession>) => Promise<T>,
): Promise<T> {
  const root = await mkdtemp(join(tmpdir(), 'pi-mcp-bench-adapter-'));
  const agentDir = join(root, 'agent');
  const cwd = join(root, 'work');
  const { HOME: home = '', PI_CODING_AGENT_DIR: previous } = process.env;
  const sessions: AdapterSession[] = [];
  try {
    await mkdir(agentDir);
    await mkdir(cwd);
    await writeFile(join(agentDir, 'mcp.json'), JSON.stringify({ mcpServers: servers }));
    process.env.HOME = root;
    process.env.PI_CODING_AGENT_DIR = agentDir;
    return await work(async (adapter) => {
      const session = new AdapterSession(cwd);
      sessions.push(session);
      await session.start(adapter);
      return session;
    });
  } finally {
    await Promise.all(sessions.map((session) => session.close()));
    process.env.HOME = home;
    if (previous === undefined) {
      delete process.env.PI_CODING_AGENT_DIR;
    } else {
      process.env.PI_CODING_AGENT_DIR = previous;
    }
    await rm(root, { recursive: true, force: true, maxRetries: 5 });
  }
}
