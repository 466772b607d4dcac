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
        'The program that is started: a name is looked up on the PATH, a path counts from the working directory.',
      ),
    example: 'npx',
    link: specificationLink,
  },
  args: {
    label: () => l10n.t('Arguments'),
  },
  url: {
    label: () => l10n.t('URL'),
    example: 'https://example.com/mcp',
    link: specificationLink,
  },
  transport: {
    label: () => l10n.t('Transport'),
    choices: () => ({
      auto: l10n.t('Automatic: Streamable HTTP, then SSE'),
      'streamable-http': 'Streamable HTTP',
      sse: 'SSE',
    }),
    link: specificationLink,
  },
  headers: {
    label: () => l10n.t('HTTP headers'),
  },
  ignoreCertificateErrors: {
    label: () => l10n.t('Accept invalid certificates'),
    describe: () => l10n.t('Anyone on the network path can then read and change the traffic.'),
  },
  ...inGroup('environment', {
    env: {
      label: () => l10n.t('Environment variables'),
      describe: () =>
        l10n.t(
          'Added to a small safe default such as PATH and HOME. The rest of your environment is not passed on.',
        ),
    },
    cwd: {
      label: () => l10n.t('Working directory'),
      describe: () =>
        l10n.t(
          'Default: the workspace folder of the file, or your home directory for a User server.',
        ),
      example: '${workspaceFolder}',
    },
    envFile: {
      label: () => l10n.t('Environment file'),
      describe: () =>
        l10n.t(
          'One `NAME=value` a line, relative to the workspace folder, or your home directory for a User server. Variables of the entry win. When a file of a folder changes, you are asked again.',
        ),
      example: '${workspaceFolder}/.env',
    },
    inheritEnv: {
      label: () => l10n.t('Pass on the environment of the editor'),
      describe: () =>
        l10n.t('Everything, secrets included. Name single variables instead where you can.'),
    },
  }),
  ...inGroup('account', {
    auth: {
      label: () => l10n.t('Authentication'),
      choices: () => ({
        bearer: l10n.t('Bearer token'),
        oauth: 'OAuth',
        false: l10n.t('Never'),
      }),
    },
    bearerToken: {
      label: () => l10n.t('Bearer token'),
    },
    bearerTokenEnv: {
      label: () => l10n.t('Environment variable with the bearer token'),
      example: 'DOCS_TOKEN',
    },
    oauth: {
      label: () => 'OAuth',
    },
  }),
};
