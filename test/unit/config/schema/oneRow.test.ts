/** A new field of an entry is one row of the table: a made-up one shows up wherever fields are known. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { globalPoolId } from '../../../../src/config/definition.js';
import { mergeConfig } from '../../../../src/config/parse/mergeConfig.js';
import { parseConfig } from '../../../../src/config/parse/parseConfig.js';
import { FieldTable, field } from '../../../../src/config/schema/field.js';
import { configFields, entryFields } from '../../../../src/config/schema/fields.js';
import { buildConfigSchema } from '../../../../src/config/schema/schema.js';
import { settingFields } from '../../../../src/config/schema/settings.js';
import {
  toEntryChange,
  toFormEntry,
} from '../../../../src/presentation/configPage/entryMapping.js';
import { formModels } from '../../../../src/presentation/configPage/formModel.js';
import { validateDraft } from '../../../../src/webview/config/draftProblems.js';
import { fromEntry, toEntry } from '../../../../src/webview/config/formDraft.js';
import { fieldTables } from '../../../helpers/documents/fieldTables.js';

const row = field('maxFriends', 'number', {
  defaultValue: 3,
  minimum: 1,
  maximum: 9,
  isSetting: true,
  guide: {
    group: 'limits',
    label: () => 'Friends',
    describe: () => 'How many `friends` it may have.',
  },
});
const fields = new FieldTable([...configFields, row]);

function read(entry: object, settings: object = {}) {
  const text = JSON.stringify({ mcpServers: { a: { command: 'x', ...entry } }, settings });
  const file = parseConfig(text, { path: '/a', layer: 'user', fields });
  const merged = mergeConfig([file], { poolId: globalPoolId, folder: undefined, fields });
  const options = merged.definitions[0]?.options;
  const problems = [...(file.entries[0]?.problems ?? []), ...file.problems];
  return {
    value: options && Reflect.get(options, row.name),
    problems: problems.map(({ message }) => message),
  };
}

describe('a new row', () => {
  it('is in the schema, with what completion and hover of the editor show', () => {
    const schema = JSON.parse(JSON.stringify(buildConfigSchema(fields)));
    const expected = {
      type: 'number',
      minimum: 1,
      maximum: 9,
      description: 'Friends. How many friends it may have.',
      markdownDescription: 'Friends. How many `friends` it may have.',
      default: 3,
    };
    const { properties, allOf } = schema.definitions.server;
    expect(properties.maxFriends).toEqual({ ...expected, doNotSuggest: true });
    expect(allOf).toContainEqual({
      properties: expect.objectContaining({ maxFriends: expected }),
    });
    expect(schema.definitions.settings.properties.maxFriends).toEqual(expected);
  });

  it('is read, with its default, the setting of the file, and its range', () => {
    expect(read({ maxFriends: 5 })).toEqual({ value: 5, problems: [] });
    expect(read({})).toEqual({ value: 3, problems: [] });
    expect(read({}, { maxFriends: 4 })).toEqual({ value: 4, problems: [] });
    expect(read({ maxFriends: 2 }, { maxFriends: 4 })).toEqual({ value: 2, problems: [] });
    expect(read({ maxFriends: 12 })).toEqual({
      value: 9,
      problems: ['a: "maxFriends" must be 1–9.'],
    });
    expect(read({ maxFriends: 'many' }).value).toBe(3);
    expect(read({}, { maxFriends: 12 })).toEqual({
      value: 9,
      problems: ['"maxFriends" must be 1–9.'],
    });
  });
});

describe('a new row of a form', () => {
  const [model] = formModels(fields).server.flatMap((group) =>
    group.fields.filter(({ id }) => id === row.name).map((item) => [group.id, item] as const),
  );

  it('is in its group, with its own words', () => {
    expect(model).toEqual([
      'limits',
      {
        id: 'maxFriends',
        control: 'number',
        kind: 'both',
        label: 'Friends',
        help: 'How many `friends` it may have. From 1 to 9.',
        minimum: 1,
        maximum: 9,
        placeholder: '3',
        isOn: false,
        isExact: false,
        isRequired: false,
      },
    ]);
    const settings = formModels(fields).folderSettings.flatMap((group) => group.fields);
    expect(settings.map(({ id }) => id)).toContain('maxFriends');
  });

  it('is checked, sent, written and read again', () => {
    const groups = formModels(fields).server;
    const stored = { command: 'x', maxFriends: 2, other: true };
    const entry = toFormEntry(stored, fields.fields);
    const draft = fromEntry({ poolId: 'global', name: 'a', entry });
    const typed = (text: string) => ({
      ...draft,
      fields: { ...draft.fields, maxFriends: { text, rows: [] } },
    });
    expect(validateDraft(typed('12'), groups).map(({ message }) => message)).toEqual([
      'Friends: "12" is not a number from 1 to 9.',
    ]);
    expect(validateDraft(typed('7'), groups)).toEqual([]);
    const sent = toEntry(typed('7'), groups);
    expect(toEntryChange(sent, stored, fields.fields).entry).toEqual({ maxFriends: 7 });
    expect(toEntryChange(toEntry(typed(''), groups), stored, fields.fields).entry).toEqual({
      maxFriends: undefined,
    });
  });

  it('is in the tables of the documents', () => {
    const line = '| `maxFriends` | `3` | Friends. How many `friends` it may have. From 1 to 9. |';
    expect(fieldTables(fields).get('entry')).toContain(line);
    expect(fieldTables(fields).get('settings')).toContain(line);
  });
});

describe('the default of a field', () => {
  const numbers = [...entryFields.fields, ...settingFields.fields].flatMap((item) =>
    typeof item.defaultValue === 'number' || typeof item.defaultValue === 'string'
      ? [[item.name, item.defaultValue] as const]
      : [],
  );

  it.each(numbers)('of %s stands in the table alone', (name, value) => {
    const digits = String(value).replace(/(\d)(?=(\d{3})+$)/g, '$1_?');
    // a text may also be set on purpose
    const [literal, signs] =
      typeof value === 'number' ? [digits, '(?:=|:|\\?\\?)'] : [`'${value}'`, '(?:=|\\?\\?)'];
    const pattern = new RegExp(`\\b${name}\\b['\\])]*\\s*${signs}\\s*${literal}(?!\\w|\\s*[|&])`);
    const found = readdirSync('src', { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts') && !path.startsWith('config/schema/'))
      .filter((path) => pattern.test(readFileSync(`src/${path}`, 'utf8')));
    expect(found).toEqual([]);
  });
});
