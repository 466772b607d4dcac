/** The changes of one conversation under review: recorded as they are made, kept or undone by the user. */
import { Sequencer } from '../../base/async/sequencer.js';
import type { Disposable } from '../../base/disposable.js';
import { errorMessage } from '../../base/errors.js';
import { Emitter } from '../../base/event.js';
import { ChangeLog, changesFolder } from './changeLog.js';
import type { ChangeEntry, ChangeState, Link, OtherCall, UndoneFile } from './changeState.js';
import { type FileHunk, fileHunks, withoutHunk } from './hunks.js';
import { mergeTexts } from './merge.js';
import type { EditedFiles, WriteJournal } from './ports.js';
import { baselineOf, type LoadedLink, planUndo } from './undo.js';
import { type Content, sameContent, textOfBytes, unread, type Version } from './version.js';

export interface SessionChangesOptions {
  readonly files: EditedFiles;
  readonly onError: (error: unknown) => void;
}

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

export class SessionChanges implements Disposable {
  private readonly changeEmitter = new Emitter<void>();
  private readonly work = new Sequencer();
  private log: ChangeLog | undefined;
  private run = 0;

  /** What is under review may be another. */
  readonly onDidChange = this.changeEmitter.event;

  constructor(private readonly options: SessionChangesOptions) {}

  /** Takes up what an earlier window recorded. @param conversationFile default: nothing is kept */
  async open(conversationFile: string | undefined): Promise<void> {
    if (conversationFile === undefined) {
      return;
    }
    this.log = await ChangeLog.open(changesFolder(conversationFile));
    this.run = Math.max(0, ...this.log.state.runs.keys());
    await this.endInterrupted(this.log);
    this.changeEmitter.fire();
  }

  get state(): ChangeState | undefined {
    return this.log?.state;
  }

  get lastRun(): number {
    return Math.max(0, ...(this.state?.runs.keys() ?? []));
  }

  startRun(): void {
    this.run++;
  }

  /** A call ran whose changes are not recorded. */
  noteOther(by: OtherCall): void {
    void this.add({ type: 'other', by });
  }

  /** Of one call, which writes one file once. */
  journalOf(call: string): WriteJournal {
    return {
      begin: async (path, before) => {
        const version = await this.store(before);
        await this.add({ type: 'begin', call, run: this.run, path, before: version });
      },
      end: async (after) => {
        await this.add({ type: 'end', call, after: await this.store(after) });
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
    const [before, after] = await Promise.all([this.load(found.before), this.load(found.after)]);
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
    return await Promise.all(paths.map((path) => this.reviewFile(path)));
  }

  /** What an undo of the file would write though others changed the same lines. */
  async forcedUndo(path: string): Promise<{ readonly now: Content; readonly after: Content }> {
    const { now, before } = await this.reviewFile(path);
    return { now, after: before };
  }

  async hunks(path: string): Promise<readonly FileHunk[]> {
    const links = await this.loadLinks(path);
    return fileHunks(links, await this.options.files.read(path));
  }

  keep(paths = [...(this.state?.files.keys() ?? [])]): Promise<void> {
    return this.change(async () => {
      await this.add({ type: 'files', files: paths.map((path) => ({ path, links: [] })) });
    });
  }

  undo({ paths, run, isForced }: UndoRequest = {}): Promise<readonly UndoOutcome[]> {
    return this.change(async () => {
      const found = run === undefined ? this.state?.files : this.state?.runs.get(run);
      const wanted = paths ?? [...(found?.keys() ?? [])];
      const outcomes: UndoOutcome[] = [];
      const undone: UndoneFile[] = [];
      for (const path of wanted) {
        const links = found?.get(path);
        if (links) {
          outcomes.push(await this.undoFile(path, links, { run, isForced }, undone));
        }
      }
      return outcomes;
    });
  }

  /** Writes back what the last undo took away. */
  redo(): Promise<readonly UndoOutcome[]> {
    return this.change(async () => {
      const outcomes: UndoOutcome[] = [];
      for (const file of this.state?.undone ?? []) {
        outcomes.push(await this.redoFile(file));
      }
      await this.add({ type: 'redo' });
      return outcomes;
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

  moved(from: string, to: string): void {
    if (this.state?.files.has(from)) {
      void this.add({ type: 'moved', from, to }).then(() => this.changeEmitter.fire());
    }
  }

  dispose(): void {
    this.changeEmitter.dispose();
  }

  private async reviewFile(path: string): Promise<ReviewedFile> {
    const links = await this.loadLinks(path);
    const now = await this.options.files.read(path);
    const plan = planUndo(links, now);
    const runs = this.state?.files.get(path)?.flatMap((link) => link.runs) ?? [];
    const before = baselineOf(links, now);
    return { path, before, now, isMixed: plan.kind === 'conflict', runs };
  }

  private async undoFile(
    path: string,
    links: readonly Link[],
    { run, isForced }: UndoRequest,
    undone: UndoneFile[],
  ): Promise<UndoOutcome> {
    const { files } = this.options;
    try {
      const now = await files.read(path);
      const loaded = await this.loaded(links);
      const plan = planUndo(loaded, now);
      const chain = this.state?.files.get(path) ?? [];
      if (plan.kind === 'impossible' || (plan.kind === 'conflict' && !isForced)) {
        return { path, result: plan.kind, isGone: now === 'absent' };
      }
      if (plan.kind !== 'nothing') {
        // what it holds now is safe before it is written
        const from = await this.store(now);
        const to = await this.store(plan.content);
        if (from === unread && !isForced) {
          return { path, result: 'conflict' };
        }
        await files.write(path, plan.content, now);
        undone.push({ path, from, to, links: chain });
      }
      const rest = await this.rest(path, chain, run, now);
      await this.add({ type: 'undo', undone, files: [{ path, links: rest }] });
      const isMerged = plan.kind === 'write' && plan.isMerged;
      return { path, result: plan.kind === 'nothing' ? 'nothing' : isMerged ? 'merged' : 'undone' };
    } catch (error) {
      return { path, result: 'failed', reason: errorMessage(error) };
    }
  }

  /** What stays under review of a file of which one run was undone. @param was what it held before */
  private async rest(
    path: string,
    chain: readonly Link[],
    run: number | undefined,
    was: Content,
  ): Promise<readonly Link[]> {
    const runs = [...new Set(chain.flatMap((link) => link.runs))].filter((one) => one !== run);
    if (run === undefined || runs.length === 0) {
      return [];
    }
    const loaded = await this.loaded(chain);
    const isMixed = planUndo(loaded, was).kind === 'conflict';
    return await this.linkOf(baselineOf(loaded, was), await this.options.files.read(path), {
      runs,
      isMixed,
    });
  }

  private async linkOf(
    before: Content,
    after: Content,
    { runs, isMixed }: { readonly runs: readonly number[]; readonly isMixed: boolean },
  ): Promise<readonly Link[]> {
    return sameContent(before, after)
      ? []
      : [
          {
            before: await this.store(before),
            after: await this.store(after),
            runs,
            ...(isMixed && { isMixed }),
          },
        ];
  }

  private async redoFile({ path, from, to }: UndoneFile): Promise<UndoOutcome> {
    const { files } = this.options;
    try {
      const now = await files.read(path);
      const [wanted, undone] = await Promise.all([this.load(from), this.load(to)]);
      if (wanted === 'unread' || undone === 'unread') {
        return { path, result: 'impossible' };
      }
      if (sameContent(now, undone)) {
        await files.write(path, wanted, now);
        return { path, result: 'undone' };
      }
      const [base, ours, theirs] = [undone, wanted, now].map(textOfBytes);
      if (base === undefined || ours === undefined || theirs === undefined) {
        return { path, result: 'conflict' };
      }
      const { text, conflicts } = mergeTexts(base, ours, theirs, 'theirs');
      if (conflicts > 0) {
        return { path, result: 'conflict' };
      }
      await files.write(path, Buffer.from(text), now);
      return { path, result: 'merged' };
    } catch (error) {
      return { path, result: 'failed', reason: errorMessage(error) };
    }
  }

  private async changeHunk(path: string, id: string, what: 'keep' | 'undo'): Promise<boolean> {
    const { files } = this.options;
    const chain = this.state?.files.get(path) ?? [];
    const loaded = await this.loaded(chain);
    const now = await files.read(path);
    const hunk = fileHunks(loaded, now).find((one) => one.id === id);
    const baseline = baselineOf(loaded, now);
    if (!hunk || !Buffer.isBuffer(now)) {
      return false;
    }
    const others = fileHunks(loaded, now).filter((one) => one !== hunk);
    const runs = [...new Set(chain.flatMap((link) => link.runs))];
    const isMixed = others.some((one) => one.isMixed);
    if (what === 'keep') {
      const kept = withoutHunk(baseline, hunk, 'baseline');
      await this.add({
        type: 'files',
        files: [{ path, links: await this.linkOf(kept, now, { runs, isMixed }) }],
      });
      return true;
    }
    const after = withoutHunk(now, hunk, 'now');
    const content = baseline === 'absent' ? 'absent' : after;
    const [from, to] = [await this.store(now), await this.store(content)];
    await files.write(path, content, now);
    await this.add({
      type: 'undo',
      undone: [{ path, from, to, links: chain }],
      files: [{ path, links: await this.linkOf(baseline, content, { runs, isMixed }) }],
    });
    return true;
  }

  /** A window that closed while a call wrote knows not how that ended: an undo asks. */
  private async endInterrupted(log: ChangeLog): Promise<void> {
    for (const [call, { path, before, after }] of log.state.calls) {
      if (after !== undefined) {
        continue;
      }
      const now = await this.options.files.read(path);
      const version = await this.store(now);
      const isMixed = version === before ? undefined : true;
      await this.add({ type: 'end', call, after: version, ...(isMixed && { isMixed }) });
    }
  }

  private async loadLinks(path: string): Promise<readonly LoadedLink[]> {
    return await this.loaded(this.state?.files.get(path) ?? []);
  }

  private async loaded(links: readonly Link[]): Promise<readonly LoadedLink[]> {
    return await Promise.all(
      links.map(async ({ before, after, isMixed }) => ({
        before: await this.load(before),
        after: await this.load(after),
        ...(isMixed && { isMixed }),
      })),
    );
  }

  private async load(version: Version): Promise<Content> {
    return (await this.log?.blobs.load(version)) ?? 'unread';
  }

  /** `unread` where it cannot be stored: the agent goes on, and the user is told that there is no undo. */
  private async store(content: Content): Promise<Version> {
    try {
      return (await this.log?.blobs.store(content)) ?? unread;
    } catch (error) {
      this.options.onError(error);
      return unread;
    }
  }

  private async add(entry: ChangeEntry): Promise<void> {
    try {
      await this.log?.add(entry);
    } catch (error) {
      this.options.onError(error);
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
