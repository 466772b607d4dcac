/** Starts, steers and ends the runs of one Pi session, with the queue of what has to wait for them. */
import type { Disposable } from '../../base/disposable.js';
import { errorMessage } from '../../base/errors.js';
import { countRequests } from '../context/spending.js';
import type { PiEvent, PiSession } from '../pi/piModule.js';
import { MessageQueue, type QueueTarget } from '../queue/messageQueue.js';
import type { ComposedPrompt } from '../queue/queue.js';
import { QueueFile, queuePath } from '../queue/queueFile.js';
import { contentText } from '../transcript/content.js';
import type { TranscriptInput } from '../transcript/transcript.js';
import { promptRefused, runUnderWay } from './piMessages.js';

export interface SessionRunsOptions {
  readonly session: PiSession;
  readonly show: (input: TranscriptInput) => void;
  /** Ends what calls wait for. */
  readonly endCalls: () => void;
  readonly onDidStart: () => void;
  readonly log: (error: unknown) => void;
}

export class SessionRuns implements QueueTarget, Disposable {
  readonly queue: MessageQueue;
  private readonly file: QueueFile | undefined;
  private isFailed = false;
  /** Nothing may begin. */
  private isHeld = false;
  private isDisposed = false;

  constructor(private readonly options: SessionRunsOptions) {
    const { session, show, log } = options;
    this.file = session.sessionFile ? new QueueFile(queuePath(session.sessionFile)) : undefined;
    this.queue = new MessageQueue({
      target: this,
      file: this.file,
      onFailure: (error) => show({ type: 'failure', text: errorMessage(error) }),
      log,
    });
  }

  /** Takes up what an earlier window left. */
  async restore(): Promise<void> {
    if (this.file) {
      await this.queue.restore(await this.file.read(this.sentCount));
    }
  }

  /** Resolves when nothing runs, and the disk says that what waits is paused. */
  async stop(): Promise<void> {
    await this.queue.stop();
    await this.file?.flush();
  }

  /** Nothing begins before `work` has ended: what is sent meanwhile waits. @throws {HumanError} while something runs */
  async whileIdle(work: () => Promise<void>): Promise<void> {
    if (this.isBusy || this.queue.isSending) {
      throw runUnderWay();
    }
    this.isHeld = true;
    try {
      await work();
    } finally {
      this.isHeld = false;
      this.onMaybeIdle(false);
    }
  }

  follow(event: PiEvent): void {
    if (event.type === 'message_end') {
      const { message } = event;
      if (message.role === 'user') {
        const text = contentText(message.content);
        // Pi stores it as soon as everyone was told
        queueMicrotask(() => this.queue.onTaken(text));
      } else if (message.role === 'assistant') {
        this.isFailed = message.stopReason === 'error';
      }
    } else if (event.type === 'agent_settled' || event.type === 'compaction_end') {
      const isFailed = this.isFailed && event.type === 'agent_settled';
      // Pi takes a message only when everyone was told
      queueMicrotask(() => this.onMaybeIdle(isFailed));
    }
  }

  dispose(): void {
    this.isDisposed = true;
    this.queue.dispose();
  }

  get isBusy(): boolean {
    return this.isHeld || !this.options.session.isIdle;
  }

  get sentCount(): number {
    return countRequests(this.options.session.sessionManager.getBranch());
  }

  private onMaybeIdle(isFailed: boolean): void {
    if (!this.isDisposed && this.options.session.isIdle) {
      this.queue.onIdle(isFailed);
    }
  }

  async start({ text, images }: ComposedPrompt): Promise<void> {
    const { session, show, onDidStart } = this.options;
    show({ type: 'sending' });
    await new Promise<void>((resolve, reject) => {
      let isAccepted = false;
      const run = session.prompt(text, {
        images: images.length > 0 ? [...images] : undefined,
        streamingBehavior: 'steer',
        preflightResult: (accepted) => {
          isAccepted = accepted;
          if (accepted) {
            resolve();
            onDidStart();
          }
        },
      });
      // an extension of Pi may have taken it
      const end = () => show({ type: 'not_sent' });
      void run.then(end, end);
      run.then(resolve, (error: unknown) => {
        if (isAccepted) {
          show({ type: 'failure', text: errorMessage(error) });
        } else {
          reject(promptRefused(error));
        }
      });
    });
  }

  async steer(message: ComposedPrompt): Promise<void> {
    await this.start(message);
    if (this.options.session.getSteeringMessages().length === 0) {
      // an extension of Pi took it
      this.queue.onTaken();
    }
  }

  async end(): Promise<void> {
    const { session, show, endCalls } = this.options;
    if (session.isIdle) {
      return;
    }
    if (session.isStreaming) {
      show({ type: 'user_stop' });
    }
    endCalls();
    const stopped = session.abort();
    session.clearQueue();
    await stopped;
  }
}
