/** The top-level `settings` of a configuration file: what each accepts and which of them guard the user. */
import * as l10n from '@vscode/l10n';
import { isJsonObject, type JsonObject } from '../../base/json.js';

export interface ConfigSetting {
  readonly name: string;
  readonly accepts: (value: unknown) => boolean;
  /** Guards the user: a project file cannot set it (design §5). */
  readonly isSafety: boolean;
  readonly describe: () => string;
}

const isBoolean = (value: unknown) => typeof value === 'boolean';
const isStrings = (value: unknown) =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');
const isAmount = (value: unknown) => typeof value === 'number' && value >= 0;

function setting(
  name: string,
  accepts: (value: unknown) => boolean,
  describe: () => string,
  isSafety = false,
): ConfigSetting {
  return { name, accepts, isSafety, describe };
}

export const configSettings: readonly ConfigSetting[] = [
  setting(
    'toolPrefix',
    (value) => ['server', 'short', 'none', 'mcp'].includes(String(value)),
    () => l10n.t('Prefix of tool names: `server`, `short`, `none` or `mcp`.'),
  ),
  setting('idleTimeout', isAmount, () =>
    l10n.t('Minutes without use before a server is stopped; 0 means never.'),
  ),
  setting('requestTimeoutMs', isAmount, () => l10n.t('Milliseconds until a request fails.')),
  setting('startupTimeoutMs', isAmount, () =>
    l10n.t('Milliseconds until a connect attempt fails.'),
  ),
  setting(
    'directTools',
    (value) => isBoolean(value) || value === 'search',
    () => l10n.t('Whether tools are always active: `true`, `false` or `"search"`.'),
  ),
  setting(
    'toonEncode',
    (value) => isBoolean(value) || isStrings(value),
    () => l10n.t('`true` or the names of the servers whose results are written as TOON.'),
  ),
  setting(
    'captureStats',
    (value) => isBoolean(value) || isJsonObject(value),
    () => l10n.t('Whether calls are counted.'),
  ),
  setting('disableProxyTool', isBoolean, () => l10n.t('Whether the `mcp` tool is left out.')),
  setting(
    'approveTools',
    (value) => isBoolean(value) || isStrings(value),
    () => l10n.t('`true` or patterns of the tools that ask before they run.'),
    true,
  ),
  ...(
    [
      'samplingAutoApprove',
      'elicitationAutoApprove',
      'autoAuth',
      'outputGuard',
      'hostConfigDiscovery',
      'agentPluginPaths',
      'trace',
      'yolo',
      'autoApprove',
    ] as const
  ).map((name) =>
    setting(
      name,
      () => true,
      () => l10n.t('Only your own configuration can set it.'),
      true,
    ),
  ),
];

const settingByName = new Map(configSettings.map((item) => [item.name, item] as const));

/** Settings that guard the user: only the user's own files can set them. */
export const safetySettings: readonly string[] = configSettings
  .filter((item) => item.isSafety)
  .map((item) => item.name);

export function findSetting(name: string): ConfigSetting | undefined {
  return settingByName.get(name);
}

/** What a project file may set: everything but the user's safety. */
export function withoutSafetySettings(settings: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(settings).filter(([name]) => !safetySettings.includes(name)),
  );
}
