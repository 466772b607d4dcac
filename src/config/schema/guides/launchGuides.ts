import * as l10n from '@vscode/l10n';
import { type FieldGuides, inGroup } from '../guide.js';

const specificationLink =
  'https://modelcontextprotocol.io/specification/2025-11-25/basic/transports';

/** Of the fields that decide which program runs or which address is reached. */
export const launchGuides: FieldGuides = {
  command: {
    label: () => l10n.t('Command'),
    describe: () =>
      l10n.t(
        'Command of a stdio server: a name is looked up on the PATH, a path counts from the working directory. Exactly one of `command` and `url` must be set.',
      ),
    formHelp: () =>
      l10n.t(
        'The program that is started: a name is looked up on the PATH, a path counts from the working directory.',
      ),
    example: 'npx',
    link: specificationLink,
  },
  args: {
    label: () => l10n.t('Arguments'),
    describe: () => l10n.t('Command line arguments, one string each.'),
  },
  url: {
    label: () => l10n.t('URL'),
    describe: () =>
      l10n.t(
        'Address of a remote server, `http:` or `https:`. Exactly one of `command` and `url` must be set.',
      ),
    formHelp: () => l10n.t('Address of the server, `http:` or `https:`.'),
    example: 'https://example.com/mcp',
    link: specificationLink,
  },
  transport: {
    label: () => l10n.t('Transport'),
    describe: () =>
      l10n.t(
        'How to speak to a remote server. `auto` tries Streamable HTTP first and falls back to SSE.',
      ),
    formHelp: () =>
      l10n.t('How to speak to the server. By default Streamable HTTP is tried first, then SSE.'),
    choices: () => ({
      auto: l10n.t('Automatic: Streamable HTTP, then SSE'),
      'streamable-http': l10n.t('Streamable HTTP only'),
      sse: l10n.t('SSE only'),
    }),
    link: specificationLink,
  },
  headers: {
    label: () => l10n.t('Headers'),
    describe: () => l10n.t('HTTP headers that are sent with every request.'),
  },
  ignoreCertificateErrors: {
    label: () => l10n.t('Accept invalid certificates'),
    describe: () =>
      l10n.t(
        'Accept any TLS certificate. Anyone on the network path can then read and change the traffic.',
      ),
  },
  ...inGroup('environment', {
    env: {
      label: () => l10n.t('Environment variables'),
      describe: () =>
        l10n.t(
          'Environment variables of the server, added to a small safe default such as PATH and HOME. The rest of your environment is not passed on.',
        ),
    },
    cwd: {
      label: () => l10n.t('Working directory'),
      describe: () =>
        l10n.t(
          'Working directory. Default: the workspace folder of the file, or your home directory for a User server.',
        ),
      example: '${workspaceFolder}',
    },
    envFile: {
      label: () => l10n.t('Environment file'),
      describe: () =>
        l10n.t(
          'File with further environment variables, one `NAME=value` a line, relative to the workspace folder of the file, or your home directory for a User server. `env` wins. A file of a folder is part of what you trust: when it changes, you are asked again.',
        ),
      formHelp: () =>
        l10n.t(
          'File with further environment variables, one `NAME=value` a line. The variables above win. When a file of a folder changes, you are asked again.',
        ),
      example: '${workspaceFolder}/.env',
    },
    inheritEnv: {
      label: () => l10n.t('Pass on the environment of the editor'),
      describe: () =>
        l10n.t(
          'Pass the whole environment of the editor to the server, secrets included. Name single variables in `env` instead where you can.',
        ),
      formHelp: () =>
        l10n.t(
          'Pass the whole environment of the editor to the server, secrets included. Name single variables instead where you can.',
        ),
    },
  }),
  ...inGroup('account', {
    auth: {
      label: () => l10n.t('Authentication'),
      describe: () =>
        l10n.t(
          'How to authenticate: `bearer` with `bearerToken` or `bearerTokenEnv`, `oauth`, or `false` for never. A client as Cursor writes it, `CLIENT_ID`, `CLIENT_SECRET` and `scopes`, is read as `oauth`.',
        ),
      formHelp: () => l10n.t('How to authenticate with the server.'),
      choices: () => ({
        bearer: l10n.t('Bearer token'),
        oauth: 'OAuth',
        false: l10n.t('Never'),
      }),
    },
    bearerToken: {
      label: () => l10n.t('Bearer token'),
      describe: () => l10n.t('Token for the `Authorization: Bearer` header.'),
    },
    bearerTokenEnv: {
      label: () => l10n.t('Variable with the bearer token'),
      describe: () => l10n.t('Name of the environment variable that holds the bearer token.'),
      example: 'DOCS_TOKEN',
    },
    oauth: {
      label: () => l10n.t('OAuth'),
      describe: () => l10n.t('OAuth client settings of a remote server.'),
    },
  }),
};
