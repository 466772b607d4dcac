import * as vscode from 'vscode';
import { settingIds, storageKeys } from '../../contributions.js';
import type { McpService } from '../../mcp/mcpApi.js';
import { newestVersion } from '../../mcp/registry/newestVersion.js';
import { systemClock } from '../../platform/clock.js';
import { ServerUpdates } from '../../presentation/server/serverUpdates.js';
import type { Host } from '../activation/host.js';
import { ConfigValue } from '../workspace/configValue.js';

interface UpdateUse extends Pick<Host, 'own' | 'workspace' | 'workspaceState' | 'environment'> {
  readonly service: McpService;
}

export function createUpdates(parts: UpdateUse): ServerUpdates {
  const { own, service, workspace, workspaceState, environment } = parts;
  const setting = own(new ConfigValue(settingIds.updatesCheck));
  return new ServerUpdates({
    service,
    memory: {
      read: () => workspaceState.get(storageKeys.knownVersions),
      write: async (value) => await workspaceState.update(storageKeys.knownVersions, value),
    },
    newest: (spec, signal) =>
      // looked up for each request: VS Code puts its proxy in its place
      newestVersion(
        spec,
        { environment, fetch: (url, init) => globalThis.fetch(url, init) },
        signal,
      ),
    mayAsk: () => ({
      byItself: workspace.isTrusted && setting.value,
      whenAsked: workspace.isTrusted,
    }),
    now: () => systemClock.now(),
    language: vscode.env.language,
  });
}
