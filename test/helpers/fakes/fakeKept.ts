import type { KeptValue } from '../../../src/platform/ports.js';

/** Is kept as long as the test, as JSON. */
export class FakeKept implements KeptValue {
  constructor(public value?: unknown) {}

  recall(): unknown {
    return this.value;
  }

  async remember(value: unknown): Promise<void> {
    this.value = JSON.parse(JSON.stringify(value));
  }
}
