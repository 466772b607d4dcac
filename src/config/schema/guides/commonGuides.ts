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
    describe: () => l10n.t('Set to `false` to keep the server without ever starting it.'),
    formHelp: () => l10n.t('A disabled server stays in the file and is never started.'),
  },
  disabled: {
    label: () => l10n.t('Disabled'),
    describe: () => l10n.t('Set to `true` to keep the server without ever starting it.'),
  },
  type: {
    label: () => l10n.t('Kind'),
    describe: () =>
      l10n.t(
        'Kind of server as other programs write it. Not needed here: `command` or `url` decides.',
      ),
  },
  lifecycle: {
    label: () => l10n.t('Connects'),
    describe: () =>
      l10n.t(
        '`lazy` connects on first use, `eager` at start and again when the connection is lost, `keep-alive` also when a start failed, `lazy-keep-alive` on first use and again when the connection is lost.',
      ),
    formHelp: () =>
      l10n.t('When the server is started, and whether a lost connection is made again.'),
    choices: () => ({
      lazy: l10n.t('On first use'),
      eager: l10n.t('At start'),
      'keep-alive': l10n.t('At start, and stays connected'),
      'lazy-keep-alive': l10n.t('On first use, and stays connected'),
    }),
  },
  protocolVersion: {
    label: () => l10n.t('Protocol'),
    describe: () =>
      l10n.t(
        'Generation of the protocol that is spoken: `legacy`, `auto` or one version. Experimental: all but `legacy`.',
      ),
    formHelp: () => l10n.t('Generation of the protocol that is spoken.'),
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
        'Where the server is told it may work: the workspace folder (`folder`), nowhere (`none`), or a list of folders, of which a file of the project may name only those inside its own folder. Left out, it is the workspace folder, or nowhere if the arguments name a folder outside.',
      ),
    formHelp: () =>
      l10n.t(
        'Where the server is told it may work. By default the workspace folder, or nowhere if the arguments name a folder outside. A file of the project may name only folders inside its own.',
      ),
    choices: () => ({
      folder: l10n.t('The workspace folder'),
      none: l10n.t('None'),
    }),
  },
  'toolOverrides.description': {
    label: () => l10n.t('Description'),
    describe: () => l10n.t('The description, in place of the one of the server.'),
  },
  'toolOverrides.descriptionPrefix': {
    label: () => l10n.t('Before the description'),
    describe: () => l10n.t('Text before the description.'),
  },
  'toolOverrides.title': {
    label: () => l10n.t('Title'),
    describe: () => l10n.t('The title, in place of the one of the server.'),
  },
  'toolOverrides.readOnly': {
    label: () => l10n.t('Only reads'),
    describe: () => l10n.t('Whether the tool only reads, in place of what the server says.'),
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
    label: () => l10n.t('Hidden'),
    describe: () => l10n.t('Set to `true` to keep the tool from models and clients.'),
  },
  ...inGroup('limits', {
    idleTimeout: {
      label: () => l10n.t('Stop when unused for (minutes)'),
      describe: () =>
        l10n.t(
          'Minutes without use before the server is stopped; 0 means never. Left out, an `eager` server is never stopped; one that is kept alive never is.',
        ),
      formHelp: () => l10n.t('Minutes without use before the server is stopped; 0 means never.'),
    },
    startupTimeoutMs: {
      label: () => l10n.t('Connect timeout (milliseconds)'),
      describe: () => l10n.t('Milliseconds until a connect attempt fails.'),
    },
    requestTimeoutMs: {
      label: () => l10n.t('Request timeout (milliseconds)'),
      describe: () =>
        l10n.t('Milliseconds until a request fails; progress of the server resets the time.'),
    },
    stopGraceMs: {
      label: () => l10n.t('Time to end (milliseconds)'),
      describe: () =>
        l10n.t(
          'Milliseconds that a server gets to end after its stdin was closed, before it is told by SIGTERM; for example 5000 for one that closes a browser. When the window closes, at most 2000.',
        ),
    },
    debug: {
      label: () => l10n.t('Log every message and the traffic'),
      describe: () =>
        l10n.t(
          'Log messages of the server of every level, and the traffic with it. What it writes to stderr is in its log anyway.',
        ),
    },
  }),
  ...inGroup('tools', {
    exposeResources: {
      label: () => l10n.t('Agent may read resources'),
      describe: () =>
        l10n.t('Let the agent list and read the resources of the server through a tool.'),
    },
    definitions: {
      label: () => l10n.t('Changed definitions'),
      describe: () =>
        l10n.t(
          'When the server changes a tool, a prompt or its instructions after you trusted it: keep the definition before until you accept (`hold`), use the new one and say so (`announce`), or just use it (`accept`). Left out, it is `hold` for remote servers and those of a folder, else `announce`. A file of the folder can only set `hold`.',
        ),
      formHelp: () => l10n.t('What happens when the server changes what models read.'),
      choices: () => ({
        hold: l10n.t('Hold until accepted'),
        announce: l10n.t('Use and say so'),
        accept: l10n.t('Use'),
      }),
    },
    exposure: {
      label: () => l10n.t('Exposure of tools'),
      describe: () =>
        l10n.t(
          'How tools reach the agent: always active (`direct`), found by search (`search`), through one `mcp` tool (`proxy`), not at all (`hidden`), or by token budget (`auto`).',
        ),
      formHelp: () => l10n.t('How the tools reach the agent.'),
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
      describe: () =>
        l10n.t(
          '`true` or the names of the tools that are always active; `"search"` leaves all to a search.',
        ),
      formHelp: () => l10n.t('Tools that the agent sees without searching for them.'),
    },
    includeTools: {
      label: () => l10n.t('Only these tools'),
      describe: () => l10n.t('The only tools that the agent may see.'),
    },
    excludeTools: {
      label: () => l10n.t('Without these tools'),
      describe: () => l10n.t('Tools that the agent never sees.'),
    },
    toolOverrides: {
      describe: () =>
        l10n.t(
          'What you say of tools in place of the server, by its own names of them: `description`, `descriptionPrefix`, `title`, `readOnly`, `arguments` and `hidden`. A file of the folder can only set `hidden` to `true`. Experimental.',
        ),
    },
    toolPrefix: {
      label: () => l10n.t('Prefix of tool names'),
      describe: () => l10n.t('Prefix of the tool names that the agent sees.'),
      choices: toolPrefixes,
    },
  }),
};
