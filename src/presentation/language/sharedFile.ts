/** What is said of a file whose servers VS Code itself starts as well. */
import * as l10n from '@vscode/l10n';
import type { ParsedConfigFile } from '../../config/parse/configTypes.js';
import { commandIds } from '../../contributions.js';
import type { TooltipPart } from '../tree/presentation.js';

/** VS Code shows a *Start* of its own above servers of the file. */
export function isReadByVsCode({
  layer,
  shape,
  entries,
}: Pick<ParsedConfigFile, 'layer' | 'shape' | 'entries'>): boolean {
  const isRead = layer === 'project' && (shape === 'mcpServers' || shape === 'bare');
  return isRead && entries.some(({ launch }) => launch !== undefined);
}

/** Title and tooltip of the lens above the servers. */
export function sharedFileLens(): { readonly title: string; readonly tooltip: string } {
  return {
    title: l10n.t('Pi: VS Code\'s own "Start" does not ask for trust'),
    tooltip: l10n.t(
      'VS Code reads this file too. Its "Start", and its chat, run a command of this file in a trusted workspace without showing it to you first. Click to leave this file to Pi MCP.',
    ),
  };
}

/** The same at the name of a server. */
export function sharedFileHover(): readonly TooltipPart[] {
  return [
    {
      kind: 'paragraph',
      text: l10n.t('VS Code\'s own "Start" above the server does not ask for this trust.'),
    },
    {
      kind: 'actions',
      actions: [
        {
          title: l10n.t('Leave This File to Pi MCP'),
          command: commandIds.leaveFileToPi,
          argument: '',
        },
      ],
    },
  ];
}

/** The question before a setting of VS Code is written. Nothing writes it without an answer. */
export function leaveFileQuestion({
  setting,
  value,
  path,
}: {
  readonly setting: string;
  readonly value: string;
  readonly path: string;
}): {
  readonly message: string;
  readonly detail: string;
  readonly write: string;
  readonly keep: string;
} {
  return {
    message: l10n.t('Leave the ".mcp.json" of this workspace to Pi MCP?'),
    detail: [
      l10n.t('This writes the setting "{0}": "{1}" to {2}.', setting, value, path),
      l10n.t(
        "VS Code's own MCP support then starts no server in this workspace: neither those of this file nor those that you set up in VS Code, so its chat has no MCP tools here. Pi MCP goes on as before.",
      ),
      l10n.t('To undo it, remove the setting again.'),
    ].join('\n\n'),
    write: l10n.t('Write Setting'),
    keep: l10n.t('Keep Both'),
  };
}
