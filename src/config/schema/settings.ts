/** The one table of the top-level `settings` of a configuration file. */
import * as l10n from '@vscode/l10n';
import type { JsonObject } from '../../base/json.js';
import type { ToolPrefix } from '../definition.js';
import { type ConfigField, type FieldSpec, FieldTable, field } from './field.js';
import { entryFields } from './fields.js';

/** Leaving one out is no value: a file of lower precedence may hold it. */
function setting(spec: FieldSpec): ConfigField {
  return field({ ...spec, isSetting: true });
}

/** Has a place at the top level of its own too, where pi-forge writes it. */
export const truncationSetting: ConfigField = setting({
  name: 'truncation',
  type: 'object',
  group: 'tools',
  label: () => l10n.t('Long results'),
  isSafety: true,
  fields: [
    setting({
      name: 'enabled',
      type: 'boolean',
      group: 'tools',
      label: () => l10n.t('Shorten long results'),
      defaultValue: true,
      describe: () => l10n.t('Whether results are shortened for the model at all.'),
    }),
    setting({
      name: 'maxChars',
      type: 'number',
      group: 'tools',
      label: () => l10n.t('Longest result (characters)'),
      defaultValue: 30_000,
      minimum: 1,
      maximum: 1_000_000,
      isInteger: true,
      describe: () => l10n.t('Characters of a result that the model gets at most.'),
    }),
  ],
  describe: () =>
    l10n.t('How much text of a tool result the model gets; the whole of it can always be opened.'),
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
  choices: () => ({
    true: l10n.t('All of them'),
    search: l10n.t('Those that a search found'),
    false: l10n.t('None of them'),
  }),
  formHelp: () => l10n.t('Tools that the agent sees without searching for them.'),
  describe: () => l10n.t('Whether tools are always active: `true`, `false` or `"search"`.'),
};

const ownSettings: readonly ConfigField[] = [
  setting({
    name: 'toonEncode',
    type: 'boolean-or-strings',
    group: 'tools',
    label: () => l10n.t('Results as TOON'),
    defaultValue: false,
    formHelp: () => l10n.t('Servers whose results are written as TOON.'),
    describe: () => l10n.t('`true` or the names of the servers whose results are written as TOON.'),
  }),
  setting({
    name: 'captureStats',
    type: 'boolean-or-object',
    group: 'tools',
    label: () => l10n.t('Count calls'),
    defaultValue: false,
    fields: [
      field({
        name: 'path',
        type: 'string',
        describe: () => l10n.t('File that the numbers are kept in.'),
      }),
      field({
        name: 'flushDelayMs',
        type: 'number',
        describe: () => l10n.t('Milliseconds until new numbers are written.'),
      }),
    ],
    describe: () => l10n.t('Whether calls are counted.'),
  }),
  setting({
    name: 'disableProxyTool',
    type: 'boolean',
    group: 'tools',
    label: () => l10n.t('Without the tool for other tools'),
    defaultValue: false,
    describe: () => l10n.t('Whether the `mcp` tool is left out.'),
  }),
  setting({
    name: 'approveTools',
    type: 'boolean-or-strings',
    group: 'tools',
    label: () => l10n.t('Tools that ask before they run'),
    defaultValue: true,
    isSafety: true,
    formHelp: () => l10n.t('Tools that ask before they run.'),
    describe: () => l10n.t('`true` or patterns of the tools that ask before they run.'),
  }),
  truncationSetting,
  setting({
    name: 'profiles',
    type: 'object',
    group: 'tools',
    label: () => l10n.t('Profiles'),
    describe: () =>
      l10n.t(
        'Named sets of tools to choose from: lists of patterns such as `"github"`, `"github/get_*"` and `"!github/delete_*"`, the last one that fits decides; or objects with `tools` and `readOnly`.',
      ),
  }),
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
  field({
    name,
    type: 'any',
    role: 'foreign',
    isSafety: true,
    describe: () => l10n.t('Read by other programs; no file switches off here what guards you.'),
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
