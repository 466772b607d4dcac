/** Tables of the documents that come from the manifest, the command line, the REST routes and the API. */
import { readFileSync } from 'node:fs';
import manifest from '../../../package.json' with { type: 'json' };
import nls from '../../../package.nls.json' with { type: 'json' };
import { problemCodes } from '../../../src/base/errorCodes.js';
import { commandNames, commandSpec } from '../../../src/cli/options/commandTable.js';
import {
  cliOptions,
  longNames,
  type OptionName,
  optionOf,
} from '../../../src/cli/options/optionTable.js';
import { lintRules } from '../../../src/config/lint/lintTypes.js';
import { restRoot, routes } from '../../../src/gateway/rest/restRoutes.js';
import { commandPlaces } from './commandPlaces.js';
import { escapeCell, markdownTable } from './sections.js';

interface Setting {
  readonly default: unknown;
  readonly scope: string;
  readonly enum?: readonly string[];
  readonly description?: string;
  readonly markdownDescription?: string;
}

const { commands, keybindings } = manifest.contributes;
const settings: Readonly<Record<string, Setting>> = manifest.contributes.configuration.properties;

export function settingsTable(): string {
  const rows = Object.entries(settings).map(([id, setting]) => {
    const text = localized(setting.markdownDescription ?? setting.description ?? '');
    const values = setting.enum?.map((value) => `\`${value}\``).join(', ');
    const what = values === undefined ? text : `${text} One of ${values}.`;
    return [
      `\`${id}\``,
      `\`${JSON.stringify(setting.default)}\``,
      setting.scope === 'window' ? 'workspace' : 'user',
      // `#setting#` is a link in the settings of VS Code alone
      escapeCell(what.replaceAll(/`#([\w.]+)#`/g, '`$1`')),
    ];
  });
  return markdownTable(['setting', 'default', 'set by', 'what it does'], rows.sort(byFirst));
}

export function rulesTable(): string {
  const rows = Object.entries(lintRules).map(([rule, severity]) => [
    `\`${rule}\``,
    severity,
    escapeCell(problemCodes[rule as keyof typeof lintRules]),
  ]);
  return markdownTable(['rule', 'severity', 'what it says'], rows);
}

/** Title, id, and where it is found. */
export function commandsTable(): string {
  const rows = commands.map(({ command, title }) => [
    `*${localized(title)}*`,
    `\`${command}\``,
    commandPlaces(command).join(' · '),
  ]);
  return markdownTable(['command', 'id', 'where'], rows.sort(byFirst));
}

export function keysTable(): string {
  const titles = new Map(commands.map(({ command, title }) => [command, localized(title)]));
  const rows = keybindings.map(({ command, key, mac = key }) => [
    `*${titles.get(command) ?? command}*`,
    `\`${key}\``,
    `\`${mac}\``,
  ]);
  return markdownTable(['command', 'key', 'on macOS'], rows);
}

export function cliCommandsTable(): string {
  const rows = commandNames.map((name) => {
    const { syntax, summary, options } = commandSpec(name);
    return [
      `\`${escapeCell(`${name} ${syntax}`.trim())}\``,
      escapeCell(summary),
      options.map((option) => `\`--${option}\``).join(' '),
    ];
  });
  return markdownTable(['command', 'what it does', 'options'], rows);
}

export function cliOptionsTable(): string {
  const rows = (Object.keys(cliOptions) as OptionName[]).map((name) => {
    const { short, value, text, choices } = optionOf(name);
    const spellings = [
      ...(short === undefined ? [] : [`-${short}`]),
      ...longNames(name).map((one) => `--${one}`),
    ];
    const values = choices === undefined ? '' : ` (${choices.join(', ')})`;
    const written = spellings.map((one) => `\`${one}\``).join(', ');
    return [value === undefined ? written : `${written} \`${value}\``, escapeCell(text + values)];
  });
  return markdownTable(['option', 'what it says'], rows);
}

export function routesTable(): string {
  const rows = routes.map(({ method, template, grant, projectId, summary }) => [
    `\`${method} ${restRoot}${template}\``,
    `${grant}${projectId === undefined ? '' : `, \`projectId\` ${projectId}`}`,
    escapeCell(summary),
  ]);
  return markdownTable(['route', 'token', 'what it does'], rows);
}

/** The members of the API with what is said of each where it is declared. */
export function apiTable(): string {
  const source = readFileSync('src/presentation/extensionApi.ts', 'utf8');
  const [, body = ''] = /interface PiMcpApi \{([\s\S]*?)\n\}/.exec(source) ?? [];
  const members = body.matchAll(
    /(?:\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s+)?^ {2}(?:readonly )?(\w+.*);$/gm,
  );
  const rows = [...members].map(([, comment = '', member = '']) => [
    `\`${escapeCell(member)}\``,
    escapeCell(plainComment(comment)),
  ]);
  return markdownTable(['member', 'what it says'], rows);
}

function plainComment(comment: string): string {
  const lines = comment.split('\n').map((line) => line.replace(/^\s*\*? ?/, '').trim());
  return lines
    .filter(Boolean)
    .map((line) => line.replace(/^@param (\w+) /, '`$1`: '))
    .join(' ')
    .replaceAll(/\{@link (\w+)\}/g, '`$1`');
}

function localized(text: string): string {
  const key = /^%(.+)%$/.exec(text)?.[1];
  const texts: Readonly<Record<string, string>> = nls;
  return key === undefined ? text : (texts[key] ?? text);
}

function byFirst([one = '']: readonly string[], [other = '']: readonly string[]): number {
  return one < other ? -1 : 1;
}
