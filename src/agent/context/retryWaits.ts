/**
 * Waits before a request is sent again. Pi itself is told to wait for no time, as its own wait can only be given up
 * together with the run: the request waits here, where it can be sent at once as well.
 */
import { delay, linkSignals } from '../../base/async/cancellation.js';
import { readRetryAfterMs } from '../../mcp/connection/http/retryAfter.js';
import type { PiAnswer, PiEvent, PiStream } from '../pi/piModule.js';
import { type RetryInput, sentAgain } from '../transcript/retry.js';
import { makeAnswer } from './answers.js';

type PiMessageOfAnswer = Awaited<ReturnType<PiAnswer['result']>>;

export interface RetryPolicy {
  /** Milliseconds before the first; doubled each time. */
  readonly baseDelayMs: number;
  readonly maxAgentDelayMs: number;
}

/** Longest wait that a provider may ask for. */
const maxAskedMs = 60 * 60_000;

/** APIs of Pi that take a `fetch`; others refuse a request with one, or do not look at it. */
const heard: ReadonlySet<string> = new Set([
  'anthropic-messages',
  'azure-openai-responses',
  'mistral-conversations',
  'openai-codex-responses',
  'openai-completions',
  'openai-responses',
]);

interface Wait {
  readonly ms: number;
  readonly skip: AbortController;
}

export class RetryWaits {
  private policy: RetryPolicy = { baseDelayMs: 2_000, maxAgentDelayMs: 60_000 };
  /** Before the next request. */
  private next: Wait | undefined;
  /** What the latest answer asked for, in milliseconds. */
  private askedMs: number | undefined;
  private isShown = false;
  /** Gives the request under way up, to be sent again. */
  private again: (() => void) | undefined;
  private hasFailed = false;

  /** @param provider name of the one that is asked now, for the user */
  constructor(
    private readonly provider: () => string,
    private readonly show: (input: RetryInput) => void,
  ) {}

  /** Sends a request that waits at once. */
  sendNow(): void {
    this.next?.skip.abort();
  }

  /** Gives the request under way up: nothing comes of it. Pi sends it again as it does after a lost connection. */
  sendAgain(): void {
    this.again?.();
  }

  follow(event: PiEvent): void {
    switch (event.type) {
      case 'auto_retry_start':
      case 'summarization_retry_scheduled':
        this.schedule(event);
        break;
      case 'message_update':
        this.end(true);
        break;
      case 'auto_retry_end':
        this.end(event.success);
        break;
      case 'summarization_retry_finished':
        this.end(!this.hasFailed);
        break;
      default:
    }
  }

  /** @param policy how long to wait where the provider does not say */
  before(stream: PiStream, policy: RetryPolicy): PiStream {
    this.policy = policy;
    return async (model, context, options) => {
      await this.wait(options?.signal);
      this.askedMs = undefined;
      const given = new AbortController();
      const ended = linkSignals(options?.signal, given.signal);
      this.again = () => given.abort();
      const answer = await stream(model, context, {
        ...options,
        signal: ended.signal,
        ...(heard.has(model.api) && { fetch: this.listenTo(options?.fetch) }),
      });
      const whole = failedBy(
        answer,
        () => given.signal.aborted && options?.signal?.aborted !== true,
      );
      void whole
        .result()
        .then(
          ({ stopReason }) => {
            this.hasFailed = stopReason === 'error';
          },
          () => undefined,
        )
        .finally(() => ended.dispose());
      return whole;
    };
  }

  /** Hears how long a provider asks to wait, which Pi keeps to itself. */
  private listenTo(given: typeof fetch | undefined): typeof fetch {
    return async (...request) => {
      const response = await (given ?? globalThis.fetch)(...request);
      this.askedMs = readRetryAfterMs(response, undefined, maxAskedMs);
      return response;
    };
  }

  private schedule({
    attempt,
    maxAttempts: of,
    errorMessage: message,
  }: Extract<PiEvent, { type: 'auto_retry_start' | 'summarization_retry_scheduled' }>): void {
    const { baseDelayMs, maxAgentDelayMs } = this.policy;
    const ownMs = Math.min(baseDelayMs * 2 ** (attempt - 1), maxAgentDelayMs);
    const ms = message === sentAgain ? 0 : Math.max(ownMs, this.askedMs ?? askedIn(message) ?? 0);
    this.next = { ms, skip: new AbortController() };
    this.isShown = true;
    const until = Date.now() + ms;
    const provider = this.provider();
    this.show({ type: 'retry_wait', provider, message, attempt, of, until });
  }

  private async wait(signal: AbortSignal | undefined): Promise<void> {
    const { next } = this;
    if (next) {
      const { ms, skip } = next;
      const ended = linkSignals(signal, skip.signal);
      try {
        await delay(ms, ended.signal);
      } catch {
        // it is sent now, or not at all
      } finally {
        ended.dispose();
      }
      this.next = undefined;
      if (!signal?.aborted) {
        this.show({ type: 'retry_sent' });
      }
    }
  }

  private end(isAnswered: boolean): void {
    if (this.isShown) {
      this.isShown = false;
      this.next = undefined;
      this.show({ type: 'retry_over', isAnswered });
    }
  }
}

/** The answer, which ends as after a lost connection where the user gave it up: Pi sends the request again then. */
function failedBy(answer: PiAnswer, isGivenUp: () => boolean): PiAnswer {
  const failed = (message: PiMessageOfAnswer): PiMessageOfAnswer => ({
    ...message,
    stopReason: 'error',
    errorMessage: sentAgain,
  });
  return makeAnswer(
    async function* () {
      for await (const event of answer) {
        yield event.type === 'error' && isGivenUp()
          ? { ...event, reason: 'error', error: failed(event.error) }
          : event;
      }
    },
    async () => {
      const message = await answer.result();
      return isGivenUp() ? failed(message) : message;
    },
  );
}

/** Milliseconds that a message asks to wait, as Google and OpenAI write it. */
function askedIn(message: string): number | undefined {
  const [, count, unit] =
    /\b(?:retry|try again)(?: after| in) (\d{1,6}(?:\.\d{1,9})?) ?(ms|s)\b/i.exec(message) ?? [];
  const ms = Number(count) * (unit === 'ms' ? 1 : 1_000);
  return count === undefined || ms > maxAskedMs ? undefined : ms;
}
