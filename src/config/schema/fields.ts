/**
 * The one table of everything a server entry may hold. Validator, JSON schema, removal of defaults, hovers, completion,
 * defaults, forms and the tables of the documents all read it.
 */
import type { McpServerOptions, ProtocolPreference } from '../definition.js';
import { commonFields } from './commonFields.js';
import { type ConfigField, FieldTable } from './field.js';
import { foreignFields } from './foreignFields.js';
import { httpFields, stdioFields } from './launchFields.js';

export const configFields: readonly ConfigField[] = [
  ...stdioFields,
  ...httpFields,
  ...commonFields,
  ...foreignFields,
];

export const entryFields = new FieldTable(configFields);

/** The field that a property of an entry stands for, by its name or an alias. */
export function findField(name: string): ConfigField | undefined {
  return entryFields.find(name);
}

export const secretFieldNames = entryFields.secretNames;

export function optionDefaults({ options }: FieldTable): McpServerOptions {
  const set = options.filter(({ defaultValue }) => defaultValue !== undefined);
  return Object.fromEntries(
    set.map(({ name, defaultValue }) => [name, defaultValue]),
  ) as unknown as McpServerOptions;
}

export const defaultOptions = optionDefaults(entryFields);

/** The generation of the protocol that is spoken when a launch does not say. */
export const defaultProtocol = entryFields.defaultOf<ProtocolPreference>('protocolVersion');
