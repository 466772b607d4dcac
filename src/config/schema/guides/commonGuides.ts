import * as l10n from '@vscode/l10n';
import { type FieldGuides, inGroup } from '../guide.js';

const toolPrefixes = () => ({
  server: 'server__tool',
  short: l10n.t('{0}, without a trailing {1}', 'server__tool', '-mcp'),
  none: 'tool',
  mcp: 'mcp__server__tool',
});

/** Of the fields that servers of both kinds may have. */
export const commonGuides: FieldGuides = {
  enabled: {
    label: () => l10n.t('Enabled'),
    describe: () => l10n.t('A disabled server stays in the file and is never started.'),
  },
  disabled: {
    label: () => l10n.t('Disabled'),
    describe: () => l10n.t('A disabled server stays in the file and is never started.'),
  },
  type: {
    label: () => l10n.t('Kind'),
    describe: () => l10n.t('Written by other programs. Not needed here.'),
  },
  lifecycle: {
    label: () => l10n.t('Connects'),
    choices: () => ({
      lazy: l10n.t('On first use'),
      eager: l10n.t('At start, and again when the connection is lost'),
      'keep-alive': l10n.t('At start, and stays connected'),
      'lazy-keep-alive': l10n.t('On first use, and stays connected'),
    }),
  },
  protocolVersion: {
    label: () => l10n.t('Protocol'),
    describe: () => l10n.t('Experimental: all but `legacy`.'),
    choices: () => ({
      legacy: l10n.t('Up to 2025-11-25'),
      auto: l10n.t('Automatic: newest first'),
      '2026-07-28': '2026-07-28',
    }),
  },
  roots: {
    label: () => l10n.t('Folders it is told of'),
    describe: () =>
      l10n.t(
        'Where the server may work. By default the workspace folder, or nowhere if the arguments name a folder outside. A file of the project may name only folders inside its own.',
      ),
    choices: () => ({
      folder: l10n.t('The workspace folder'),
      none: l10n.t('None'),
    }),
  },
  'toolOverrides.description': {
    label: () => l10n.t('Description'),
  },
  'toolOverrides.descriptionPrefix': {
    label: () => l10n.t('Before the description'),
  },
  'toolOverrides.title': {
    label: () => l10n.t('Title'),
  },
  'toolOverrides.readOnly': {
    label: () => l10n.t('Only reads'),
  },
  'toolOverrides.arguments': {
    label: () => l10n.t('Fixed arguments'),
    describe: () =>
      l10n.t(
        'Arguments with fixed values, which go with every call. No model is asked for them or reads the value of `{0}`.',
        '${input:id}',
      ),
  },
  'toolOverrides.hidden': {
    label: () => l10n.t('Hidden from models and clients'),
  },
  ...inGroup('limits', {
    idleTimeout: {
      label: () => l10n.t('Stop when unused for (minutes)'),
      describe: () =>
        l10n.t(
          '0 means never. Left out, an `eager` server is never stopped; one that is kept alive never is.',
        ),
    },
    startupTimeoutMs: {
      label: () => l10n.t('Connect timeout (milliseconds)'),
    },
    requestTimeoutMs: {
      label: () => l10n.t('Request timeout (milliseconds)'),
      describe: () => l10n.t('Resets on progress.'),
    },
    stopGraceMs: {
      label: () => l10n.t('Time to end (milliseconds)'),
      describe: () =>
        l10n.t('After stdin was closed, before SIGTERM. When the window closes, at most 2000.'),
    },
    debug: {
      label: () => l10n.t('Log every message and the traffic'),
    },
  }),
  ...inGroup('tools', {
    exposeResources: {
      label: () => l10n.t('Agent may read resources'),
    },
    definitions: {
      label: () => l10n.t('Changed definitions'),
      describe: () =>
        l10n.t(
          'When the server changes what models read after you trusted it. Default: `hold` for remote servers and those of a folder, else `announce`. A file of the folder can only set `hold`.',
        ),
      choices: () => ({
        hold: l10n.t('Hold until accepted'),
        announce: l10n.t('Use and say so'),
        accept: l10n.t('Use'),
      }),
    },
    exposure: {
      label: () => l10n.t('Exposure of tools'),
      choices: () => ({
        auto: l10n.t('By token budget'),
        direct: l10n.t('Always active'),
        search: l10n.t('Found by search'),
        proxy: l10n.t('Through one tool'),
        hidden: l10n.t('Hidden'),
      }),
    },
    directTools: {
      label: () => l10n.t('Tools that are always active'),
      describe: () => l10n.t('`"search"` leaves all to a search.'),
    },
    includeTools: {
      label: () => l10n.t('Only these tools'),
    },
    excludeTools: {
      label: () => l10n.t('Without these tools'),
    },
    toolOverrides: {
      describe: () =>
        l10n.t(
          'What you say of tools in place of the server. A file of the folder can only set `hidden` to `true`. Experimental.',
        ),
    },
    toolPrefix: {
      label: () => l10n.t('Prefix of tool names'),
      choices: toolPrefixes,
    },
  }),
};
