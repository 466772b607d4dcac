/** Which servers other clients would start, or have started, beside us. */
import { readlink } from 'node:fs/promises';
import { resolve } from 'node:path';
import { SharedRun } from '../../base/async/sharedRun.js';
import { DisposableOwner } from '../../base/disposable.js';
import { Emitter, type Event } from '../../base/event.js';
import type { McpServerDefinition, McpServerId } from '../../config/definition.js';
import { withPlaces } from '../../config/launch/places.js';
import { resolveNpx } from '../../platform/npx/resolveNpx.js';
import type { HostEnvironment } from '../../platform/ports.js';
import { type ProgramRun, ProgramRuns } from '../../platform/process/programRuns.js';
import { stopTree } from '../../platform/process/stopTree.js';
import { treeOf } from '../../platform/process/table.js';
import { createProcessTree } from '../../platform/process/tree.js';
import { realPath } from '../../platform/realPath.js';
import type { McpServer, McpService } from '../mcpApi.js';
import type { ClientChoice, ClientChoices } from './clientChoices.js';
import { type ForeignRun, findForeignRuns } from './foreignRuns.js';
import { normalArgv } from './normalArgv.js';
import { type EditorRules, hasToolOf, wouldEditorStart } from './prediction.js';

/** The other clients of one server. */
export interface DoubleStart {
  readonly server: McpServer;
  /** VS Code's own client reads the entry and would start it. */
  readonly isPredicted: boolean;
  /** Copies that other clients have started; those of VS Code's own without a process are known by their tools alone. */
  readonly running: readonly (Omit<ForeignRun, 'first'> & Partial<ForeignRun>)[];
  readonly choice: ClientChoice | undefined;
}

/** VS Code's own client, as far as it shows itself. */
export interface EditorClient {
  readonly rules: EditorRules;
  /** Names of the tools of all MCP servers that it has started. */
  readonly tools: readonly string[];
  /** Its rules are others. */
  readonly onDidChange: Event<void>;
}

export interface DoubleStartOptions {
  readonly service: Pick<McpService, 'servers'> & {
    readonly trust: Pick<
      McpService['trust'],
      'isWorkspaceTrusted' | 'onDidChange' | 'reasonToWait'
    >;
  };
  readonly environment: HostEnvironment;
  readonly editor: EditorClient;
  readonly choices: ClientChoices;
  /** Default: those of this machine. */
  readonly programs?: Pick<ProgramRuns, 'read'>;
  /** See `ForeignRunSearch`. Default: this process. */
  readonly hostPid?: number;
}

export class DoubleStarts extends DisposableOwner {
  private readonly changeEmitter = this.store.add(new Emitter<void>());
  readonly onDidChange = this.changeEmitter.event;
  private readonly programs: Pick<ProgramRuns, 'read'>;
  private readonly tree = createProcessTree();
  private readonly looking = new SharedRun(() => this.look());
  private runs: ReadonlyMap<McpServerId, readonly ForeignRun[]> = new Map();
  private tools: readonly string[] = [];
  private readonly written = new WeakMap<McpServerDefinition, Promise<readonly string[]>>();

  constructor(private readonly options: DoubleStartOptions) {
    super();
    const { service, editor, choices, programs } = options;
    this.programs = programs ?? new ProgramRuns();
    const changed = () => this.changeEmitter.fire();
    this.store.add(editor.onDidChange(changed));
    this.store.add(choices.onDidChange(changed));
    this.store.add(service.trust.onDidChange(changed));
  }

  /** As of the last {@link refresh}; what is predicted, as of now. `undefined`: nobody else has to do with it. */
  of(server: McpServer): DoubleStart | undefined {
    const { service, editor, environment, choices } = this.options;
    const { definition } = server;
    const isPredicted = wouldEditorStart(
      definition,
      { ...editor.rules, isWorkspaceTrusted: service.trust.isWorkspaceTrusted },
      environment,
    );
    const seen = this.runs.get(server.id) ?? [];
    const running =
      isPredicted && this.isInEditor(server) ? [{ client: 'vscode' as const }, ...seen] : seen;
    const choice = choices.of(definition);
    return isPredicted || running.length > 0 ? { server, isPredicted, running, choice } : undefined;
  }

  /** Of every server. */
  get all(): readonly DoubleStart[] {
    return this.options.service.servers.flatMap((server) => this.of(server) ?? []);
  }

  /** Both would start the same process, and the user was not asked yet who should. */
  get asksWho(): boolean {
    return (
      !this.options.choices.wasAsked &&
      this.all.some(
        ({ server: { definition }, isPredicted }) =>
          isPredicted && definition.enabled && definition.launch?.kind === 'stdio',
      )
    );
  }

  /** Looks who runs now. Never rejects. */
  async refresh(): Promise<void> {
    await this.looking.run();
  }

  /** Ends those of the copies that still run, with what they have started. Never rejects. @returns how many withstood */
  async stop(copies: readonly ForeignRun[]): Promise<number> {
    const runs = await this.programs.read();
    const outcomes = await Promise.all(
      copies.map(({ first: { pid, start } }) => {
        const isSame = runs.some((run) => run.pid === pid && run.start === start && !run.isOurs);
        return isSame
          ? stopTree({ pid, hasGroup: false, strays: treeOf(pid, runs) }, this.tree, {
              graceMs: () => 0,
            })
          : 'exited';
      }),
    );
    await this.refresh();
    return outcomes.filter((outcome) => outcome === 'alive').length;
  }

  /** By its tools, which outlast it: only for what is no process that could be seen. */
  private isInEditor({ definition, catalog }: McpServer): boolean {
    const isSeen =
      definition.launch?.kind === 'stdio' && this.options.environment.platform !== 'win32';
    const { serverInfo, tools } = catalog.value;
    const labels = [definition.name, ...(serverInfo ? [serverInfo.name] : [])];
    return !isSeen && hasToolOf({ labels, tools: tools.map(({ name }) => name) }, this.tools);
  }

  private async look(): Promise<void> {
    const before = this.summary;
    this.tools = this.options.editor.tools;
    const hasProcesses = this.options.service.servers.some(
      ({ definition }) => definition.launch?.kind === 'stdio',
    );
    const runs = hasProcesses ? await this.programs.read() : [];
    const { hostPid = process.pid } = this.options;
    const servers = await this.forms(runs);
    const found = await findForeignRuns({ runs, servers, hostPid, formOf: runForm });
    if (this.store.isDisposed) {
      return;
    }
    this.runs = found;
    if (this.summary !== before) {
      this.changeEmitter.fire();
    }
  }

  private get summary(): string {
    return JSON.stringify([
      [...this.runs],
      this.all.map(({ server, running }) => [server.id, running]),
    ]);
  }

  /** Normal forms of all servers that are processes. */
  private async forms(
    runs: readonly ProgramRun[],
  ): Promise<ReadonlyMap<string, readonly McpServerId[]>> {
    const found = new Map<string, McpServerId[]>();
    for (const server of runs.length === 0 ? [] : this.options.service.servers) {
      for (const form of await this.formsOf(server, runs)) {
        found.set(form, [...new Set([...(found.get(form) ?? []), server.id])]);
      }
    }
    found.delete('');
    return found;
  }

  private async formsOf(
    { definition, state }: McpServer,
    runs: readonly ProgramRun[],
  ): Promise<readonly string[]> {
    const { pid } = state.value.kind === 'connected' ? state.value : {};
    const own = pid === undefined ? [] : runs.filter((run) => run.isOurs && run.pid === pid);
    return [...(await Promise.all(own.map(runForm))), ...(await this.writtenForms(definition))];
  }

  /** Of what the entry says; nothing is looked up for one that waits for consent. */
  private async writtenForms(definition: McpServerDefinition): Promise<readonly string[]> {
    if (this.options.service.trust.reasonToWait(definition) !== undefined) {
      return [];
    }
    const known = this.written.get(definition);
    const forms = known ?? readForms(definition, this.options.environment);
    this.written.set(definition, forms);
    return forms;
  }
}

/** Normal forms of what an entry says, where that depends on nothing that only a start would read. */
async function readForms(
  { launch, folder }: McpServerDefinition,
  environment: HostEnvironment,
): Promise<readonly string[]> {
  if (launch?.kind !== 'stdio') {
    return [];
  }
  const places = { folder: folder?.fsPath, homeDir: environment.homeDir };
  const base = folder?.fsPath ?? environment.homeDir;
  const command = withPlaces(launch.command, places);
  const cwd = withPlaces(launch.cwd ?? base, places);
  const args = launch.args.flatMap((arg) => withPlaces(arg, places) ?? []);
  if (command === undefined || cwd === undefined || args.length < launch.args.length) {
    return [];
  }
  const request = { command, args, cwd: resolve(base, cwd) };
  const resolved = await resolveNpx(request, environment);
  return Promise.all(
    [request, ...(resolved ? [resolved.request] : [])].map((one) =>
      normalArgv([one.command, ...one.args], { workingDirectory: async () => one.cwd, realPath }),
    ),
  );
}

function runForm({ pid, argv }: ProgramRun): Promise<string> {
  return normalArgv(argv, { workingDirectory: () => workingDirectory(pid), realPath });
}

/** Where a process of Linux works. */
async function workingDirectory(pid: number): Promise<string | undefined> {
  try {
    return await readlink(`/proc/${pid}/cwd`);
  } catch {
    // another system, another user's, or gone
    return undefined;
  }
}
