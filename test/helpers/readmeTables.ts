/** The tables of fields in the README, as the tables of the product say them. */
import type { ConfigField, FieldTable } from '../../src/config/schema/field.js';
import { guideOf } from '../../src/config/schema/guides/guideOf.js';
import { oauthFields } from '../../src/config/schema/oauthFields.js';
import { settingTable } from '../../src/config/schema/settings.js';

/** Marker in the README → the table that stands behind it. */
export function readmeTables(entry: FieldTable): ReadonlyMap<string, string> {
  const settings = settingTable(entry).fields.filter(({ role }) => role !== 'foreign');
  return new Map([
    ['entry', markdownTable(entry.fields.filter(({ role }) => role !== 'foreign'))],
    ['oauth', markdownTable(oauthFields)],
    ['settings', markdownTable(settings)],
  ]);
}

/** The text with every table made anew. @throws when a marker is missing. */
export function withTables(readme: string, tables: ReadonlyMap<string, string>): string {
  return [...tables].reduce((text, [name, table]) => {
    const markers = [`<!-- fields of ${name} -->\n`, `<!-- end of ${name} -->`] as const;
    return replaceSection(text, markers, `\n${table}\n\n`);
  }, readme);
}

/** The text with another body between its markers. @throws when one is missing. */
export function replaceSection(
  text: string,
  [start, end]: readonly [string, string],
  body: string,
): string {
  const [from, to] = [text.indexOf(start), text.indexOf(end)];
  if (from < 0 || to < from) {
    throw new Error(`The document has no ${start.trim()}`);
  }
  return `${text.slice(0, from)}${start}${body}${text.slice(to)}`;
}

function markdownTable(fields: readonly ConfigField[]): string {
  const rows = fields.map(
    (field) => `| ${[names(field), standard(field), meaning(field)].join(' | ')} |`,
  );
  return ['| field | default | what it says |', '| --- | --- | --- |', ...rows].join('\n');
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
  return `${guideOf(field).describe().replaceAll('|', '\\|')}${range}${inner}`;
}
