/** Processes of other clients that run what one of our servers is. */
import { addTo } from '../../base/lists.js';
import type { ImportSource, McpServerId } from '../../config/definition.js';
import type { ProcessIdentity } from '../../platform/process/identity.js';
import type { ProgramRun } from '../../platform/process/programRuns.js';
import { programName, separate } from './normalArgv.js';

/** Clients that are known by their processes. */
export type StartingClient = Extract<ImportSource, 'vscode' | 'claude-code' | 'codex' | 'cursor'>;

/** A copy of a server that another client has started. */
export interface ForeignRun {
  readonly client: StartingClient;
  readonly first: ProcessIdentity;
}

export interface ForeignRunSearch {
  readonly runs: readonly ProgramRun[];
  /** Normal form → the servers that run so. */
  readonly servers: ReadonlyMap<string, readonly McpServerId[]>;
  /** Of the extension host that we are in, which starts the servers of VS Code's own client, too. */
  readonly hostPid: number;
  /** See `normalArgv`. */
  readonly formOf: (run: ProgramRun) => Promise<string>;
}

/** Only what a client that we know has started: what the user runs in a terminal is nobody's double start. */
export async function findForeignRuns({
  runs,
  servers,
  hostPid,
  formOf,
}: ForeignRunSearch): Promise<ReadonlyMap<McpServerId, readonly ForeignRun[]>> {
  const found = new Map<McpServerId, ForeignRun[]>();
  if (servers.size === 0) {
    return found;
  }
  const byPid = new Map(runs.map((run) => [run.pid, run]));
  const matches = new Map<ProgramRun, { client: StartingClient; ids: readonly McpServerId[] }>();
  for (const run of runs) {
    const client = run.isOurs || run.pid === hostPid ? undefined : clientAbove(run, byPid, hostPid);
    const ids = client && servers.get(await formOf(run));
    if (client && ids) {
      matches.set(run, { client, ids });
    }
  }
  for (const [run, { client, ids }] of matches) {
    for (const id of ids) {
      // `npx`, the shell that it starts and the program are one copy
      const isInner = ancestors(run, byPid).some((one) => matches.get(one)?.ids.includes(id));
      if (!isInner) {
        addTo(found, id, { client, first: { pid: run.pid, start: run.start } });
      }
    }
  }
  return found;
}

/** The nearest one that is known. */
function clientAbove(
  run: ProgramRun,
  byPid: ReadonlyMap<number, ProgramRun>,
  hostPid: number,
): StartingClient | undefined {
  return ancestors(run, byPid)
    .map(({ pid, argv }) => (pid === hostPid ? 'vscode' : startingClient(argv)))
    .find((client) => client !== undefined);
}

/** From the nearest to the first process; each once, whatever a table says that changed while it was read. */
function ancestors(run: ProgramRun, byPid: ReadonlyMap<number, ProgramRun>): readonly ProgramRun[] {
  const found = new Set<ProgramRun>();
  for (let next = byPid.get(run.parent); next && !found.has(next); next = byPid.get(next.parent)) {
    found.add(next);
  }
  return [...found];
}

const programs: Readonly<Record<string, StartingClient>> = {
  claude: 'claude-code',
  codex: 'codex',
  cursor: 'cursor',
  'cursor-agent': 'cursor',
};

/** By the name of the program, or of the script that Node.js runs. */
export function startingClient(argv: readonly string[]): StartingClient | undefined {
  const words = separate(argv);
  if (words.includes('--type=extensionHost')) {
    return 'vscode';
  }
  const [program = '', script = ''] = words;
  const names = [program, ...(programName(program) === 'node' ? [script] : [])];
  for (const name of names) {
    const base = programName(name).toLowerCase();
    const client = Object.hasOwn(programs, base) ? programs[base] : undefined;
    if (client) {
      return client;
    }
    if (name.replaceAll('\\', '/').includes('/@anthropic-ai/claude-code/')) {
      return 'claude-code';
    }
  }
  return undefined;
}
