import * as vscode from 'vscode';
import { CancellationError } from '../../base/async/cancellation.js';
import { errorMessage } from '../../base/errors.js';
import type { McpServerEntry, NewServer } from '../../config/configuration.js';
import { unusableFor } from '../../config/errors.js';
import { parsePastedServers } from '../../config/paste/pastedServers.js';
import { suggestServerName, uniqueName } from '../../config/paste/serverName.js';
import type { McpPool, McpService } from '../../mcp/mcpApi.js';
import { type PickItem, pickOne } from './picks/picks.js';
import { pickTarget } from './picks/serverPicker.js';

export type NewServerAnswer =
  | { readonly kind: 'clipboard' }
  | { readonly kind: 'form' }
  | { readonly kind: 'registry' }
  | {
      readonly kind: 'server';
      readonly pool: McpPool;
      readonly name: string;
      readonly entry: McpServerEntry;
    };

type Kind = 'command' | 'url' | 'npm' | 'pypi' | 'clipboard' | 'form' | 'registry';

interface Source {
  readonly title: string;
  readonly prompt: string;
  readonly placeHolder: string;
  /** @throws {HumanError} for something that is no such server. */
  readonly toEntry: (text: string) => McpServerEntry;
}

/** Asks step by step; a pool that is given is not asked for. @throws a cancellation when the user leaves. */
export async function askNewServer(
  service: McpService,
  given: McpPool | undefined,
): Promise<NewServerAnswer> {
  const kind = await askKind();
  if (kind === 'clipboard' || kind === 'form' || kind === 'registry') {
    return { kind };
  }
  const source = sources()[kind];
  const text = await askText({
    ...source,
    validate: (value) => validateSource(source, value),
  });
  const entry = source.toEntry(text.trim());
  const pool = given ?? (await pickTarget(service));
  const name = await askName(service, pool, entry);
  return { kind: 'server', pool, name, entry };
}

function askKind(): Promise<Kind> {
  const items: readonly PickItem<Kind>[] = [
    {
      label: `$(terminal) ${vscode.l10n.t('Command')}`,
      description: vscode.l10n.t('a program on this machine'),
      value: 'command',
    },
    {
      label: `$(globe) ${vscode.l10n.t('URL')}`,
      description: vscode.l10n.t('a remote server'),
      value: 'url',
    },
    {
      label: `$(package) ${vscode.l10n.t('npm Package')}`,
      description: 'npx',
      value: 'npm',
    },
    {
      label: `$(package) ${vscode.l10n.t('Python Package')}`,
      description: 'uvx',
      value: 'pypi',
    },
    { label: '', kind: vscode.QuickPickItemKind.Separator },
    {
      label: `$(library) ${vscode.l10n.t('From the Registry…')}`,
      description: vscode.l10n.t('search the servers that others have published'),
      value: 'registry',
    },
    {
      label: `$(clippy) ${vscode.l10n.t('From Clipboard')}`,
      description: vscode.l10n.t('a configuration block, a command line, a link or a URL'),
      value: 'clipboard',
    },
    {
      label: `$(edit) ${vscode.l10n.t('Fill In a Form')}`,
      description: vscode.l10n.t('with every field'),
      value: 'form',
    },
  ];
  return pickOne<Kind>(items, {
    title: vscode.l10n.t('Add Server'),
    placeHolder: vscode.l10n.t('What kind of MCP server is it?'),
  });
}

function sources(): Readonly<Record<Exclude<Kind, 'clipboard' | 'form' | 'registry'>, Source>> {
  return {
    command: {
      title: vscode.l10n.t('Add Server: Command'),
      prompt: vscode.l10n.t('The command line, as you would type it in a terminal'),
      placeHolder: 'node server.js --verbose',
      toEntry: commandEntry,
    },
    url: {
      title: vscode.l10n.t('Add Server: URL'),
      prompt: vscode.l10n.t('The address of the server'),
      placeHolder: 'https://example.com/mcp',
      toEntry: commandEntry,
    },
    npm: {
      title: vscode.l10n.t('Add Server: npm Package'),
      prompt: vscode.l10n.t('Package, such as name@1.2.3'),
      placeHolder: '@modelcontextprotocol/server-everything@2026.8.31',
      toEntry: (spec) => ({ command: 'npx', args: ['-y', spec] }),
    },
    pypi: {
      title: vscode.l10n.t('Add Server: Python Package'),
      prompt: vscode.l10n.t('Package, such as name@1.2.3'),
      placeHolder: 'mcp-server-git',
      toEntry: (spec) => ({ command: 'uvx', args: [spec] }),
    },
  };
}

/** One word is a program without arguments, which in a clipboard could be any word. */
function commandEntry(text: string): McpServerEntry {
  if (/^[\w@.+-]+$/.test(text)) {
    return { command: text };
  }
  return parsePastedServers(text)[0]?.entry ?? {};
}

function validateSource({ toEntry }: Source, text: string): string | undefined {
  if (text.trim() === '') {
    return vscode.l10n.t('Enter a value.');
  }
  try {
    toEntry(text.trim());
    return undefined;
  } catch (error) {
    return errorMessage(error);
  }
}

async function askName(service: McpService, pool: McpPool, entry: McpServerEntry): Promise<string> {
  const taken = new Set(pool.servers.map(({ definition }) => definition.name));
  const name = await askText({
    title: vscode.l10n.t('Add Server: Name'),
    prompt: vscode.l10n.t('Its name in {0}', pool.primaryFile),
    placeHolder: '',
    value: uniqueName(suggestServerName(entry), taken),
    validate: (value) => refusalOf({ name: value.trim(), entry }, service, pool),
  });
  return name.trim();
}

/** What stands in the way of adding the server, a file that cannot be written included. */
async function refusalOf(
  { name, entry }: NewServer,
  { configuration }: McpService,
  { id: poolId }: McpPool,
): Promise<string | undefined> {
  try {
    const refusal = await configuration.checkName(name, { poolId, file: 'primary' });
    return (refusal ?? unusableFor(configuration.validate(name, entry)))?.message;
  } catch (error) {
    return errorMessage(error);
  }
}

async function askText(options: {
  readonly title: string;
  readonly prompt: string;
  readonly placeHolder: string;
  readonly value?: string;
  readonly validate: (value: string) => string | undefined | Promise<string | undefined>;
}): Promise<string> {
  const { validate, ...shown } = options;
  const text = await vscode.window.showInputBox({
    ...shown,
    ignoreFocusOut: true,
    validateInput: validate,
  });
  if (text === undefined) {
    throw new CancellationError();
  }
  return text;
}
