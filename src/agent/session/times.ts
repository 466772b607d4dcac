/** How long calls and thoughts take. What waits for the user is not counted. */
import { isJsonObject } from '../../base/json.js';
import type { TokenCounter } from '../../mcp/catalog/tokens/tokenEstimate.js';
import { countResult } from '../context/resultCap.js';
import type { PiEvent, PiToolResult } from '../pi/piModule.js';

type Elapsed = () => number;

/** What each call took, kept with its result. */
export class CallTimes {
  private readonly starts = new Map</* tool call id */ string, number>();

  /** @param elapsed milliseconds that never run backwards. Default: of this process */
  constructor(
    private readonly countTokens: TokenCounter,
    private readonly elapsed: Elapsed = () => performance.now(),
  ) {}

  start(toolCallId: string): void {
    this.starts.set(toolCallId, this.elapsed());
  }

  /** The details of the result with what the call took; `undefined`: they stay as they are. */
  end(toolCallId: string, content: PiToolResult['content'], details: unknown): object | undefined {
    const start = this.starts.get(toolCallId);
    this.starts.delete(toolCallId);
    if (start === undefined || !(details === undefined || isJsonObject(details))) {
      return undefined;
    }
    const text = content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
    const ms = Math.round(this.elapsed() - start);
    return {
      ...details,
      spent: { ms, tokens: countResult(text, this.countTokens) },
    };
  }
}

/** How long the model thought before its latest message. */
export class ThoughtTimes {
  private total = 0;
  private start: number | undefined;

  constructor(private readonly elapsed: Elapsed = () => performance.now()) {}

  follow(event: PiEvent): void {
    if (event.type === 'message_start') {
      this.total = 0;
      this.start = undefined;
    } else if (event.type === 'message_end') {
      this.pause();
    } else if (event.type === 'message_update') {
      const { type } = event.assistantMessageEvent;
      if (type === 'thinking_start') {
        this.start ??= this.elapsed();
      } else if (type === 'thinking_end') {
        this.pause();
      }
    }
  }

  /** In milliseconds; `undefined` when there was none. */
  take(): number | undefined {
    const { total } = this;
    this.total = 0;
    return total > 0 ? Math.round(total) : undefined;
  }

  private pause(): void {
    if (this.start !== undefined) {
      this.total += this.elapsed() - this.start;
      this.start = undefined;
    }
  }
}
