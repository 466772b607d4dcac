import type { CallReason } from '../../protocol/tools/approvalRules.js';
import type { ToolIdentity } from './toolIdentity.js';

/** What a call of the model would do, as far as that can be known before it runs. */
export interface CallSubject {
  readonly identity: ToolIdentity;
  /** Why the call may not run whatever the user says; a sentence for the model. */
  readonly refusal?: string;
  /** Lets the call with this id do this and nothing else. @param why it may run */
  readonly pin?: (toolCallId: string, why?: CallReason) => void;
}

/** What was approved for calls that have not run yet. */
export class Pins<T> {
  private readonly pins = new Map</* tool call id */ string, T>();

  set(toolCallId: string, pin: T): void {
    this.pins.set(toolCallId, pin);
  }

  get(toolCallId: string): T | undefined {
    return this.pins.get(toolCallId);
  }

  delete(toolCallId: string): void {
    this.pins.delete(toolCallId);
  }

  /** @throws when the call was not approved, or has run already */
  take(toolCallId: string): T {
    const pin = this.pins.get(toolCallId);
    if (pin === undefined) {
      throw new Error('This call was not approved.');
    }
    this.pins.delete(toolCallId);
    return pin;
  }
}
