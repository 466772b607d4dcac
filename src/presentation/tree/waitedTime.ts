/** How long a server that connects has waited for what it waits for. */
import { smallest } from '../../base/lists.js';
import type { McpServerState } from '../../mcp/mcpTypes.js';

/** A row says so from the first step on and changes with each of them: often enough, and not so often as to disturb. */
const stepMs = 5000;

/** Seconds; `undefined` for whoever does not wait, or not for long. */
export function waitedSeconds(state: McpServerState, now: number | undefined): number | undefined {
  const startedAt = startOf(state);
  const waitedMs = startedAt === undefined || now === undefined ? 0 : now - startedAt;
  return waitedMs < stepMs ? undefined : Math.floor(waitedMs / stepMs) * (stepMs / 1000);
}

/** Milliseconds until {@link waitedSeconds} of one of the states changes; `undefined` when all of them rest. */
export function untilNextStep(states: readonly McpServerState[], now: number): number | undefined {
  const waits = states.flatMap((state) => {
    const startedAt = startOf(state);
    return startedAt === undefined ? [] : [stepMs - (Math.max(0, now - startedAt) % stepMs)];
  });
  return waits.length > 0 ? smallest(waits) : undefined;
}

function startOf(state: McpServerState): number | undefined {
  return state.kind === 'connecting' ? state.since : undefined;
}
