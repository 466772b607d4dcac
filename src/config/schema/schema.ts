import * as l10n from '@vscode/l10n';
import type { JsonObject } from '../../base/json.js';
import { defined } from '../../base/json.js';
import { groupBy } from '../../base/lists.js';
import { importSources } from '../definition.js';
import { type ConfigField, FieldTable } from './field.js';
import { entryFields } from './fields.js';
import { fieldText, guideOf } from './guides/guideOf.js';
import { cursorAuthFields, findOAuthField } from './oauthFields.js';
import { settingTable, truncationSetting } from './settings.js';

/**
 * JSON schema (draft-07) of configuration files, from the field table. It describes and completes; what is wrong with
 * an entry is said by the validator alone, so the schema accepts every shape and unknown fields.
 */
export function buildConfigSchema(entry: FieldTable = entryFields): JsonObject {
  const servers = { $ref: '#/definitions/servers' };
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'MCP servers',
    type: 'object',
    allowComments: true,
    allowTrailingCommas: true,
    defaultSnippets: [
      {
        label: l10n.t('MCP configuration'),
        body: { mcpServers: {} },
      },
    ],
    properties: {
      mcpServers: servers,
      'mcp-servers': { ...servers, doNotSuggest: true },
      servers: { ...servers, doNotSuggest: true },
      mcp: { type: 'object', doNotSuggest: true },
      disabled: {
        type: 'boolean',
        default: false,
        ...describe(l10n.t('Master switch: `true` turns every server of this file off.')),
      },
      imports: {
        type: 'array',
        uniqueItems: true,
        items: { enum: [...importSources] },
        ...describe(l10n.t('Other programs whose servers are used as well.')),
      },
      settings: { $ref: '#/definitions/settings' },
      truncation: fieldSchema(truncationSetting),
      inputs: {
        type: 'array',
        items: { $ref: '#/definitions/input' },
        ...describe(l10n.t('Values that are asked for once and used as `{0}`.', '${input:id}')),
      },
    },
    // a file may also hold the servers as its top-level properties
    additionalProperties: { anyOf: [{ $ref: '#/definitions/server' }, {}] },
    definitions: {
      servers: {
        type: 'object',
        additionalProperties: { $ref: '#/definitions/server' },
        defaultSnippets: serverSnippets(),
      },
      server: serverSchema(entry),
      settings: settingsSchema(settingTable(entry)),
      input: inputSchema(),
    },
  };
}

function serverSchema({ fields }: FieldTable): JsonObject {
  return {
    type: 'object',
    ...describe(
      l10n.t(
        'One MCP server: `command` starts a program on this machine, `url` reaches a remote one.',
      ),
    ),
    properties: Object.fromEntries(
      fields
        .filter(({ role }) => role !== 'foreign')
        .flatMap((field) =>
          [field.name, ...field.aliases].map((name) => [name, unlisted(field)] as const),
        ),
    ),
    allOf: offers(fields),
    defaultSnippets: [...entrySnippets()],
  };
}

/** What an editor offers: each field while the entry holds nothing that leaves it without a say. */
function offers(fields: readonly ConfigField[]): readonly JsonObject[] {
  const known = new FieldTable(fields);
  const groups = groupBy(
    fields.filter(({ role }) => role !== 'foreign'),
    (field) => excluding(field, known).join(' '),
  );
  return [...groups].map(([names, group]) => {
    const listed = {
      properties: Object.fromEntries(group.map((field) => [field.name, fieldSchema(field)])),
    };
    return names === ''
      ? listed
      : { if: { anyOf: names.split(' ').map((name) => ({ required: [name] })) }, else: listed };
  });
}

/** Names of properties beside which the field is not offered, itself under another name among them. */
function excluding(field: ConfigField, known: FieldTable): readonly string[] {
  const kind = field.showsFor ?? field.kind;
  const decides = kind === 'stdio' ? ['url'] : kind === 'http' ? ['command'] : [];
  const others = [...decides, ...(field.excludedBy ?? [])];
  return [
    ...others.flatMap((name) => [name, ...(known.find(name)?.aliases ?? [])]),
    ...field.aliases,
  ].sort();
}

function propertiesOf(fields: readonly ConfigField[]): JsonObject {
  return Object.fromEntries([
    ...fields.map((field) => [field.name, fieldSchema(field)] as const),
    ...fields.flatMap((field) => field.aliases.map((alias) => [alias, unlisted(field)] as const)),
  ]);
}

function unlisted(field: ConfigField): JsonObject {
  return { ...fieldSchema(field), doNotSuggest: true };
}

function fieldSchema(field: ConfigField): JsonObject {
  const guide = guideOf(field);
  const link = guide.link ? `\n\n[${l10n.t('Specification')}](${guide.link})` : '';
  const snippet = snippetOf(field, guide.example);
  return {
    ...typeSchema(field),
    ...describe(fieldText(field) + link),
    // an editor would offer both
    ...defined(snippet ? { defaultSnippets: [snippet] } : { default: field.defaultValue }),
  };
}

/** What stands in a value at first, where the type alone would leave it empty. A body with `^` is inserted as it is. */
function snippetOf(
  { name, type }: ConfigField,
  example: string | undefined,
): JsonObject | undefined {
  switch (type) {
    case 'strings':
      return { label: `"${name}": [""]`, body: '^["$1"]' };
    case 'map':
      return { label: `"${name}": {"": ""}`, body: '^{"${1:NAME}": "$2"}' };
    case 'string':
    case 'string-or-strings':
      return example === undefined
        ? undefined
        : { label: JSON.stringify(example), body: `^"\${1:${escapeSnippet(example)}}"` };
    default:
      return undefined;
  }
}

/** For the inside of a JSON string in a snippet. */
function escapeSnippet(text: string): string {
  return JSON.stringify(text)
    .slice(1, -1)
    .replace(/[\\$}]/g, '\\$&');
}

function typeSchema(field: ConfigField): JsonObject {
  const strings = { type: 'array', items: { type: 'string' } };
  switch (field.type) {
    case 'string':
    case 'boolean':
      return { type: field.type };
    case 'number':
      return defined({
        type: field.isInteger ? 'integer' : 'number',
        minimum: field.minimum ?? 0,
        maximum: field.maximum,
      });
    case 'strings':
      return strings;
    case 'map':
      return { type: 'object', additionalProperties: { type: ['string', 'number', 'boolean'] } };
    case 'boolean-or-strings':
      return { anyOf: [{ type: 'boolean' }, strings, ...(field.values ? [choice(field)] : [])] };
    case 'enum-or-strings':
      return { anyOf: [choice(field), strings] };
    case 'string-or-strings':
      return { anyOf: [{ type: 'string' }, strings] };
    case 'boolean-or-object':
      return { anyOf: [{ type: 'boolean' }, objectSchema(field)] };
    case 'enum':
      return field.name === 'auth' ? { anyOf: [choice(field), cursorAuthSchema()] } : choice(field);
    case 'object':
      return objectSchema(field);
    case 'named-objects':
      return { type: 'object', additionalProperties: objectSchema(field) };
    case 'any':
      return {};
  }
}

function objectSchema({ fields = [] }: ConfigField): JsonObject {
  const required = fields.filter((field) => field.isRequired).map(({ name }) => name);
  return defined({
    type: 'object',
    properties: propertiesOf(fields),
    required: required.length > 0 ? required : undefined,
  });
}

/** The `auth` object as Cursor writes it. */
function cursorAuthSchema(): JsonObject {
  return {
    type: 'object',
    properties: Object.fromEntries(
      [...cursorAuthFields].map(([name, ours]) => {
        const field = findOAuthField(ours);
        return [name, field ? unlisted(field) : {}];
      }),
    ),
  };
}

function choice(field: ConfigField): JsonObject {
  return { enum: [...(field.values ?? [])] };
}

function settingsSchema({ fields }: FieldTable): JsonObject {
  return {
    type: 'object',
    ...describe(l10n.t('Defaults for all servers of this file.')),
    properties: Object.fromEntries(
      fields.map((field) => [
        field.name,
        field.role === 'foreign'
          ? unlisted(field)
          : { ...fieldSchema(field), ...(field.name === 'profiles' && profilesSchema()) },
      ]),
    ),
  };
}

function profilesSchema(): JsonObject {
  const patterns = {
    type: 'array',
    items: { type: 'string' },
  };
  const whole = {
    type: 'object',
    properties: {
      tools: patterns,
      readOnly: {
        type: 'boolean',
        default: false,
        ...describe(l10n.t('Only tools that read, as their servers say.')),
      },
    },
  };
  return { additionalProperties: { anyOf: [patterns, whole] } };
}

function inputSchema(): JsonObject {
  return {
    type: 'object',
    required: ['id'],
    properties: {
      id: { type: 'string' },
      type: { enum: ['promptString', 'pickString'] },
      description: { type: 'string' },
      password: { type: 'boolean' },
      default: { type: 'string' },
      options: { type: 'array', items: { type: 'string' } },
    },
  };
}

interface EntrySnippet {
  readonly label: string;
  readonly body: JsonObject;
}

function serverSnippets(): readonly JsonObject[] {
  return entrySnippets().map(({ label, body }) => ({ label, body: { '${1:name}': body } }));
}

/** What a new entry begins as. Bodies are snippets, their first place is left for a name. */
export function entrySnippets(): readonly EntrySnippet[] {
  return [
    {
      label: l10n.t('A program on this machine'),
      body: { command: '${2:npx}', args: ['${3:-y}', '${4:package}'] },
    },
    {
      label: l10n.t('A server with a URL'),
      body: { url: '${2:https://example.com/mcp}' },
    },
  ];
}

function describe(markdownDescription: string): JsonObject {
  return { description: markdownDescription.replaceAll('`', ''), markdownDescription };
}
