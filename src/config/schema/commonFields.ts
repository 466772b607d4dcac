/** What servers of both kinds may have, most of it switches. */
import * as l10n from '@vscode/l10n';
import { defaultGraceMs } from '../../platform/clock.js';
import { type ConfigField, field } from './field.js';

/** Longest time-out of an entry. Milliseconds. */
const maxTimeoutMs = 10 * 60_000;
/** Longest `idleTimeout`, a week; more than a timer can count is no bound but a mistake. Minutes. */
const maxIdleMinutes = 7 * 24 * 60;

const toolPrefixes = () => ({
  server: 'server__tool',
  short: l10n.t('{0}, without a trailing {1}', 'server__tool', '-mcp'),
  none: 'tool',
  mcp: 'mcp__server__tool',
});

export const commonFields: readonly ConfigField[] = [
  field({
    name: 'enabled',
    excludedBy: ['disabled'],
    group: 'connection',
    label: () => l10n.t('Enabled'),
    type: 'boolean',
    defaultValue: true,
    formHelp: () => l10n.t('A server that is switched off stays in the file and is never started.'),
    describe: () => l10n.t('Set to `false` to keep the server without ever starting it.'),
  }),
  field({
    name: 'disabled',
    excludedBy: ['enabled'],
    group: 'connection',
    label: () => l10n.t('Disabled'),
    shownBy: 'enabled',
    type: 'boolean',
    defaultValue: false,
    describe: () => l10n.t('Set to `true` to keep the server without ever starting it.'),
  }),
  field({
    name: 'type',
    excludedBy: ['transport'],
    group: 'connection',
    label: () => l10n.t('Kind'),
    shownBy: 'transport',
    type: 'enum',
    role: 'launch',
    values: ['stdio', 'http', 'sse', 'streamable-http', 'streamableHttp', 'local', 'remote'],
    describe: () =>
      l10n.t(
        'Kind of server as other programs write it. Not needed here: `command` or `url` decides.',
      ),
  }),
  field({
    name: 'lifecycle',
    group: 'connection',
    label: () => l10n.t('Connects'),
    choices: () => ({
      lazy: l10n.t('On first use'),
      eager: l10n.t('At start'),
      'keep-alive': l10n.t('At start, and stays connected'),
      'lazy-keep-alive': l10n.t('On first use, and stays connected'),
    }),
    type: 'enum',
    defaultValue: 'lazy',
    values: ['lazy', 'eager', 'keep-alive', 'lazy-keep-alive'],
    formHelp: () =>
      l10n.t('When the server is started, and whether a lost connection is made again.'),
    describe: () =>
      l10n.t(
        '`lazy` connects on first use, `eager` at start, `keep-alive` at start and again whenever the connection is lost, `lazy-keep-alive` the same from first use on.',
      ),
  }),
  field({
    name: 'idleTimeout',
    group: 'limits',
    label: () => l10n.t('Stop when unused for (minutes)'),
    isSetting: true,
    type: 'number',
    defaultValue: 10,
    minimum: 0,
    maximum: maxIdleMinutes,
    describe: () => l10n.t('Minutes without use before the server is stopped; 0 means never.'),
  }),
  field({
    name: 'startupTimeoutMs',
    group: 'limits',
    label: () => l10n.t('Connect timeout (milliseconds)'),
    isSetting: true,
    type: 'number',
    defaultValue: 30_000,
    minimum: 1,
    maximum: maxTimeoutMs,
    aliases: ['startup_timeout_ms'],
    describe: () => l10n.t('Milliseconds until a connect attempt fails.'),
  }),
  field({
    name: 'requestTimeoutMs',
    group: 'limits',
    label: () => l10n.t('Request timeout (milliseconds)'),
    isSetting: true,
    type: 'number',
    defaultValue: 60_000,
    minimum: 1,
    maximum: maxTimeoutMs,
    describe: () =>
      l10n.t('Milliseconds until a request fails; progress of the server starts the time anew.'),
  }),
  field({
    name: 'stopGraceMs',
    group: 'limits',
    label: () => l10n.t('Time to end (milliseconds)'),
    isSetting: true,
    type: 'number',
    kind: 'stdio',
    defaultValue: defaultGraceMs,
    // a file must not be able to end a server before it has saved its work, nor to keep it alive against the user
    minimum: 500,
    maximum: 10_000,
    describe: () =>
      l10n.t(
        'Milliseconds that a server gets to end after its stdin was closed, before it is told by SIGTERM; for example 5000 for one that closes a browser. When the window closes, at most 2000.',
      ),
  }),
  field({
    name: 'protocolVersion',
    group: 'connection',
    label: () => l10n.t('Protocol'),
    choices: () => ({
      legacy: l10n.t('Up to 2025-11-25'),
      auto: l10n.t('Automatic: newest first'),
      '2026-07-28': '2026-07-28',
    }),
    type: 'enum',
    role: 'launch',
    defaultValue: 'legacy',
    values: ['legacy', 'auto', '2026-07-28'],
    formHelp: () => l10n.t('Generation of the protocol that is spoken.'),
    describe: () =>
      l10n.t('Generation of the protocol that is spoken: `legacy`, `auto` or one version.'),
  }),
  field({
    name: 'exposeResources',
    group: 'tools',
    label: () => l10n.t('Agent may read resources'),
    type: 'boolean',
    defaultValue: true,
    describe: () =>
      l10n.t('Let the agent list and read the resources of the server through a tool.'),
  }),
  field({
    name: 'exposure',
    isSetting: true,
    group: 'tools',
    label: () => l10n.t('Exposure of tools'),
    choices: () => ({
      auto: l10n.t('By token budget'),
      direct: l10n.t('Always active'),
      search: l10n.t('Found by search'),
      proxy: l10n.t('Through one tool'),
      hidden: l10n.t('Hidden'),
    }),
    type: 'enum',
    values: ['auto', 'direct', 'search', 'proxy', 'hidden'],
    formHelp: () => l10n.t('How the tools reach the agent.'),
    describe: () =>
      l10n.t(
        'How tools reach the agent: always active (`direct`), found by search (`search`), through one `mcp` tool (`proxy`), not at all (`hidden`), or by token budget (`auto`).',
      ),
  }),
  field({
    name: 'directTools',
    isSetting: true,
    group: 'tools',
    label: () => l10n.t('Tools that are always active'),
    type: 'boolean-or-strings',
    values: ['search'],
    formHelp: () => l10n.t('Tools that the agent sees without searching for them.'),
    describe: () => l10n.t('`true` or the names of the tools that are always active.'),
  }),
  field({
    name: 'includeTools',
    group: 'tools',
    label: () => l10n.t('Only these tools'),
    type: 'strings',
    aliases: ['enabled_tools'],
    describe: () => l10n.t('The only tools that the agent may see.'),
  }),
  field({
    name: 'excludeTools',
    group: 'tools',
    label: () => l10n.t('Without these tools'),
    type: 'strings',
    aliases: ['disabledTools', 'disabled_tools'],
    describe: () => l10n.t('Tools that the agent never sees.'),
  }),
  field({
    name: 'toolPrefix',
    group: 'tools',
    label: () => l10n.t('Prefix of tool names'),
    isSetting: true,
    settingDefault: 'server',
    choices: toolPrefixes,
    type: 'enum',
    values: ['server', 'short', 'none', 'mcp'],
    describe: () => l10n.t('Prefix of the tool names that the agent sees.'),
  }),
  field({
    name: 'debug',
    group: 'limits',
    label: () => l10n.t('Log every message and the traffic'),
    type: 'boolean',
    defaultValue: false,
    describe: () =>
      l10n.t(
        'Log messages of the server of every level, and the traffic with it. What it writes to stderr is in its log anyway.',
      ),
  }),
];
