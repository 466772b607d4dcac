/** The tables of fields in the documents, as the tables of the product say them. */
import type { ConfigField, FieldTable } from '../../../src/config/schema/field.js';
import { fieldText } from '../../../src/config/schema/guides/guideOf.js';
import { oauthFields } from '../../../src/config/schema/oauthFields.js';
import { settingTable } from '../../../src/config/schema/settings.js';
import { escapeCell, markdownTable } from './sections.js';

/** What is documented → its table. */
export function fieldTables(entry: FieldTable): ReadonlyMap<string, string> {
  const settings = settingTable(entry).fields.filter(({ role }) => role !== 'foreign');
  return new Map([
    ['entry', tableOf(entry.fields.filter(({ role }) => role !== 'foreign'))],
    ['oauth', tableOf(oauthFields)],
    ['settings', tableOf(settings)],
  ]);
}

function tableOf(fields: readonly ConfigField[]): string {
  return markdownTable(
    ['field', 'default', 'what it says'],
    fields.map((field) => [names(field), standard(field), meaning(field)]),
  );
}

function names({ name, aliases }: ConfigField): string {
  return [name, ...aliases].map((item) => `\`${item}\``).join(', ');
}

function standard({ defaultValue }: ConfigField): string {
  return defaultValue === undefined ? '' : `\`${JSON.stringify(defaultValue)}\``;
}

function meaning(field: ConfigField): string {
  const { type, minimum = 0, maximum, fields } = field;
  const range = type === 'number' && maximum !== undefined ? ` From ${minimum} to ${maximum}.` : '';
  const inner = fields && field.name !== 'oauth' ? ` Holds ${fields.map(names).join(', ')}.` : '';
  return `${escapeCell(fieldText(field))}${range}${inner}`;
}
