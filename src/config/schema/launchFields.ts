/** What decides which program runs or which address is reached. */
import * as l10n from '@vscode/l10n';
import { type ConfigField, field } from './field.js';
import { oauthFields } from './oauthFields.js';

const specificationLink =
  'https://modelcontextprotocol.io/specification/2025-11-25/basic/transports';

export const stdioFields: readonly ConfigField[] = [
  field({
    name: 'command',
    group: 'connection',
    label: () => l10n.t('Command'),
    example: 'npx',
    type: 'string-or-strings',
    kind: 'stdio',
    role: 'launch',
    hasVariables: true,
    link: specificationLink,
    formHelp: () => l10n.t('The program that is started, looked up on the PATH unless absolute.'),
    describe: () =>
      l10n.t(
        'Executable of a stdio server, looked up on the PATH unless absolute. Exactly one of `command` and `url` must be set.',
      ),
  }),
  field({
    name: 'args',
    group: 'connection',
    label: () => l10n.t('Arguments'),
    type: 'strings',
    kind: 'stdio',
    role: 'launch',
    defaultValue: [],
    hasVariables: true,
    describe: () => l10n.t('Command line arguments, one string each.'),
  }),
  field({
    name: 'env',
    group: 'environment',
    label: () => l10n.t('Environment variables'),
    type: 'map',
    kind: 'stdio',
    role: 'launch',
    defaultValue: {},
    isSecret: true,
    hasVariables: true,
    aliases: ['environment'],
    describe: () =>
      l10n.t(
        'Environment variables of the server, added to a small safe default such as PATH and HOME. The rest of your environment is not passed on.',
      ),
  }),
  field({
    name: 'cwd',
    group: 'environment',
    label: () => l10n.t('Working directory'),
    example: '${workspaceFolder}',
    type: 'string',
    kind: 'stdio',
    role: 'launch',
    hasVariables: true,
    describe: () =>
      l10n.t(
        'Working directory. Default: the workspace folder of the file, or your home directory for a global server.',
      ),
  }),
  field({
    name: 'envFile',
    group: 'environment',
    label: () => l10n.t('Environment file'),
    example: '${workspaceFolder}/.env',
    type: 'string',
    kind: 'stdio',
    role: 'launch',
    hasVariables: true,
    describe: () =>
      l10n.t(
        'File with further environment variables, one `NAME=value` a line, relative to the workspace folder of the file. `env` wins. A file of a folder is part of your consent: when it changes, you are asked again.',
      ),
    formHelp: () =>
      l10n.t(
        'File with further environment variables, one `NAME=value` a line. The variables above win. When a file of a folder changes, you are asked again.',
      ),
  }),
  field({
    name: 'inheritEnv',
    group: 'environment',
    label: () => l10n.t('Pass on the environment of the editor'),
    type: 'boolean',
    kind: 'stdio',
    role: 'launch',
    defaultValue: false,
    formHelp: () =>
      l10n.t(
        'Pass the whole environment of the editor to the server, secrets included. Name single variables instead where you can.',
      ),
    describe: () =>
      l10n.t(
        'Pass the whole environment of the editor to the server, secrets included. Name single variables in `env` instead where you can.',
      ),
  }),
];

export const httpFields: readonly ConfigField[] = [
  field({
    name: 'url',
    group: 'connection',
    label: () => l10n.t('URL'),
    example: 'https://example.com/mcp',
    type: 'string',
    kind: 'http',
    role: 'launch',
    hasVariables: true,
    aliases: ['serverUrl'],
    link: specificationLink,
    formHelp: () => l10n.t('Address of the server, `http:` or `https:`.'),
    describe: () =>
      l10n.t(
        'Address of a remote server, `http:` or `https:`. Exactly one of `command` and `url` must be set.',
      ),
  }),
  field({
    name: 'transport',
    excludedBy: ['type'],
    group: 'connection',
    label: () => l10n.t('Transport'),
    showsFor: 'http',
    choices: () => ({
      auto: l10n.t('Automatic: Streamable HTTP, then SSE'),
      'streamable-http': l10n.t('Streamable HTTP only'),
      sse: l10n.t('SSE only'),
    }),
    type: 'enum',
    role: 'launch',
    defaultValue: 'auto',
    values: ['auto', 'streamable-http', 'sse', 'http', 'stdio'],
    link: specificationLink,
    formHelp: () =>
      l10n.t('How to speak to the server. By default Streamable HTTP is tried first, then SSE.'),
    describe: () =>
      l10n.t(
        'How to speak to a remote server. `auto` tries Streamable HTTP first and falls back to SSE.',
      ),
  }),
  field({
    name: 'headers',
    group: 'connection',
    label: () => l10n.t('Headers'),
    type: 'map',
    kind: 'http',
    role: 'launch',
    defaultValue: {},
    isSecret: true,
    hasVariables: true,
    aliases: ['http_headers'],
    describe: () => l10n.t('HTTP headers that are sent with every request.'),
  }),
  field({
    name: 'auth',
    group: 'account',
    label: () => l10n.t('Authentication'),
    choices: () => ({
      bearer: l10n.t('Bearer token'),
      oauth: 'OAuth',
      false: l10n.t('Never'),
    }),
    type: 'enum',
    kind: 'http',
    role: 'launch',
    values: ['bearer', 'oauth', false],
    formHelp: () => l10n.t('How to authenticate with the server.'),
    describe: () =>
      l10n.t(
        'How to authenticate: `bearer` with `bearerToken` or `bearerTokenEnv`, `oauth`, or `false` for never. A client as Cursor writes it, `CLIENT_ID`, `CLIENT_SECRET` and `scopes`, is read as `oauth`.',
      ),
  }),
  field({
    name: 'bearerToken',
    excludedBy: ['bearerTokenEnv', 'oauth'],
    group: 'account',
    label: () => l10n.t('Bearer token'),
    type: 'string',
    kind: 'http',
    role: 'launch',
    isSecret: true,
    hasVariables: true,
    describe: () => l10n.t('Token for the `Authorization: Bearer` header.'),
  }),
  field({
    name: 'bearerTokenEnv',
    excludedBy: ['bearerToken', 'oauth'],
    group: 'account',
    label: () => l10n.t('Variable with the bearer token'),
    example: 'DOCS_TOKEN',
    type: 'string',
    kind: 'http',
    role: 'launch',
    aliases: ['bearer_token_env_var'],
    describe: () => l10n.t('Name of the environment variable that holds the bearer token.'),
  }),
  field({
    name: 'ignoreCertificateErrors',
    group: 'connection',
    label: () => l10n.t('Accept invalid certificates'),
    type: 'boolean',
    kind: 'http',
    role: 'launch',
    defaultValue: false,
    describe: () =>
      l10n.t(
        'Accept any TLS certificate. Anyone on the network path can then read and change the traffic.',
      ),
  }),
  field({
    name: 'oauth',
    excludedBy: ['bearerToken', 'bearerTokenEnv'],
    group: 'account',
    label: () => l10n.t('OAuth'),
    fields: oauthFields,
    type: 'object',
    kind: 'http',
    role: 'launch',
    describe: () => l10n.t('OAuth client settings of a remote server.'),
  }),
];
