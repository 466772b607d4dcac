/** The programs that run on this machine, and which of them are ours. */
import { type ProcessIdentity, readProcArguments } from './identity.js';
import { createProcessSystem } from './system.js';

export interface ProgramRun extends ProcessIdentity {
  readonly parent: number;
  /** Program and arguments; a single text where the system does not tell them apart. May hold secrets: never shown. */
  readonly argv: readonly string[];
  /** Some window, or the command line, of ours started it. */
  readonly isOurs: boolean;
}

/** Looks again and again; reads the environment of each program once, and keeps nothing of it but our own marker. */
export class ProgramRuns {
  private readonly system = createProcessSystem();

  /** Empty on Windows, where nobody shows which are ours. Never rejects. */
  async read(): Promise<readonly ProgramRun[]> {
    const { system } = this;
    if (system.platform === 'win32') {
      return [];
    }
    const marked = await system.marked();
    const ours = new Set([...marked.values()].flat().map(({ pid, start }) => `${pid} ${start}`));
    const rows = (await system.table()) ?? [];
    return rows.map(({ pid, start, parent, commandLine }) => {
      const argv = commandLine === undefined ? readProcArguments(pid) : [commandLine];
      return { pid, start, parent, argv, isOurs: ours.has(`${pid} ${start}`) };
    });
  }
}
