/** The top-level `settings` of a configuration file: what each accepts and which of them guard the user. */
import * as l10n from '@vscode/l10n';
import { isJsonObject, type JsonObject } from '../../base/json.js';
import { maxIdleMinutes } from './timeBounds.js';

export interface ConfigSetting {
  readonly name: string;
  readonly accepts: (value: unknown) => boolean;
  /** What an editor completes: type, values, default. */
  readonly schema: JsonObject;
  /** Guards the user: a project file cannot set it (design §5). */
  readonly isSafety: boolean;
  /** Other programs read it; it has no effect here. */
  readonly isForeign: boolean;
  readonly describe: () => string;
}

type ValueKind = Pick<ConfigSetting, 'accepts' | 'schema'>;

const isStrings = (value: unknown) =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');
const boolean: ValueKind = {
  accepts: (value) => typeof value === 'boolean',
  schema: { type: 'boolean' },
};
const anything: ValueKind = { accepts: () => true, schema: {} };
const strings: ValueKind = {
  accepts: isStrings,
  schema: { type: 'array', items: { type: 'string' } },
};
const object = (properties: JsonObject): ValueKind => ({
  accepts: isJsonObject,
  schema: { type: 'object', properties },
});
const amount = (minimum: number, maximum?: number): ValueKind => ({
  accepts: (value) => typeof value === 'number' && value >= minimum && value <= (maximum ?? value),
  schema: { type: 'number', minimum, ...(maximum === undefined ? {} : { maximum }) },
});
const choice = (...values: readonly unknown[]): ValueKind => ({
  accepts: (value) => values.includes(value),
  schema: { enum: values },
});
const either = (...kinds: readonly ValueKind[]): ValueKind => ({
  accepts: (value) => kinds.some((kind) => kind.accepts(value)),
  schema: { anyOf: kinds.map(({ schema }) => schema) },
});
const withDefault = ({ accepts, schema }: ValueKind, value: unknown): ValueKind => ({
  accepts,
  schema: { ...schema, default: value },
});

function setting(name: string, kind: ValueKind, describe: () => string): ConfigSetting {
  return { name, ...kind, isSafety: false, isForeign: false, describe };
}

/** Characters, as `truncation` may set them. */
const maxTruncation = 1_000_000;

/** Has a place at the top level of its own too, where pi-forge writes it. */
export const truncationSetting: ConfigSetting = {
  ...setting('truncation', { accepts: isTruncation, schema: truncationSchema() }, () =>
    l10n.t('How much text of a tool result the model gets; the whole of it can always be opened.'),
  ),
  isSafety: true,
};

export const configSettings: readonly ConfigSetting[] = [
  setting('toolPrefix', withDefault(choice('server', 'short', 'none', 'mcp'), 'server'), () =>
    l10n.t('Prefix of tool names: `server`, `short`, `none` or `mcp`.'),
  ),
  setting('idleTimeout', withDefault(amount(0, maxIdleMinutes), 10), () =>
    l10n.t('Minutes without use before a server is stopped; 0 means never.'),
  ),
  setting('requestTimeoutMs', withDefault(amount(1), 60_000), () =>
    l10n.t('Milliseconds until a request fails.'),
  ),
  setting('startupTimeoutMs', withDefault(amount(1), 30_000), () =>
    l10n.t('Milliseconds until a connect attempt fails.'),
  ),
  setting('stopGraceMs', withDefault(amount(500, 10_000), 2000), () =>
    l10n.t('Milliseconds between closing the stdin of a server and SIGTERM.'),
  ),
  setting('directTools', choice(true, false, 'search'), () =>
    l10n.t('Whether tools are always active: `true`, `false` or `"search"`.'),
  ),
  setting('toonEncode', withDefault(either(boolean, strings), false), () =>
    l10n.t('`true` or the names of the servers whose results are written as TOON.'),
  ),
  setting(
    'captureStats',
    withDefault(
      either(boolean, object({ path: { type: 'string' }, flushDelayMs: { type: 'number' } })),
      false,
    ),
    () => l10n.t('Whether calls are counted.'),
  ),
  setting('disableProxyTool', withDefault(boolean, false), () =>
    l10n.t('Whether the `mcp` tool is left out.'),
  ),
  {
    ...setting('approveTools', withDefault(either(boolean, strings), true), () =>
      l10n.t('`true` or patterns of the tools that ask before they run.'),
    ),
    isSafety: true,
  },
  truncationSetting,
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
  ).map((name) => ({
    ...setting(name, anything, () =>
      l10n.t('Read by other programs; no file switches off here what guards you.'),
    ),
    isSafety: true,
    isForeign: true,
  })),
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

function isTruncation(value: unknown): boolean {
  if (!isJsonObject(value)) {
    return false;
  }
  const { enabled, maxChars } = value;
  const isCount =
    typeof maxChars === 'number' &&
    Number.isInteger(maxChars) &&
    maxChars >= 1 &&
    maxChars <= maxTruncation;
  return (
    (enabled === undefined || typeof enabled === 'boolean') && (maxChars === undefined || isCount)
  );
}

function truncationSchema(): JsonObject {
  return {
    type: 'object',
    properties: {
      enabled: { type: 'boolean', default: true },
      maxChars: { type: 'integer', minimum: 1, maximum: maxTruncation, default: 30_000 },
    },
  };
}
