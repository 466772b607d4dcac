/** Owns the state of the list: what the extension sent, and what came of the last step. */
import { errorMessage } from '../../base/errors.js';
import type {
  ConfigEvents,
  ConfigRequests,
  ConfigViewState,
} from '../../protocol/configProtocol.js';
import type { MessageChannel } from '../../protocol/messages.js';
import type { Outcome } from './pageState.js';

type Send = MessageChannel<ConfigRequests, ConfigEvents>['request'];

export class ConfigPage {
  /** `undefined` until the extension has answered. */
  view: ConfigViewState | undefined;
  outcome: Outcome | undefined;

  constructor(
    private readonly send: Send,
    private readonly draw: () => void,
  ) {}

  async start(): Promise<void> {
    await this.run(async (send) => this.receive(await send('ready', undefined)));
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

  dismissOutcome(): void {
    this.outcome = undefined;
    this.draw();
  }
}
