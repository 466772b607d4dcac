/**
 * The one table of everything a server entry may hold. Validator, JSON schema, removal of defaults, hovers, completion,
 * defaults, forms and the tables of the documents all read it.
 */
import * as l10n from '@vscode/l10n';
import type { McpServerOptions, ProtocolPreference } from '../definition.js';
import { commonFields } from './commonFields.js';
import { type ConfigField, FieldTable, field } from './field.js';
import { httpFields, stdioFields } from './launchFields.js';

/** Fields of other programs without a counterpart here; kept when a file is edited. */
const descriptive = `name description title icon icons version label displayName display_name
  category tags keywords author vendor provider homepage website repository docs documentation license
  note notes comment comments metadata instructions gallery source`.split(/\s+/);

const unused = `dev sandbox sandboxEnabled env_vars env_http_headers toolExposure tasks searchMode
  searchKeywords caFile tools required supports_parallel_tool_calls`.split(/\s+/);

function foreign(names: readonly string[], describe: () => string): readonly ConfigField[] {
  return names.map((name) => field(name, 'any', { role: 'foreign', guide: { describe } }));
}

const foreignFields: readonly ConfigField[] = [
  ...foreign(['autoApprove', 'alwaysAllow', 'trust', 'approveTools', 'samplingAutoApprove'], () =>
    l10n.t('Approval rule of another program. A file never approves tool calls here; you do.'),
  ),
  ...foreign(['timeout', 'startup_timeout_sec', 'tool_timeout_sec'], () =>
    l10n.t(
      'Timeout of another program, whose units differ. Use `startupTimeoutMs` and `requestTimeoutMs`.',
    ),
  ),
  ...foreign([...descriptive, ...unused], () =>
    l10n.t('Written by other programs. Not needed here.'),
  ).map((item) => ({ ...item, isDescriptive: descriptive.includes(item.name) })),
];

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
