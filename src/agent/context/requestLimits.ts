/** Ends a run before the request that goes beyond what the user lets a conversation cost, or a run send. */
import * as l10n from '@vscode/l10n';
import type { PiAnswer, PiEvent, PiStream } from '../pi/piModule.js';
import type { SpendingPolicy } from '../policy/toolPolicy.js';
import { limitReached } from '../transcript/modelFailure.js';
import { emptyAnswer, makeAnswer } from './answers.js';

export interface RequestLimitsParts {
  /** Default: there is no limit. */
  readonly policy: SpendingPolicy | undefined;
  /** Dollars that the conversation has cost. */
  readonly cost: () => number;
  /** Shows a sentence in the conversation. */
  readonly say: (text: string) => void;
}

export class RequestLimits {
  /** Of the run, since the user last let it go on. */
  private requests = 0;
  /** Dollars up to which the user lets it go on; absent: the setting says. */
  private agreed: number | undefined;
  /** A run ended at what the conversation may cost, and the user has not let it go on. */
  private isStopped = false;

  constructor(private readonly parts: RequestLimitsParts) {}

  follow(event: PiEvent): void {
    if (event.type === 'agent_settled') {
      this.requests = 0;
    }
  }

  /** Why nothing may be sent beside the runs, as a sentence. */
  get refusal(): string | undefined {
    const { spent, dollars, most } = this.money;
    return dollars > 0 && (this.isStopped || spent >= most)
      ? l10n.t(
          'This conversation has cost {0}, which is its limit. Your next message to Pi asks whether it goes on.',
          `$${spent.toFixed(2)}`,
        )
      : undefined;
  }

  /** What the user writes next, or Continue, lets it go on to the next limit. */
  before(stream: PiStream): PiStream {
    return async (model, context, options) => {
      const reached = this.reached();
      if (reached !== undefined) {
        this.parts.say(reached);
        return endedAnswer(model);
      }
      this.requests++;
      this.isStopped = false;
      return await stream(model, context, options);
    };
  }

  private get money() {
    const dollars = this.parts.policy?.dollars.value ?? 0;
    return { spent: this.parts.cost(), dollars, most: this.agreed ?? dollars };
  }

  private reached(): string | undefined {
    const { policy } = this.parts;
    const { spent, dollars, most } = this.money;
    if (dollars > 0 && spent >= most) {
      this.agreed = Math.max(most, spent) + dollars;
      this.isStopped = true;
      const sum = [spent, this.agreed].map((value) => `$${value.toFixed(2)}`);
      return l10n.t('This conversation has cost {0}. It goes on to {1} if you let it.', ...sum);
    }
    const requests = policy?.requests.value ?? 0;
    if (requests > 0 && this.requests >= requests) {
      this.requests = 0;
      return l10n.t(
        'This run has sent {0} requests. It goes on for as many if you let it.',
        requests,
      );
    }
    return undefined;
  }
}

/** In the place of one that was not asked for. */
function endedAnswer(model: Parameters<PiStream>[0]): PiAnswer {
  const stopReason = 'error';
  const error = { ...emptyAnswer(model), stopReason, errorMessage: limitReached } as const;
  return makeAnswer(
    async function* () {
      yield { type: 'error', reason: stopReason, error };
    },
    async () => error,
  );
}
