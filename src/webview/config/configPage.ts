/** Owns the state of the list: what the extension sent, and what came of the last step. */
import { errorMessage } from '../../base/errors.js';
import { stableStringify } from '../../base/json.js';
import type {
  ConfigEvents,
  ConfigRequests,
  ConfigViewState,
} from '../../protocol/configProtocol.js';
import type { MessageChannel } from '../../protocol/messages.js';
import type { Outcome } from './pageState.js';

type Send = MessageChannel<ConfigRequests, ConfigEvents>['request'];

/** Memory changes without an event. */
const measureMs = 5_000;

export class ConfigPage {
  /** `undefined` until the extension has answered. */
  view: ConfigViewState | undefined;
  outcome: Outcome | undefined;
  /** By id of a server; localized. */
  memory: Readonly<Record<string, string>> = {};

  constructor(
    private readonly send: Send,
    private readonly draw: () => void,
  ) {}

  async start(): Promise<void> {
    await this.run(async (send) => this.receive(await send('ready', undefined)));
    setInterval(() => void this.measure(), measureMs);
    await this.measure();
  }

  receive(view: ConfigViewState): void {
    this.view = view;
    this.draw();
  }

  /** Runs a request; why it failed is said on top. */
  async run(work: (send: Send) => Promise<unknown>): Promise<void> {
    this.outcome = undefined;
    try {
      await work(this.send);
    } catch (error) {
      this.outcome = { isError: true, text: errorMessage(error) };
    }
    this.draw();
  }

  private async measure(): Promise<void> {
    if (document.visibilityState === 'hidden') {
      return;
    }
    const { memory } = await this.send('measure', undefined).catch(() => ({ memory: {} }));
    if (stableStringify(memory) !== stableStringify(this.memory)) {
      this.memory = memory;
      this.draw();
    }
  }

  dismissOutcome(): void {
    this.outcome = undefined;
    this.draw();
  }
}
