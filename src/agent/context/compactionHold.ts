/** Keeps Pi from summarizing again and again when that makes no room, and says what does. */
import * as l10n from '@vscode/l10n';
import type { NoticeAction } from '../../protocol/agentProtocol.js';
import type { PiEvent, PiModel, PiSettings } from '../pi/piModule.js';
import { isTooLong } from '../transcript/modelFailure.js';
import { fittingLimits, type SummaryLimits } from './fittingLimits.js';

/** Summaries that fail in a row for other reasons, after which none is made unasked. */
const maxFailures = 2;

/** Share of the tokens before that a summary should free, and requests in which two that do not are a loop. */
const leastFreed = 0.25;
const fewRequests = 3;

type Summary = NonNullable<Extract<PiEvent, { type: 'compaction_end' }>['result']>;

export interface CompactionHoldParts {
  readonly model: () => PiModel | undefined;
  /** Tokens that every request carries. */
  readonly fixedTokens: () => number;
  /** Shows a sentence in the conversation. */
  readonly say: (text: string, actions?: readonly NoticeAction[]) => void;
}

export class CompactionHold {
  /** Name of the model for which no summary is made unasked. */
  private held: string | undefined;
  private failures = 0;
  /** The summary before freed less than it should have. */
  private wasPoor = false;
  /** Since the latest summary. */
  private requests = 0;
  /** The next answer shows whether the summary has made room. */
  private isFresh = false;
  private readonly plain: PiSettings['getCompactionSettings'];

  /** @param settings that Pi asks before it summarizes unasked */
  constructor(
    settings: PiSettings,
    private readonly parts: CompactionHoldParts,
  ) {
    const unfitted = settings.getCompactionSettings.bind(settings);
    this.plain = (asked) => {
      const plain = unfitted(asked);
      const model = parts.model();
      // Pi asks for the model of the conversation
      const isIt = model && asked?.id === model.id && asked.provider === model.provider;
      const fixed = isIt ? parts.fixedTokens() : 0;
      const own = isIt && ownLimits(settings, model);
      return own ? { ...plain, ...fittingLimits(model.contextWindow, fixed, own) } : plain;
    };
    settings.getCompactionSettings = (model) => {
      const plain = this.plain(model);
      return this.isHeld ? { ...plain, enabled: false } : plain;
    };
  }

  /** Before Pi decides by what the event tells. */
  follow(event: PiEvent): void {
    if (event.type === 'compaction_end') {
      this.followSummary(event);
    } else if (event.type === 'message_end' && event.message.role === 'assistant') {
      const { stopReason, errorMessage = '', usage } = event.message;
      if (stopReason === 'error' && isTooLong(errorMessage)) {
        // Pi tries once for each message of the user
        this.held = undefined;
      } else if (stopReason !== 'error' && stopReason !== 'aborted') {
        this.followAnswer(usage.input + usage.cacheRead + usage.cacheWrite);
      }
    }
  }

  private get isHeld(): boolean {
    return this.held !== undefined && this.held === this.nameOfModel;
  }

  private get nameOfModel(): string {
    const model = this.parts.model();
    return model ? `${model.provider}/${model.id}` : '';
  }

  private followSummary(event: Extract<PiEvent, { type: 'compaction_end' }>): void {
    const { result, aborted, errorMessage = '', reason } = event;
    if (result) {
      this.isFresh = true;
      this.failures = 0;
      this.held = undefined;
      this.followRoom(result);
    } else if (!aborted && reason !== 'manual') {
      this.failures++;
      if (isTooLong(errorMessage) || this.failures >= maxFailures) {
        this.hold();
      }
    }
  }

  /** Two summaries in a few requests that made little room: the next ones would not either. */
  private followRoom({ tokensBefore, estimatedTokensAfter: after }: Summary): void {
    const isPoor = after !== undefined && after > tokensBefore * (1 - leastFreed);
    if (isPoor && this.wasPoor && this.requests <= fewRequests) {
      this.giveUp(['chooseModel', 'fewerTools']);
    }
    this.wasPoor = isPoor;
    this.requests = 0;
  }

  private followAnswer(tokens: number): void {
    this.requests++;
    const model = this.parts.model();
    if (!this.isFresh || !model) {
      return;
    }
    this.isFresh = false;
    const { enabled, reserveTokens } = this.plain(model);
    if (enabled && tokens > model.contextWindow - reserveTokens) {
      this.giveUp(['chooseModel', 'fewerTools', 'newConversation']);
    }
  }

  private giveUp(actions: readonly NoticeAction[]): void {
    this.hold();
    this.parts.say(
      l10n.t('Summaries make no room any more, so no other one is made unasked.'),
      actions,
    );
  }

  private hold(): void {
    this.held = this.nameOfModel;
  }
}

/** What the user has set, for the model or for all. */
function ownLimits(settings: PiSettings, { provider, id }: PiModel): Partial<SummaryLimits> {
  const { compaction } = settings.getGlobalSettings();
  const own = compaction?.modelOverrides?.[`${provider}/${id}`];
  return {
    reserveTokens: own?.reserveTokens ?? compaction?.reserveTokens,
    keepRecentTokens: own?.keepRecentTokens ?? compaction?.keepRecentTokens,
  };
}
