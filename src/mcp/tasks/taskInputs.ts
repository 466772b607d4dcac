import { errorMessage } from '../../base/errors.js';
import type { JsonObject } from '../../base/json.js';
import type { McpServerId } from '../../config/definition.js';
import type { Clock } from '../../platform/clock.js';
import type { McpSession, RequestOptions, TaskRequest } from '../connection/session/engine.js';
import type { RequestOrigin } from '../originTypes.js';

/** What a task is followed with. */
export interface TaskLink {
  readonly serverId: McpServerId;
  readonly clock: Clock;
  /**
   * One request over the server's connection, which is opened again if need be.
   * @throws {HumanError} or the signal's reason.
   */
  readonly request: <T>(
    send: (session: McpSession, options: RequestOptions) => Promise<T>,
    signal: AbortSignal,
  ) => Promise<T>;
  readonly log: (message: string) => void;
}

/** Answers what a task of the newer generation asks: every question once, the answers until the server has them. */
export class TaskInputs {
  private readonly asked = new Set</* key */ string>();
  private readonly responses = new Map</* key */ string, JsonObject>();
  private isSending = false;

  constructor(
    private readonly link: Pick<TaskLink, 'request' | 'log'>,
    private readonly taskId: string,
    private readonly signal: AbortSignal,
    private readonly origin: RequestOrigin | undefined,
  ) {}

  /**
   * Returns at once; the questions are asked in the background.
   * @param onRefused a question was refused that cannot be declined.
   */
  answer(inputs: readonly TaskRequest[], onRefused: (reason: Error) => void): void {
    for (const input of inputs) {
      if (!this.asked.has(input.key)) {
        this.asked.add(input.key);
        void this.ask(input, onRefused);
      }
    }
    const isOutstanding = inputs.some(({ key }) => this.responses.has(key));
    if (isOutstanding) {
      void this.send();
    }
  }

  private async ask(input: TaskRequest, onRefused: (reason: Error) => void): Promise<void> {
    try {
      const session = await this.link.request(async (current) => current, this.signal);
      // not within the request: a session that is lost meanwhile must not ask the user again
      const response = await session.respond(input, this.signal, this.origin);
      this.responses.set(input.key, response);
    } catch (error) {
      if (this.signal.aborted) {
        return;
      }
      this.link.log(`A question of task ${this.taskId} was refused: ${errorMessage(error)}`);
      if (input.method !== 'elicitation/create') {
        onRefused(error instanceof Error ? error : new Error(errorMessage(error)));
        return;
      }
      this.responses.set(input.key, { action: 'cancel' });
    }
    await this.send();
  }

  /** What does not arrive is sent again when the server still waits for it. Never rejects. */
  private async send(): Promise<void> {
    if (this.isSending || this.responses.size === 0) {
      return;
    }
    this.isSending = true;
    const sent = [...this.responses];
    try {
      await this.link.request(
        (session, options) => session.tasks.update(this.taskId, Object.fromEntries(sent), options),
        this.signal,
      );
      for (const [key] of sent) {
        this.responses.delete(key);
      }
    } catch (error) {
      this.link.log(`Answers to task ${this.taskId} did not arrive: ${errorMessage(error)}`);
    } finally {
      this.isSending = false;
    }
  }
}
