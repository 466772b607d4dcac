/** What users decide about tools, in memory, for tests of what stands above it. */
import { SetAsideTools } from '../../src/agent/policy/setAsideTools.js';
import { toDisposable } from '../../src/base/disposable.js';
import { ToolSwitches } from '../../src/mcp/catalog/records/toolSwitches.js';
import type { McpService } from '../../src/mcp/mcpApi.js';
import { NodeFileWatcher } from '../../src/platform/nodeFileWatcher.js';
import { nullLogger } from '../../src/platform/ports.js';

/** Every tool fits the budget. */
export function toolParts() {
  const place = { directory: undefined, watcher: new NodeFileWatcher(), logger: nullLogger };
  return {
    switches: new ToolSwitches(place),
    setAside: new SetAsideTools(),
    budget: { value: 1_000_000, onDidChange: () => toDisposable(() => undefined) },
    directTools: undefined,
  };
}

/** Of the API for other extensions; the user never answers. */
export function apiParts(service: McpService) {
  const consent = { request: async () => undefined };
  return { ...toolParts(), service, consent, loaded: service.whenStarted() };
}
