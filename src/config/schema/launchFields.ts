/** What decides which program runs or which address is reached. */
import { type ConfigField, field } from './field.js';
import { oauthFields } from './oauthFields.js';

const ofProgram = { kind: 'stdio', role: 'launch' } as const;
const ofRemote = { kind: 'http', role: 'launch' } as const;

export const stdioFields: readonly ConfigField[] = [
  field('command', 'string-or-strings', ofProgram),
  field('args', 'strings', { ...ofProgram, defaultValue: [] }),
  field('env', 'map', {
    ...ofProgram,
    defaultValue: {},
    isSecret: true,
    aliases: ['environment'],
  }),
  field('cwd', 'string', ofProgram),
  field('envFile', 'string', ofProgram),
  field('inheritEnv', 'boolean', { ...ofProgram, defaultValue: false }),
];

export const httpFields: readonly ConfigField[] = [
  field('url', 'string', { ...ofRemote, aliases: ['serverUrl'] }),
  field('transport', 'enum', {
    excludedBy: ['type'],
    showsFor: 'http',
    role: 'launch',
    defaultValue: 'auto',
    values: ['auto', 'streamable-http', 'sse', 'http', 'stdio'],
  }),
  field('headers', 'map', {
    ...ofRemote,
    defaultValue: {},
    isSecret: true,
    aliases: ['http_headers'],
  }),
  field('auth', 'enum', { ...ofRemote, values: ['bearer', 'oauth', false] }),
  field('bearerToken', 'string', {
    ...ofRemote,
    excludedBy: ['bearerTokenEnv', 'oauth'],
    isSecret: true,
  }),
  field('bearerTokenEnv', 'string', {
    ...ofRemote,
    excludedBy: ['bearerToken', 'oauth'],
    aliases: ['bearer_token_env_var'],
  }),
  field('ignoreCertificateErrors', 'boolean', { ...ofRemote, defaultValue: false }),
  field('oauth', 'object', {
    ...ofRemote,
    excludedBy: ['bearerToken', 'bearerTokenEnv'],
    fields: oauthFields,
  }),
];
