/** What the user sees and does of the context of the shown conversation. */
import * as l10n from '@vscode/l10n';
import { HumanError } from '../../base/errors.js';
import type { CompactionLimits, ContextUsageView, ContextView } from '../../protocol/context.js';
import { maxKeptShare } from '../context/fittingLimits.js';
import type { SessionHost } from '../live/sessionHost.js';
import { writePiSettings } from '../pi/settingsWriter.js';
import { runUnderWay } from '../session/piMessages.js';
import type { ShownSessions } from './shownSessions.js';

/** Tokens that a summary needs. */
const leastRoom = 1_000;

export class PanelContext {
  constructor(
    private readonly shown: Pick<ShownSessions, 'current'>,
    private readonly host: Pick<SessionHost, 'agentDir' | 'sessions'>,
  ) {}

  /** Goes through the whole conversation. */
  async read(): Promise<ContextView | undefined> {
    const session = this.shown.current;
    // Pi's own terminal may have changed them
    await session?.controls.rereadSettings();
    return session?.context.read();
  }

  /** Whether conversations are summarized by themselves, with all models. @throws {HumanError} when it cannot be kept */
  async setAutomatic(isOn: boolean): Promise<void> {
    await this.change([[['compaction', 'enabled'], isOn]]);
  }

  /**
   * When conversations with the model of the shown one are summarized by themselves.
   * @param limits tokens; default: those of Pi
   * @throws {HumanError} when they are no such limits, or cannot be kept
   */
  async setLimits(limits?: Pick<CompactionLimits, 'above' | 'keeps'>): Promise<void> {
    const model = this.shown.current?.model;
    if (!model) {
      return;
    }
    const { contextWindow } = model;
    const path = ['compaction', 'modelOverrides', `${model.provider}/${model.id}`];
    if (!limits) {
      await this.change([[path, undefined]]);
      return;
    }
    const { above, keeps } = limits;
    if (above > contextWindow - leastRoom || keeps > maxKeptShare * above) {
      throw new HumanError(
        'limits_refused',
        l10n.t(
          'Leave at least {0} tokens for the summary, and keep at most {1} as they are.',
          leastRoom.toLocaleString(),
          Math.floor(maxKeptShare * above).toLocaleString(),
        ),
      );
    }
    await this.change([
      [[...path, 'reserveTokens'], contextWindow - above],
      [[...path, 'keepRecentTokens'], keeps],
    ]);
  }

  /** Does not wait: the transcript says how it goes. @throws {HumanError} while something runs, which Pi would end */
  compact(focus: string | undefined): void {
    const session = this.shown.current;
    if (session?.isRunning) {
      throw runUnderWay();
    }
    session?.controls.compact(focus);
  }

  /** Lets the model have results again that were left out. @throws {HumanError} while something runs */
  giveBackResults(ids: readonly string[]): void {
    const session = this.shown.current;
    if (session?.isRunning) {
      throw runUnderWay();
    }
    session?.pruning.giveBack(ids);
    session?.tell(l10n.t('The model gets those results again.'));
    session?.context.update();
  }

  /** @param id of the summary in the file. @throws {HumanError} while something runs, or when there is no such summary */
  async undoCompaction(id: string): Promise<void> {
    const session = this.shown.current;
    await session?.branches.undoSummary(id);
    const usage = session?.context.usage;
    const text = usage && restoredText(usage);
    if (text !== undefined) {
      session?.tell(text);
    }
  }

  private async change(changes: Parameters<typeof writePiSettings>[1]): Promise<void> {
    await writePiSettings(this.host.agentDir, changes);
    for (const { session } of this.host.sessions?.all ?? []) {
      await session.controls.rereadSettings();
      session.context.update();
    }
  }
}

/** What is true of a conversation that was summarized and is whole again. */
function restoredText({ tokens, contextWindow, compactsAt }: ContextUsageView): string {
  const restored = l10n.t(
    'The summary was taken back: the model gets all {0} tokens again.',
    tokens.toLocaleString(),
  );
  if (tokens > contextWindow) {
    return `${restored} ${l10n.t('The conversation is too long for the model.')}`;
  }
  return compactsAt !== undefined && tokens > compactsAt
    ? `${restored} ${l10n.t(
        'The conversation is summarized by itself above {0} of {1} tokens.',
        compactsAt.toLocaleString(),
        contextWindow.toLocaleString(),
      )}`
    : restored;
}
