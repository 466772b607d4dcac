/** Takes the files of a conversation back to an earlier moment, in such a way that a redo brings everything back. */
import type { FileWrite, UndoneFile } from '../changeState.js';
import {
  type Checkpoint,
  type Links,
  linkedRuns,
  linksSince,
  type OtherCounts,
  runsUntil,
} from '../history.js';
import type { RecordedFiles } from '../recordedFiles.js';
import { type Content, sameContent } from '../version.js';
import { replaceFiles } from './replacing.js';
import { type PlannedFile, planFile, stampOf } from './restorePlan.js';

export interface RestorePlan {
  /** Those that would change. */
  readonly files: readonly PlannedFile[];
  /** Calls since whose changes nobody recorded. */
  readonly others: OtherCounts;
  readonly stamp: string;
}

/** What became of one file. */
export interface RestoreOutcome {
  readonly path: string;
  readonly result: 'restored' | 'failed';
  /** Why it failed. */
  readonly reason?: string;
}

export interface FileRestoreRequest {
  /** Of what is planned; what others wrote in the same lines is replaced where the user has chosen so. */
  readonly paths: readonly string[];
  /** Of the plan that the user saw. */
  readonly stamp: string;
}

type PossibleFile = PlannedFile & { readonly after: Buffer | 'absent' };

type Change = <T>(work: () => Promise<T>) => Promise<T>;

export class Checkpoints {
  /** @param change does one piece of work after the other */
  constructor(
    private readonly recorded: RecordedFiles,
    private readonly change: Change,
  ) {}

  /** Oldest first. */
  get all(): ReadonlyMap</* id */ string, Checkpoint> {
    const checkpoints = this.recorded.state?.history.checkpoints ?? [];
    return new Map([...checkpoints].map((checkpoint) => [checkpoint.id, checkpoint]));
  }

  /** Call before anything is done for a message of the user. @param id of its entry in Pi's session */
  mark(id: string): void {
    void this.recorded.add({ type: 'message', id, time: Date.now() });
  }

  /** The conversation went back. @param place where it was: an entry in Pi's session, `null` before the first one */
  async noteLeft(place: string | null): Promise<void> {
    await this.change(async () => await this.recorded.add({ type: 'left', place }));
  }

  /** `undefined` for a moment that is not known. */
  async plan(id: string): Promise<RestorePlan | undefined> {
    const { state } = this.recorded;
    const checkpoint = this.all.get(id);
    if (!state || !checkpoint) {
      return undefined;
    }
    const planned = await Promise.all(
      [...linksSince(state.history, checkpoint)].map(async ([path, links]) => {
        const [loaded, now] = await Promise.all([
          this.recorded.loaded(links),
          this.recorded.files.read(path),
        ]);
        const isUnsaved = this.recorded.files.isUnsaved?.(path) ?? false;
        return planFile(path, loaded, { now, isUnsaved });
      }),
    );
    const files = planned.filter((file) => file !== undefined);
    const { others } = state.history;
    return {
      files,
      others: {
        command: others.command - checkpoint.others.command,
        server: others.server - checkpoint.others.server,
      },
      stamp: stampOf(files),
    };
  }

  /** @returns `undefined` when the plan is another by now, so that nothing was done. Never rejects for a file. */
  restore(
    id: string,
    { paths, stamp }: FileRestoreRequest,
  ): Promise<readonly RestoreOutcome[] | undefined> {
    return this.change(async () => {
      const checkpoint = this.all.get(id);
      const plan = await this.plan(id);
      if (!checkpoint || plan?.stamp !== stamp) {
        return undefined;
      }
      const chosen = plan.files.filter(({ path }) => paths.includes(path));
      return await this.restoreFiles(chosen.filter(isPossible), checkpoint);
    });
  }

  /** A window that closed during a restore knows not how far it came: what is not as it was counts as written. */
  async endInterrupted(): Promise<void> {
    const { restoring } = this.recorded.state ?? {};
    const undone: UndoneFile[] = [];
    const writes: FileWrite[] = [];
    for (const file of restoring ?? []) {
      const { path, from, to } = file;
      const now = await this.recorded.files.read(path);
      if (!sameContent(now, await this.recorded.load(from))) {
        undone.push(file);
        const isWhole = sameContent(now, await this.recorded.load(to));
        const left = { path, from, to: await this.recorded.store(now), isMixed: true } as const;
        writes.push(isWhole ? { path, from, to } : left);
      }
    }
    if (restoring) {
      const files = undone.map(({ path }) => ({ path, links: [] }));
      await this.recorded.add({ type: 'restored', undone, files, writes });
    }
  }

  private async restoreFiles(
    chosen: readonly PossibleFile[],
    checkpoint: Checkpoint,
  ): Promise<readonly RestoreOutcome[]> {
    if (chosen.length === 0) {
      return [];
    }
    const targets = chosen.map(({ path, now, after }) => ({
      path,
      now,
      after,
      linksAfter: async (written: Content) => {
        const links = this.recorded.state?.files.get(path) ?? [];
        const runs = this.runsKept(path, links, checkpoint);
        return await this.recorded.linksLeft(links, { runs, was: now, now: written });
      },
    }));
    const { failures, undone, files } = await replaceFiles(this.recorded, 'restore', targets);
    await this.recorded.add({ type: 'restored', undone, files });
    return chosen.map(({ path }) => {
      const reason = failures.get(path);
      return reason === undefined
        ? { path, result: 'restored' }
        : { path, result: 'failed', reason };
    });
  }

  /** What the agent had done by then, and nobody has kept. */
  private runsKept(path: string, links: Links, checkpoint: Checkpoint): readonly number[] {
    const { state } = this.recorded;
    const early = state ? runsUntil(state.history, checkpoint, path) : new Set<number>();
    return linkedRuns(links).filter((run) => early.has(run));
  }
}

function isPossible(file: PlannedFile): file is PossibleFile {
  return file.after !== 'unread';
}
