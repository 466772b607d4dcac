import { delay } from '../../base/async/cancellation.js';
import { errorMessage } from '../../base/errors.js';
import type { MaskText } from '../../config/secrets/secretMask.js';
import type { Clock } from '../../platform/clock.js';
import type { Logger } from '../../platform/ports.js';
import { callErrorCode } from '../catalog/records/toolStatistics.js';
import { type CallFiles, daysOf } from './callFiles.js';
import { callLine, type MadeCall } from './callRecord.js';

/** Bytes after which one process looks whether all is still small enough. */
const bytesBetweenPrunes = 1024 * 1024;

export interface CallLogOptions {
  readonly files: CallFiles;
  /** The setting of the user; 0: nothing is kept. */
  readonly keepDays: () => number;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Writes down every call of a tool when it has ended, whoever made it. */
export class CallLog {
  private readonly ending = new Set<Promise<void>>();
  private queue: Promise<void> = Promise.resolve();
  private writtenBytes = Number.POSITIVE_INFINITY;

  constructor(private readonly options: CallLogOptions) {}

  /** Ends as the work does. @param mask asked when it has ended */
  async run<T extends object>(
    call: MadeCall,
    mask: () => MaskText,
    work: () => Promise<T>,
  ): Promise<T> {
    const { clock } = this.options;
    if (!this.isOn) {
      return await work();
    }
    const [at, startedAt] = [clock.now(), clock.elapsed()];
    const note = (end: { readonly result: T } | { readonly error: unknown }) => {
      const ms = Math.round(clock.elapsed() - startedAt);
      // the answer does not wait for it
      const ended: Promise<void> = delay(0)
        .then(() => this.write(call, at, lineOf(call, end, { at, ms, mask: mask() })))
        .finally(() => this.ending.delete(ended));
      this.ending.add(ended);
    };
    try {
      const result = await work();
      note({ result });
      return result;
    } catch (error) {
      note({ error });
      throw error;
    }
  }

  /** Removes what is too old. Never rejects. */
  async prune(): Promise<void> {
    await this.attempt(async () => {
      const { files, keepDays, clock } = this.options;
      await (this.isOn ? files.prune(keepDays(), clock.now()) : undefined);
    });
  }

  /** All that has ended is written. Never rejects. */
  async flush(): Promise<void> {
    await Promise.all(this.ending);
    await this.queue;
  }

  private get isOn(): boolean {
    return daysOf(this.options.keepDays()) > 0;
  }

  /** One after the other. Never rejects. */
  private write({ folder }: MadeCall, at: number, line: string): Promise<void> {
    this.queue = this.queue.then(() =>
      this.attempt(async () => {
        const text = `${line}\n`;
        if (this.isOn) {
          await this.options.files.append(folder, at, text);
          this.writtenBytes += Buffer.byteLength(text);
        }
        if (this.writtenBytes > bytesBetweenPrunes) {
          this.writtenBytes = 0;
          await this.prune();
        }
      }),
    );
    return this.queue;
  }

  private async attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      const text = `The log of calls cannot be written: ${errorMessage(error)}`;
      this.options.logger.log('warn', text);
    }
  }
}

function lineOf(
  call: MadeCall,
  end: { readonly result: object } | { readonly error: unknown },
  { at, ms, mask }: { readonly at: number; readonly ms: number; readonly mask: MaskText },
): string {
  const time = new Date(at).toISOString();
  if ('error' in end) {
    return callLine(call, { time, ms, outcome: callErrorCode(end.error), size: 0 }, mask);
  }
  const { result } = end;
  const outcome = 'isError' in result && result.isError === true ? 'tool_error' : 'ok';
  return callLine(call, { time, ms, outcome, size: JSON.stringify(result).length }, mask);
}
