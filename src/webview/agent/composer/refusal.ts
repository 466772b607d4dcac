import type { AgentPageState } from '../pageState.js';

/** Shown in the composer until the draft changes. */
export function refusalOf(refused: readonly string[]): AgentPageState['refusal'] {
  return refused.length === 0
    ? undefined
    : { kind: 'refused', text: refused.join('\n'), near: [], mayBeText: false };
}
