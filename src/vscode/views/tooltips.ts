import * as vscode from 'vscode';
import type { TooltipPart } from '../../presentation/tree/presentation.js';
import { commandLink, literalMarkdown } from '../../presentation/tree/tooltips/literalMarkdown.js';

/**
 * Parts may hold text from servers and files: it is escaped, and nothing in it can be clicked into a command but those
 * that stand here.
 */
export function toMarkdown(parts: readonly TooltipPart[]): vscode.MarkdownString {
  const markdown = new vscode.MarkdownString('', false);
  const actions = parts.flatMap((part) => (part.kind === 'actions' ? part.actions : []));
  const enabledCommands = actions.map(({ command }) => command);
  markdown.isTrusted = enabledCommands.length > 0 ? { enabledCommands } : false;
  markdown.supportHtml = false;
  for (const part of parts) {
    switch (part.kind) {
      case 'title':
        markdown.appendMarkdown(`**${literalMarkdown(part.text)}**\n\n`);
        break;
      case 'paragraph':
        markdown.appendMarkdown(`${literalMarkdown(part.text)}\n\n`);
        break;
      case 'code':
        markdown.appendCodeblock(part.text, part.language ?? 'text');
        break;
      case 'actions':
        markdown.appendMarkdown(`${part.actions.map(commandLink).join(' | ')}\n\n`);
        break;
    }
  }
  return markdown;
}
