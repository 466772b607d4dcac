/** The forms of the configuration page, from the tables of fields. Plain Node; no `vscode`. */
import * as l10n from '@vscode/l10n';
import type { ConfigField, FieldTable } from '../../config/schema/field.js';
import { entryFields } from '../../config/schema/fields.js';
import { type FieldGroup, fieldGroups } from '../../config/schema/guide.js';
import { guideOf } from '../../config/schema/guides/guideOf.js';
import { settingTable } from '../../config/schema/settings.js';
import type {
  FormControl,
  FormField,
  FormGroup,
  FormModels,
} from '../../protocol/configProtocol.js';

/** A field that a form offers, with the objects that it stands in. */
export interface FormPlace {
  /** Names on the way, joined with dots. */
  readonly id: string;
  /** From the entry's own field down to this one. */
  readonly path: readonly ConfigField[];
  readonly field: ConfigField;
}

export function formModels(entry: FieldTable = entryFields): FormModels {
  const settings = settingTable(entry).fields;
  return {
    server: formGroups(entry.fields),
    settings: formGroups(settings),
    folderSettings: formGroups(forFolders(settings)),
  };
}

/** What guards the user counts in the user's own files only. */
export function forFolders(settings: readonly ConfigField[]): readonly ConfigField[] {
  return settings.filter(({ isSafety }) => !isSafety);
}

/** Objects are offered field by field. */
export function formPlaces(
  fields: readonly ConfigField[],
  parents: readonly ConfigField[] = [],
): readonly FormPlace[] {
  return fields
    .filter(({ role, shownBy }) => role !== 'foreign' && shownBy === undefined)
    .filter(({ type }) => type !== 'named-objects')
    .flatMap((field) => {
      const path = [...parents, field];
      return field.type === 'object' && field.fields
        ? formPlaces(field.fields, path)
        : [{ id: path.map(({ name }) => name).join('.'), path, field }];
    });
}

/** The default is the only way to say it: nothing else could be meant by leaving the field out. */
export function isPlainDefault({ defaultValue, isSetting }: ConfigField, value: unknown): boolean {
  return !isSetting && defaultValue !== undefined && value === defaultValue;
}

/** Leaving the field out means something else than either value. */
export function isThreeWay({ defaultValue, isSetting }: ConfigField): boolean {
  return isSetting === true || defaultValue === undefined;
}

function formGroups(fields: readonly ConfigField[]): readonly FormGroup[] {
  const places = formPlaces(fields);
  return fieldGroups
    .map((id) => ({
      id,
      label: groupLabel(id),
      fields: places
        .filter(({ field }) => (guideOf(field).group ?? 'connection') === id)
        .map(toFormField),
    }))
    .filter((group) => group.fields.length > 0);
}

function groupLabel(group: FieldGroup): string {
  switch (group) {
    case 'connection':
      return l10n.t('Connection');
    case 'environment':
      return l10n.t('Environment');
    case 'tools':
      return l10n.t('Tools and exposure');
    case 'limits':
      return l10n.t('Limits and log');
    case 'account':
      return l10n.t('Account');
  }
}

function toFormField({ id, field }: FormPlace): FormField {
  const { minimum, maximum, isInteger, kind, showsFor, role } = field;
  const control = controlOf(field);
  const placeholder = placeholderOf(field);
  return {
    id,
    control,
    kind: showsFor ?? kind,
    label: guideOf(field).label?.() ?? field.name,
    help: helpOf(field),
    options: control === 'choice' || control === 'mixed' ? optionsOf(field) : undefined,
    minimum: control === 'number' ? (minimum ?? 0) : undefined,
    maximum,
    isInteger,
    isOn: control === 'flag' && field.defaultValue === true,
    isExact: control === 'list' && role === 'launch',
    placeholder,
    isRequired: id === 'command' || id === 'url',
  };
}

function controlOf(field: ConfigField): FormControl {
  const { type, isSecret, isLong } = field;
  switch (type) {
    case 'boolean':
    case 'boolean-or-object':
      return isThreeWay(field) ? 'choice' : 'flag';
    case 'number':
      return 'number';
    case 'strings':
      return 'list';
    case 'map':
      return 'pairs';
    case 'enum':
      return 'choice';
    case 'boolean-or-strings':
    case 'enum-or-strings':
      return 'mixed';
    default:
      return isSecret ? (isLong ? 'long-secret' : 'secret') : 'text';
  }
}

function helpOf(field: ConfigField): string {
  const { minimum = 0, maximum } = field;
  const help = guideOf(field).describe?.() ?? '';
  return field.type === 'number' && maximum !== undefined
    ? `${help} ${l10n.t('From {0} to {1}.', minimum, maximum)}`.trim()
    : help;
}

function placeholderOf(field: ConfigField): string | undefined {
  const { type, defaultValue } = field;
  return type === 'number' && defaultValue !== undefined
    ? String(defaultValue)
    : guideOf(field).example;
}

function optionsOf(field: ConfigField): NonNullable<FormField['options']> {
  const { defaultValue } = field;
  const texts = choiceTexts(field);
  const standard = texts[String(defaultValue)];
  const offered = Object.entries(texts).filter(([value]) => {
    return field.isSetting || field.type.endsWith('or-strings') || value !== String(defaultValue);
  });
  return [
    {
      value: '',
      label:
        standard === undefined
          ? l10n.t('Default')
          : l10n.t('{0}: {1}', l10n.t('Default'), standard),
    },
    ...offered.map(([value, label]) => ({ value, label })),
  ];
}

function choiceTexts(field: ConfigField): Readonly<Record<string, string>> {
  const { type, values = [] } = field;
  const { choices } = guideOf(field);
  const written = Object.fromEntries(values.map((value) => [String(value), String(value)]));
  switch (type) {
    case 'boolean':
    case 'boolean-or-object':
      return { true: l10n.t('Yes'), false: l10n.t('No') };
    case 'boolean-or-strings':
      return {
        true: l10n.t('All'),
        false: l10n.t('None'),
        ...(choices?.() ?? written),
        list: l10n.t('Only these'),
      };
    case 'enum-or-strings':
      return { ...(choices?.() ?? written), list: l10n.t('Only these') };
    default:
      return choices?.() ?? written;
  }
}
