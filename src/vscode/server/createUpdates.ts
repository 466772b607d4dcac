import * as vscode from 'vscode';
import { settingIds, storageKeys } from '../../contributions.js';
import type { McpService } from '../../mcp/mcpApi.js';
import type { PackageOrigins } from '../../mcp/registry/packageOrigins.js';
import { Releases } from '../../mcp/registry/releases.js';
import { systemClock } from '../../platform/clock.js';
import { ServerUpdates } from '../../presentation/server/serverUpdates.js';
import type { Host } from '../activation/host.js';
import type { RegistrySetting } from '../add/registrySetting.js';
import { ConfigValue } from '../workspace/configValue.js';
import { keptIn } from '../workspace/keptIn.js';

interface UpdateUse extends Pick<Host, 'own' | 'machine' | 'workspaceState'> {
  readonly service: McpService;
  readonly origins: PackageOrigins;
  readonly setting: RegistrySetting;
}

export function createUpdates(parts: UpdateUse): ServerUpdates {
  const { own, service, machine, workspaceState, origins } = parts;
  const { workspace, environment } = machine;
  const setting = own(new ConfigValue(settingIds.updatesCheck));
  return new ServerUpdates({
    service,
    memory: keptIn(workspaceState, storageKeys.knownVersions),
    releases: new Releases({
      environment,
      origins,
      client: () => parts.setting.client,
      fetch: parts.setting.fetch,
    }),
    mayAsk: () => ({
      byItself: workspace.isTrusted && setting.value,
      whenAsked: workspace.isTrusted,
    }),
    now: () => systemClock.now(),
    language: vscode.env.language,
  });
}
