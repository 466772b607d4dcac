/** What commands answer, as values. */
import * as l10n from '@vscode/l10n';
import { counted } from '../../../base/text/counted.js';
import { quotedName } from '../../../base/text/nameToken.js';
import type { McpServer } from '../../../mcp/mcpApi.js';
import { byUrgency } from '../../../mcp/stateKinds.js';
import { stateText } from '../../../mcp/trouble/stateText.js';
import type { CommandAnswer } from '../../../protocol/agentProtocol.js';
import type { ExtensionReport } from '../../pi/extensionReport.js';
import type { ToolSummary } from '../../tools/choice/conversationTools.js';
import type { PanelCommand } from './panelCommand.js';

/** Names of tools that a row lists. */
const maxNames = 40;

export function helpAnswer(commands: readonly PanelCommand[]): CommandAnswer {
  return {
    title: l10n.t('Commands'),
    rows: [
      ...listCommands(commands).map(({ command, usage, text }) => ({
        name: usage === '' ? command : `${command} ${usage}`,
        text,
      })),
      { name: '!', text: l10n.t('Command: runs in the folder, and the model gets the output') },
      {
        name: '!!',
        text: l10n.t('Command: runs in the folder, and the model does not get the output'),
      },
    ],
    notes: [
      l10n.t(
        'Prompts of MCP servers, and skills and prompt templates of Pi, begin with / as well.',
      ),
    ],
  };
}

interface ListedCommand {
  readonly command: string;
  /** Such as `[name]` for an argument that may be left out. */
  readonly usage: string;
  /** Other words for it. */
  readonly others: readonly string[];
  readonly text: string;
  readonly isForIdle: boolean;
}

/** Every command with its subcommands below it. */
export function listCommands(
  commands: readonly PanelCommand[],
  lead = '/',
): readonly ListedCommand[] {
  return commands.flatMap((one): readonly ListedCommand[] => {
    const [name, ...others] = one.words;
    const { argument } = one;
    const command = `${lead}${name}`;
    return [
      {
        command,
        usage: argument ? `[${argument.name}]` : '',
        others: others.map((word) => `${lead}${word}`),
        text: one.describe(),
        isForIdle: one.isForIdle ?? false,
      },
      ...listCommands(one.subcommands ?? [], `${command} `),
    ];
  });
}

export function serversAnswer(servers: readonly McpServer[]): CommandAnswer {
  return {
    title: l10n.t('MCP Servers'),
    rows: byUrgency(servers).map(({ definition, state, catalog }) => {
      const count = catalog.value.tools.length;
      const tools = count === 0 ? [] : [toolCount(count)];
      return {
        name: definition.name,
        text: [stateText(state.value).reason, ...tools].join(', '),
      };
    }),
    notes: noServer(servers),
  };
}

export function statesAnswer(servers: readonly McpServer[]): CommandAnswer {
  return {
    title: l10n.t('MCP Servers'),
    rows: byUrgency(servers).map(({ definition, state }) => {
      const { sentence, fix } = stateText(state.value);
      return {
        name: definition.name,
        text: fix?.how === undefined ? sentence : `${sentence} ${fix.how}`,
      };
    }),
    notes: noServer(servers),
  };
}

function noServer(servers: readonly McpServer[]): readonly string[] {
  return servers.length === 0 ? [l10n.t('No MCP server is configured.')] : [];
}

export function toolsAnswer(
  { builtIn, servers, isSearched }: ToolSummary,
  { loaded, left, note }: ExtensionReport,
): CommandAnswer {
  return {
    title: l10n.t('Tools of This Conversation'),
    rows: [
      { name: l10n.t('Built in'), text: listNames(builtIn) },
      ...serverRows(servers),
      ...loaded.map(({ name, tools, commands, limits }) => ({
        name,
        text: [
          loadedText(true),
          ...labelled(l10n.t('Tools'), tools),
          ...labelled(
            l10n.t('Commands'),
            commands.map((word) => `/${word}`),
          ),
          ...limits,
        ].join(' '),
      })),
      ...left.map(({ name, reason }) => ({
        name,
        text: [loadedText(false), reason].join(' '),
      })),
    ],
    notes: [...searchNotes(isSearched), ...(note === undefined ? [] : [note])],
  };
}

function labelled(label: string, names: readonly string[]): readonly string[] {
  return names.length > 0 ? [`${l10n.t('{0}: {1}', label, listNames(names))}.`] : [];
}

/** Of an extension of Pi. */
export function loadedText(isLoaded: boolean): string {
  return isLoaded ? l10n.t('Pi extension, loaded.') : l10n.t('Pi extension, not loaded.');
}

export function serverToolsAnswer({ servers, isSearched }: ToolSummary): CommandAnswer {
  return {
    title: l10n.t('Tools'),
    rows: serverRows(servers),
    notes: searchNotes(isSearched),
  };
}

function serverRows(servers: ToolSummary['servers']): CommandAnswer['rows'] {
  return servers.map(({ name, tools }) => ({
    name,
    text: l10n.t('{0}: {1}', toolCount(tools.length), listNames(tools)),
  }));
}

function searchNotes(isSearched: boolean): readonly string[] {
  return isSearched
    ? [l10n.t('The model is given the tools of servers as it needs them, through a search.')]
    : [];
}

function listNames(names: readonly string[]): string {
  const shown = names.slice(0, maxNames).map(quotedName).join(', ');
  const more = names.length - maxNames;
  return more > 0 ? l10n.t('{0} and {1} more', shown, more) : shown;
}

function toolCount(count: number): string {
  return counted(l10n.t('1 tool|{0} tools'), count);
}
