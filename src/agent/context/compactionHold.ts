/** Keeps Pi from summarizing again and again when that makes no room, and says what does. */
import * as l10n from '@vscode/l10n';
import type { PiEvent, PiModel, PiSettings } from '../pi/piModule.js';
import { isTooLong } from '../transcript/modelFailure.js';

/** Summaries that fail in a row for other reasons, after which none is made unasked. */
const maxFailures = 2;

export interface CompactionHoldParts {
  readonly model: () => PiModel | undefined;
  /** Shows a sentence in the conversation. */
  readonly say: (text: string) => void;
}

export class CompactionHold {
  /** Name of the model for which no summary is made unasked. */
  private held: string | undefined;
  private failures = 0;
  /** The next answer shows whether the summary has made room. */
  private isFresh = false;
  private readonly plain: PiSettings['getCompactionSettings'];

  /** @param settings that Pi asks before it summarizes unasked */
  constructor(
    settings: PiSettings,
    private readonly parts: CompactionHoldParts,
  ) {
    this.plain = settings.getCompactionSettings.bind(settings);
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
    } else if (!aborted && reason !== 'manual') {
      this.failures++;
      if (isTooLong(errorMessage) || this.failures >= maxFailures) {
        this.hold();
      }
    }
  }

  private followAnswer(tokens: number): void {
    const model = this.parts.model();
    if (!this.isFresh || !model) {
      return;
    }
    this.isFresh = false;
    const { enabled, reserveTokens } = this.plain(model);
    if (enabled && tokens > model.contextWindow - reserveTokens) {
      this.hold();
      this.parts.say(
        l10n.t(
          'The context is still nearly full after the summary, so no other one is made unasked. Choose a model with a larger context, switch off tools that you do not need, or start a new conversation with a summary of this one.',
        ),
      );
    }
  }

  private hold(): void {
    this.held = this.nameOfModel;
  }
}
