/** Takes the shown conversation and its files back to an earlier moment, once the user has seen what that does. */
import * as l10n from '@vscode/l10n';
import { Coalescer } from '../../base/async/coalescer.js';
import { DisposableOwner, DisposableStore } from '../../base/disposable.js';
import { HumanError } from '../../base/errors.js';
import type { RestoreView } from '../../protocol/restoring.js';
import { changesSize } from '../changes/changeLog.js';
import type { RestorePlan } from '../changes/checkpoints/checkpoints.js';
import {
  isRestoredByItself,
  restoredFiles,
  restoreNotes,
} from '../changes/checkpoints/restoreView.js';
import { sizeText } from '../changes/checkpoints/sizeText.js';
import type { Checkpoint } from '../changes/history.js';
import type { Content } from '../changes/version.js';
import { conversationTitle } from '../conversations/title.js';
import type { AgentSession } from '../session/agentSession.js';
import { userMessageView } from '../transcript/userMessage.js';

/** Milliseconds: a run writes several files at once. */
const refreshDelayMs = 50;

type RestoredSession = Pick<AgentSession, 'branches' | 'builtInCalls' | 'file' | 'stop'>;

/** A moment to which the user may go back. */
export interface RestoreChoice {
  readonly id: string;
  readonly kind: Checkpoint['kind'];
  /** One line. */
  readonly title: string;
  /** Milliseconds since the epoch. */
  readonly time: number;
  /** That were written since. */
  readonly files: number;
}

export interface RestoreRequest {
  /** Of the preview that the user saw. */
  readonly stamp: string;
  readonly files: boolean;
  readonly conversation: boolean;
  /** Files that the user chose otherwise than they are by themselves, by path. */
  readonly restored: readonly string[];
  readonly left: readonly string[];
}

interface Preview {
  readonly session: RestoredSession;
  readonly id: string;
  readonly plan: RestorePlan | undefined;
  readonly view: RestoreView;
}

export class Restoring extends DisposableOwner {
  private readonly previewStore = this.store.add(new DisposableStore());
  private preview: Preview | undefined;

  /** @param onDidChange there is another preview, or none */
  constructor(
    private readonly shown: { readonly current: RestoredSession | undefined },
    private readonly onDidChange: () => void,
  ) {
    super();
  }

  /** What the user looks at, if anything. */
  get view(): RestoreView | undefined {
    const { preview } = this;
    return preview?.session === this.shown.current ? preview?.view : undefined;
  }

  /** Newest first. */
  get choices(): readonly RestoreChoice[] {
    const session = this.shown.current;
    const { state } = session?.builtInCalls.changes ?? {};
    if (!session || !state) {
      return [];
    }
    const { checkpoints, writes } = state.history;
    const written = new Set</* path */ string>();
    let known = writes.length;
    return [...checkpoints].reverse().flatMap((checkpoint) => {
      for (const { path } of writes.slice(checkpoint.writes, known)) {
        written.add(path);
      }
      known = checkpoint.writes;
      const { id, kind, time } = checkpoint;
      const title = titleOf(session, id, checkpoint);
      return title === undefined ? [] : [{ id, kind, title, time, files: written.size }];
    });
  }

  /** @param id of a message of the user, or of a checkpoint. @throws {HumanError} when there is none */
  async show(id: string): Promise<void> {
    const session = this.required();
    await this.read(session, id, undefined);
    this.previewStore.clear();
    const refresh = this.previewStore.add(
      new Coalescer(() => this.refresh(session, id), { delayMs: refreshDelayMs }),
    );
    this.previewStore.add(session.builtInCalls.summary.onDidChange(() => refresh.request()));
  }

  leave(): void {
    this.previewStore.clear();
    this.preview = undefined;
    this.onDidChange();
  }

  /** What a file holds and would hold. @throws {HumanError} when the preview says nothing of it */
  plannedFile(path: string): { readonly now: Content; readonly after: Content } {
    const file = this.preview?.plan?.files.find((one) => one.path === path);
    if (!file) {
      throw momentUnknown();
    }
    return file;
  }

  /**
   * Does what was shown, once nothing runs any more.
   * @returns `undefined` when there is another preview to look at: nothing was done but the stop
   * @throws {HumanError} that says what was not done
   */
  async restore(request: RestoreRequest): Promise<{ readonly draft?: string } | undefined> {
    const { preview } = this;
    const session = this.required();
    if (!preview || preview.session !== session) {
      throw momentUnknown();
    }
    const { id } = preview;
    await session.stop();
    const { checkpoints } = session.builtInCalls.changes;
    const plan = request.files ? await checkpoints.plan(id) : undefined;
    if (request.files && plan?.stamp !== request.stamp) {
      await this.refresh(session, id);
      return undefined;
    }
    const draft = request.conversation ? await this.leaveConversation(session, id) : undefined;
    if (plan) {
      const { restored, left } = request;
      const isWanted = (path: string, isByItself: boolean) =>
        restored.includes(path) || (isByItself && !left.includes(path));
      const wanted = plan.files.filter((file) => isWanted(file.path, isRestoredByItself(file)));
      const paths = wanted.map(({ path }) => path);
      await restoreFiles(session, id, { paths, stamp: request.stamp });
    }
    this.leave();
    return draft === undefined ? {} : { draft };
  }

  /** Takes the conversation to where it was before the last restore. The files are another matter. */
  async redoConversation(): Promise<void> {
    const session = this.required();
    const { left } = session.builtInCalls.changes.state ?? {};
    if (left !== undefined) {
      await session.branches.goTo(left);
    }
  }

  /** @returns what the user had written */
  private async leaveConversation(session: RestoredSession, id: string): Promise<string> {
    const { text } = userMessageView(session.branches.contentOf(id));
    const place = await session.branches.goBefore(id);
    await session.builtInCalls.changes.checkpoints.noteLeft(place);
    return text;
  }

  private async refresh(session: RestoredSession, id: string): Promise<void> {
    if (this.preview?.session === session && this.preview.id === id) {
      await this.read(session, id, this.preview);
    }
  }

  private async read(
    session: RestoredSession,
    id: string,
    before: Preview | undefined,
  ): Promise<void> {
    const { changes, folder } = session.builtInCalls;
    const checkpoint = changes.checkpoints.all.get(id);
    const title = titleOf(session, id, checkpoint);
    const plan = await changes.checkpoints.plan(id);
    const kept = session.file === undefined ? 0 : await changesSize(session.file);
    if (title === undefined) {
      throw momentUnknown();
    }
    const stamp = plan?.stamp ?? '';
    if ((before && this.preview !== before) || before?.view.stamp === stamp) {
      return;
    }
    const files = plan?.files ?? [];
    const isMessage = checkpoint === undefined || checkpoint.kind === 'message';
    const nothing = plan
      ? l10n.t('No file differs that Pi has written since.')
      : l10n.t('What files held at this moment is not known.');
    const view: RestoreView = {
      id,
      title,
      parts: [
        ...(files.length > 0 ? (['files'] as const) : []),
        ...(isMessage ? (['conversation'] as const) : []),
      ],
      files: restoredFiles(files, folder),
      notes: [
        ...(files.length === 0 ? [nothing] : []),
        ...(plan ? restoreNotes(files, plan.others) : []),
        ...(kept > 0
          ? [l10n.t('Kept for restores of this conversation: {0}.', sizeText(kept))]
          : []),
      ],
      isChanged: before !== undefined,
      stamp,
    };
    this.preview = { session, id, plan, view };
    this.onDidChange();
  }

  private required(): RestoredSession {
    const session = this.shown.current;
    if (!session) {
      throw momentUnknown();
    }
    return session;
  }
}

async function restoreFiles(
  session: RestoredSession,
  id: string,
  request: { readonly paths: readonly string[]; readonly stamp: string },
): Promise<void> {
  const outcomes = await session.builtInCalls.changes.checkpoints.restore(id, request);
  const failed = outcomes?.filter(({ result }) => result === 'failed') ?? [];
  if (!outcomes || failed.length > 0) {
    const sentences = failed.map(({ path, reason = '' }) =>
      l10n.t('{0} was left as it is: {1}', path.replace(/^.*[\\/]/, ''), reason),
    );
    const changed = l10n.t('The files were changed meanwhile.');
    throw new HumanError('restore_incomplete', sentences.join(' ') || changed, {
      remedy: l10n.t('Correct the cause and restore again. Redo takes back what was done.'),
    });
  }
}

/** `undefined` for a message that is no part of the conversation. */
function titleOf(
  session: RestoredSession,
  id: string,
  checkpoint: Checkpoint | undefined,
): string | undefined {
  const time = new Date(checkpoint?.time ?? 0).toLocaleTimeString();
  switch (checkpoint?.kind) {
    case 'restore':
      return l10n.t('Before {0}: {1}', l10n.t('Restore'), time);
    case 'undo':
      return l10n.t('Before {0}: {1}', l10n.t('Undo'), time);
    case 'redo':
      return l10n.t('Before {0}: {1}', l10n.t('Redo'), time);
  }
  try {
    return conversationTitle(userMessageView(session.branches.contentOf(id)).text);
  } catch {
    return undefined;
  }
}

function momentUnknown(): HumanError {
  return new HumanError('restore_unknown', l10n.t('This is not there any more.'), {
    remedy: l10n.t('Choose another one.'),
  });
}
