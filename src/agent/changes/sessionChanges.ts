/** The changes of one conversation under review: recorded as they are made, kept or undone by the user. */
import { sep } from 'node:path';
import { Sequencer } from '../../base/async/sequencer.js';
import type { Disposable } from '../../base/disposable.js';
import { HumanError } from '../../base/errors.js';
import { Emitter } from '../../base/event.js';
import { largest } from '../../base/lists.js';
import { type ChangeState, type FileLinks, noChanges, type UndoneFile } from './changeState.js';
import { Checkpoints } from './checkpoints/checkpoints.js';
import { type FileReplacement, replaceFiles, withUndone } from './checkpoints/replacing.js';
import { type Link, linkedRuns, type OtherCall } from './history.js';
import { type FileHunk, fileHunks, withoutHunk } from './hunks.js';
import type { WriteJournal } from './ports.js';
import { RecordedFiles, type RecordedFilesOptions } from './recordedFiles.js';
import { baselineOf, mergedRedo, planUndo } from './undo.js';
import { type Content, sameContent, unread } from './version.js';

/** What became of one file. */
export interface UndoOutcome {
  readonly path: string;
  readonly result: 'undone' | 'merged' | 'nothing' | 'conflict' | 'impossible' | 'failed';
  /** Why it failed. */
  readonly reason?: string;
  /** Of a conflict: somebody deleted or moved the file. */
  readonly isGone?: boolean;
}

/** One file under review. */
export interface ReviewedFile {
  readonly path: string;
  /** Without what the agent did; `absent`: it made the file. */
  readonly before: Content;
  readonly now: Content;
  /** Others changed what the agent did, so that an undo asks. */
  readonly isMixed: boolean;
  readonly runs: readonly number[];
}

export interface UndoRequest {
  /** Default: every file under review. */
  readonly paths?: readonly string[] | undefined;
  /** Only what was done in this run, be it under review or not. */
  readonly run?: number | undefined;
  /** The user agreed to lose what others wrote in the same lines. */
  readonly isForced?: boolean;
}

/** What is to become of one file, and what is to be done for that. */
interface PlannedUndo {
  readonly outcome: UndoOutcome;
  readonly target?: FileReplacement;
  /** Nothing is to be written, and this stays under review. */
  readonly settled?: FileLinks;
}

export class SessionChanges implements Disposable {
  private readonly changeEmitter = new Emitter<void>();
  private readonly writeEmitter = new Emitter</* path */ string>();
  private readonly work = new Sequencer();
  private readonly recorded: RecordedFiles;
  private run = 0;
  /** Moments to which the files can be taken back. */
  readonly checkpoints: Checkpoints;

  /** What is under review may be another. */
  readonly onDidChange = this.changeEmitter.event;
  /** A call wrote a file. */
  readonly onDidWrite = this.writeEmitter.event;

  constructor(options: RecordedFilesOptions) {
    this.recorded = new RecordedFiles(options);
    this.checkpoints = new Checkpoints(this.recorded, (work) => this.change(work));
  }

  /** Takes up what an earlier window recorded. @param conversationFile default: nothing is kept */
  async open(conversationFile: string | undefined): Promise<void> {
    if (conversationFile === undefined) {
      return;
    }
    const { runs } = await this.recorded.open(conversationFile);
    this.run = largest(runs.keys(), 0);
    await this.endInterrupted();
    await this.checkpoints.endInterrupted();
    this.changeEmitter.fire();
  }

  get state(): ChangeState | undefined {
    return this.recorded.state;
  }

  get lastRun(): number {
    return largest(this.state?.runs.keys() ?? [], 0);
  }

  startRun(): void {
    this.run++;
  }

  /** A call ran whose changes are not recorded. */
  noteOther(by: OtherCall): void {
    void this.recorded.add({ type: 'other', by });
  }

  /** Another conversation of that title wrote a file. */
  otherWrote(path: string, by: string): void {
    if (this.state?.files.has(path)) {
      void this.recorded.add({ type: 'shared', path, by });
      this.changeEmitter.fire();
    }
  }

  /** Of one call, which writes one file once. */
  journalOf(call: string): WriteJournal {
    let written = '';
    return {
      begin: async (path, before) => {
        written = path;
        const version = await this.recorded.store(before);
        if (version === unread && this.state) {
          throw notKeptFor(path);
        }
        const entry = { type: 'begin', call, run: this.run, path, before: version } as const;
        if (!(await this.recorded.add(entry)) && this.state) {
          // nothing was written
          await this.recorded.add({ type: 'end', call, after: version });
          throw notKeptFor(path);
        }
      },
      end: async (after) => {
        await this.recorded.add({ type: 'end', call, after: await this.recorded.store(after) });
        this.writeEmitter.fire(written);
        this.changeEmitter.fire();
      },
    };
  }

  /** The file before and after a call. */
  async textsOf(call: string) {
    const found = this.state?.calls.get(call);
    if (!found || found.after === undefined) {
      return undefined;
    }
    const [before, after] = await Promise.all([
      this.recorded.load(found.before),
      this.recorded.load(found.after),
    ]);
    return Buffer.isBuffer(after) && before !== 'unread'
      ? {
          path: found.path,
          before: before === 'absent' ? undefined : String(before),
          after: String(after),
        }
      : undefined;
  }

  /** Every file under review, or those among them. */
  async review(paths = [...(this.state?.files.keys() ?? [])]): Promise<readonly ReviewedFile[]> {
    const all = await Promise.all(paths.map((path) => this.reviewFile(path)));
    // what the user took back in an editor may come again there
    return all.filter(({ before, now }) => !sameContent(before, now));
  }

  /** What an undo of the file would write though others changed the same lines. */
  async forcedUndo(path: string): Promise<{ readonly now: Content; readonly after: Content }> {
    const { now, before } = await this.reviewFile(path);
    return { now, after: before };
  }

  /** What a redo of the file would write though others changed it since. */
  async forcedRedo(path: string): Promise<Content> {
    const file = this.state?.undone.find((one) => one.path === path);
    return file ? await this.recorded.load(file.from) : 'unread';
  }

  async hunks(path: string): Promise<readonly FileHunk[]> {
    const links = await this.recorded.loadLinks(path);
    return fileHunks(links, await this.recorded.files.read(path));
  }

  keep(paths = [...(this.state?.files.keys() ?? [])]): Promise<void> {
    return this.change(async () => {
      await this.recorded.add({ type: 'files', files: paths.map((path) => ({ path, links: [] })) });
    });
  }

  undo({ paths, ...request }: UndoRequest = {}): Promise<readonly UndoOutcome[]> {
    return this.change(async () => {
      const { run } = request;
      const found = run === undefined ? this.state?.files : this.state?.runs.get(run);
      const planned: PlannedUndo[] = [];
      for (const path of paths ?? [...(found?.keys() ?? [])]) {
        const links = found?.get(path);
        if (links) {
          planned.push(await this.planUndo(path, links, request));
        }
      }
      const targets = planned.flatMap(({ target }) => target ?? []);
      const settled = planned.flatMap(({ settled: one }) => one ?? []);
      const failures = await this.replaceAndNote(targets, settled);
      return planned.map(({ outcome }) => failedOr(outcome, failures));
    });
  }

  /** Writes back what the last undos, or the last restore, took away; what it leaves can be asked for again. */
  redo({
    paths,
    isForced = false,
  }: Omit<UndoRequest, 'run'> = {}): Promise<readonly UndoOutcome[]> {
    return this.change(async () => {
      const undone = this.state?.undone ?? [];
      const wanted = undone.filter(({ path }) => !paths || paths.includes(path));
      const planned = await Promise.all(wanted.map((file) => this.planRedo(file, isForced)));
      const targets = planned.flatMap(({ target }) => target ?? []);
      const settled = planned.flatMap(({ settled: one }) => one ?? []);
      const replaced = await replaceFiles(this.recorded, 'redo', targets);
      const isOver = new Set([...settled, ...replaced.files].map(({ path }) => path));
      for (const { outcome } of planned.filter((one) => one.outcome.result === 'impossible')) {
        isOver.add(outcome.path);
      }
      const left = undone.filter(({ path }) => !isOver.has(path));
      const writes = replaced.undone;
      await this.recorded.add({
        type: 'redo',
        files: [...settled, ...replaced.files],
        writes,
        undone: left,
      });
      return planned.map(({ outcome }) => failedOr(outcome, replaced.failures));
    });
  }

  /** @returns whether the file still had that part, as it was shown */
  keepHunk(path: string, id: string): Promise<boolean> {
    return this.change(async () => await this.changeHunk(path, id, 'keep'));
  }

  /** See {@link keepHunk}. */
  undoHunk(path: string, id: string): Promise<boolean> {
    return this.change(async () => await this.changeHunk(path, id, 'undo'));
  }

  /** A file, or a folder with all that is in it. */
  moved(from: string, to: string): void {
    const { files, history } = this.state ?? noChanges;
    const known = new Set([...files.keys(), ...Array.from(history.writes, ({ path }) => path)]);
    const moved = [...known].filter((path) => path === from || path.startsWith(from + sep));
    for (const path of moved) {
      const entry = { type: 'moved', from: path, to: to + path.slice(from.length) } as const;
      void this.recorded.add(entry).then(() => this.changeEmitter.fire());
    }
  }

  dispose(): void {
    this.changeEmitter.dispose();
    this.writeEmitter.dispose();
  }

  private async reviewFile(path: string): Promise<ReviewedFile> {
    const links = await this.recorded.loadLinks(path);
    const now = await this.recorded.files.read(path);
    const plan = planUndo(links, now);
    const runs = this.state?.files.get(path)?.flatMap((link) => link.runs) ?? [];
    const before = baselineOf(links, now);
    return { path, before, now, isMixed: plan.kind === 'conflict', runs };
  }

  private async planUndo(
    path: string,
    links: readonly Link[],
    { run, isForced }: UndoRequest,
  ): Promise<PlannedUndo> {
    const now = await this.recorded.files.read(path);
    const plan = planUndo(await this.recorded.loaded(links), now);
    if (plan.kind === 'impossible' || (plan.kind === 'conflict' && !isForced)) {
      return { outcome: { path, result: plan.kind, isGone: now === 'absent' } };
    }
    const chain = this.state?.files.get(path) ?? [];
    const runs = run === undefined ? [] : linkedRuns(chain).filter((one) => one !== run);
    const linksAfter = (written: Content) =>
      this.recorded.linksLeft(chain, { runs, was: now, now: written });
    if (plan.kind === 'nothing') {
      const settled = { path, links: await linksAfter(now) };
      return { outcome: { path, result: 'nothing' }, settled };
    }
    const isMerged = plan.kind === 'write' && plan.isMerged;
    return {
      outcome: { path, result: isMerged ? 'merged' : 'undone' },
      target: { path, now, after: plan.content, linksAfter },
    };
  }

  private async planRedo(
    { path, from, to, links }: UndoneFile,
    isForced: boolean,
  ): Promise<PlannedUndo> {
    const { recorded } = this;
    const now = await recorded.files.read(path);
    const [wanted, undone] = await Promise.all([recorded.load(from), recorded.load(to)]);
    if (wanted === 'unread') {
      return { outcome: { path, result: 'impossible' } };
    }
    if (sameContent(now, wanted)) {
      return { outcome: { path, result: 'nothing' }, settled: { path, links } };
    }
    const merged = sameContent(now, undone) ? wanted : mergedRedo(undone, wanted, now);
    const after = merged ?? (isForced ? wanted : undefined);
    if (after === undefined) {
      return { outcome: { path, result: 'conflict', isGone: now === 'absent' } };
    }
    return {
      outcome: { path, result: after === wanted ? 'undone' : 'merged' },
      target: { path, now, after, linksAfter: async () => links },
    };
  }

  /** @returns why a file was left, by path */
  private async replaceAndNote(
    targets: readonly FileReplacement[],
    settled: readonly FileLinks[] = [],
  ): Promise<ReadonlyMap<string, string>> {
    const { failures, undone, files } = await replaceFiles(this.recorded, 'undo', targets);
    if (targets.length + settled.length > 0) {
      await this.recorded.add({
        type: 'restored',
        undone: withUndone(this.state?.undone ?? [], undone),
        files: [...settled, ...files],
        writes: undone,
      });
    }
    return failures;
  }

  private async changeHunk(path: string, id: string, what: 'keep' | 'undo'): Promise<boolean> {
    const chain = this.state?.files.get(path) ?? [];
    const loaded = await this.recorded.loaded(chain);
    const now = await this.recorded.files.read(path);
    const hunk = fileHunks(loaded, now).find((one) => one.id === id);
    const baseline = baselineOf(loaded, now);
    if (!hunk || !Buffer.isBuffer(now)) {
      return false;
    }
    const others = fileHunks(loaded, now).filter((one) => one !== hunk);
    const runs = linkedRuns(chain);
    const isMixed = others.some((one) => one.isMixed);
    if (what === 'keep') {
      const kept = withoutHunk(baseline, hunk, 'baseline');
      await this.recorded.add({
        type: 'files',
        files: [{ path, links: await this.recorded.linkOf(kept, now, { runs, isMixed }) }],
      });
      return true;
    }
    const after = withoutHunk(now, hunk, 'now');
    const content = baseline === 'absent' ? 'absent' : after;
    const linksAfter = () => this.recorded.linkOf(baseline, content, { runs, isMixed });
    const failures = await this.replaceAndNote([{ path, now, after: content, linksAfter }]);
    const reason = failures.get(path);
    if (reason !== undefined) {
      throw new HumanError('undo_incomplete', reason);
    }
    return true;
  }

  /** A window that closed while a call wrote knows not how that ended: an undo asks. */
  private async endInterrupted(): Promise<void> {
    for (const [call, { path, before, after }] of this.state?.calls ?? []) {
      if (after !== undefined) {
        continue;
      }
      const now = await this.recorded.files.read(path);
      const version = await this.recorded.store(now);
      const isMixed = version === before ? undefined : true;
      await this.recorded.add({ type: 'end', call, after: version, isMixed });
    }
  }

  private change<T>(work: () => Promise<T>): Promise<T> {
    return this.work.queue(async () => {
      try {
        return await work();
      } finally {
        this.changeEmitter.fire();
      }
    });
  }
}

/** For the model, so in English. */
function notKeptFor(path: string): Error {
  return new Error(
    `${path} was left as it is: what it holds cannot be kept, so the change could not be undone. It is too large for that, or there is no room on the disk.`,
  );
}

function failedOr(outcome: UndoOutcome, failures: ReadonlyMap<string, string>): UndoOutcome {
  const { path } = outcome;
  const reason = failures.get(path);
  return reason === undefined ? outcome : { path, result: 'failed', reason };
}
