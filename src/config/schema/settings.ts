/** The one table of the top-level `settings` of a configuration file. */
import * as l10n from '@vscode/l10n';
import type { JsonObject } from '../../base/json.js';
import type { ToolPrefix } from '../definition.js';
import { type ConfigField, type FieldRules, FieldTable, field } from './field.js';
import { entryFields } from './fields.js';

/** Leaving one out is no value: a file of lower precedence may hold it. */
function setting(name: string, type: ConfigField['type'], rules: FieldRules): ConfigField {
  return field(name, type, { ...rules, isSetting: true });
}

/** Has a place at the top level of its own too, where pi-forge writes it. */
export const truncationSetting: ConfigField = setting('truncation', 'object', {
  isSafety: true,
  fields: [
    setting('enabled', 'boolean', { defaultValue: true, guideId: 'truncation.enabled' }),
    setting('maxChars', 'number', {
      defaultValue: 30_000,
      minimum: 1,
      maximum: 1_000_000,
      isInteger: true,
      guideId: 'truncation.maxChars',
    }),
  ],
});

export const defaultMaxCharacters = new FieldTable(
  truncationSetting.fields ?? [],
).defaultOf<number>('maxChars');

/** @param entry the fields of entries; those that a file may set for all of them are settings too. */
export function settingTable(entry: FieldTable): FieldTable {
  const shared = entry.fields
    .filter(({ isSetting }) => isSetting)
    .map((item) => ({
      ...item,
      kind: 'both' as const,
      aliases: [],
      defaultValue: item.settingDefault ?? item.defaultValue,
      ...(item.name === 'directTools' ? directToolsSetting : {}),
    }));
  return new FieldTable([...shared, ...ownSettings, ...foreignSettings]);
}

/** For all servers there are no names of tools. */
const directToolsSetting: Partial<ConfigField> = {
  type: 'enum',
  values: [true, false, 'search'],
  guideId: 'settings.directTools',
};

const ownSettings: readonly ConfigField[] = [
  setting('toonEncode', 'boolean-or-strings', { defaultValue: false }),
  setting('captureStats', 'boolean-or-object', {
    defaultValue: false,
    fields: [
      field('path', 'string', { guideId: 'captureStats.path' }),
      field('flushDelayMs', 'number', { guideId: 'captureStats.flushDelayMs' }),
    ],
  }),
  setting('disableProxyTool', 'boolean', { defaultValue: false }),
  setting('approveTools', 'boolean-or-strings', { defaultValue: true, isSafety: true }),
  truncationSetting,
  setting('profiles', 'object', {}),
];

const foreignSettings: readonly ConfigField[] = [
  'samplingAutoApprove',
  'elicitationAutoApprove',
  'autoAuth',
  'outputGuard',
  'hostConfigDiscovery',
  'agentPluginPaths',
  'trace',
  'yolo',
  'autoApprove',
].map((name) =>
  field(name, 'any', {
    role: 'foreign',
    isSafety: true,
    guide: {
      describe: () => l10n.t('Written by other programs. Not needed here.'),
    },
  }),
);

export const settingFields = settingTable(entryFields);

export const defaultToolPrefix = settingFields.defaultOf<ToolPrefix>('toolPrefix');

/** Settings that guard the user: only the user's own files can set them. */
export const safetySettings: readonly string[] = settingFields.fields
  .filter((item) => item.isSafety)
  .map((item) => item.name);

/** What a project file may set: everything but the user's safety. */
export function withoutSafetySettings(settings: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(settings).filter(([name]) => !safetySettings.includes(name)),
  );
}
