import * as l10n from '@vscode/l10n';
import type { JsonObject } from '../../base/json.js';
import { importSources } from '../definition.js';
import type { ConfigField, FieldTable } from './field.js';
import { entryFields } from './fields.js';
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
        description: l10n.t('An empty list of servers'),
        body: { mcpServers: {} },
      },
    ],
    properties: {
      mcpServers: { ...servers, ...describe(l10n.t('The servers, each under its name.')) },
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
    properties: propertiesOf(fields.filter((field) => field.role !== 'foreign')),
    defaultSnippets: entrySnippets(),
  };
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
  const link = field.link ? `\n\n[${l10n.t('Specification')}](${field.link})` : '';
  return {
    ...typeSchema(field),
    ...describe(field.describe() + link),
    ...(field.defaultValue === undefined ? {} : { default: field.defaultValue }),
  };
}

function typeSchema(field: ConfigField): JsonObject {
  const strings = { type: 'array', items: { type: 'string' } };
  switch (field.type) {
    case 'string':
    case 'boolean':
      return { type: field.type };
    case 'number':
      return {
        type: field.isInteger ? 'integer' : 'number',
        minimum: field.minimum ?? 0,
        ...(field.maximum === undefined ? {} : { maximum: field.maximum }),
      };
    case 'strings':
      return strings;
    case 'map':
      return { type: 'object', additionalProperties: { type: ['string', 'number', 'boolean'] } };
    case 'boolean-or-strings':
      return { anyOf: [{ type: 'boolean' }, strings, ...(field.values ? [choice(field)] : [])] };
    case 'string-or-strings':
      return { anyOf: [{ type: 'string' }, strings] };
    case 'boolean-or-object':
      return { anyOf: [{ type: 'boolean' }, objectSchema(field)] };
    case 'enum':
      return field.name === 'auth' ? { anyOf: [choice(field), cursorAuthSchema()] } : choice(field);
    case 'object':
      return objectSchema(field);
    case 'any':
      return {};
  }
}

function objectSchema({ fields = [] }: ConfigField): JsonObject {
  const required = fields.filter((field) => field.isRequired).map(({ name }) => name);
  return {
    type: 'object',
    properties: propertiesOf(fields),
    ...(required.length > 0 ? { required } : {}),
  };
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
        field.role === 'foreign' ? unlisted(field) : fieldSchema(field),
      ]),
    ),
  };
}

function inputSchema(): JsonObject {
  return {
    type: 'object',
    required: ['id'],
    properties: {
      id: { type: 'string', ...describe(l10n.t('Name that the servers refer to.')) },
      type: { enum: ['promptString', 'pickString'] },
      description: { type: 'string', ...describe(l10n.t('The question.')) },
      password: { type: 'boolean', ...describe(l10n.t('Hide what is typed.')) },
      default: { type: 'string' },
      options: { type: 'array', items: { type: 'string' } },
    },
  };
}

function serverSnippets(): readonly JsonObject[] {
  return entrySnippets().map(({ label, description, body }) => ({
    label,
    description,
    body: { '${1:name}': body },
  }));
}

function entrySnippets(): readonly JsonObject[] {
  return [
    {
      label: l10n.t('stdio server'),
      description: l10n.t('A program on this machine'),
      body: { command: '${2:npx}', args: ['${3:-y}', '${4:package}'] },
    },
    {
      label: l10n.t('remote server'),
      description: l10n.t('A server that is reached over HTTP'),
      body: { url: '${2:https://example.com/mcp}' },
    },
  ];
}

function describe(markdownDescription: string): JsonObject {
  return { description: markdownDescription.replaceAll('`', ''), markdownDescription };
}
