import { afterEach } from 'vitest';
import { type AgentHarness, type AgentHarnessOptions, createAgentHarness } from './agentHarness.js';

/** Opens the harness of a test, which is disposed after it. */
export function useAgentHarness(): (options?: AgentHarnessOptions) => Promise<AgentHarness> {
  let open: AgentHarness | undefined;
  afterEach(async () => {
    await open?.dispose();
    open = undefined;
  });
  return async (options = {}) => {
    open = await createAgentHarness(options);
    return open;
  };
}
