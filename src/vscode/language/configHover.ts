import * as vscode from 'vscode';
import { parseTemplate, type VariablePart } from '../../mcp/config/variables.js';
import type { McpServer, McpService } from '../../mcp/mcpApi.js';
import { serverId, type TextRange } from '../../mcp/mcpTypes.js';
import type { HostEnvironment } from '../../mcp/ports.js';
import { stateIcon, stateRemedy, stateSentence } from '../../mcp/stateText.js';
import { toolCount } from '../views/presentation.js';
import type { ConfigFiles } from './configFiles.js';
import { stringValueAt } from './stringAt.js';

const shownTools = 20;

/** What the schema cannot know: how a server is doing and whether a variable is set. */
export class ConfigHoverProvider implements vscode.HoverProvider {
  constructor(
    private readonly files: ConfigFiles,
    private readonly service: McpService,
    private readonly environment: HostEnvironment,
  ) {}

  provideHover(document: vscode.TextDocument, position: vscode.Position): vscode.Hover | undefined {
    const place = this.files.find(document);
    if (!place) {
      return undefined;
    }
    const offset = document.offsetAt(position);
    const text = document.getText();
    const entry = this.files
      .parse(document)
      ?.entries.find(({ nameRange }) => offset >= nameRange.start && offset <= nameRange.end);
    if (entry) {
      const server = this.service.getServer(serverId(place.poolId, entry.name));
      return server && new vscode.Hover(serverText(server), toRange(document, entry.nameRange));
    }
    const value = stringValueAt(text, offset);
    return value && this.variableHover(document, text, value, offset);
  }

  private variableHover(
    document: vscode.TextDocument,
    text: string,
    value: TextRange,
    offset: number,
  ): vscode.Hover | undefined {
    const part = parseTemplate(text.slice(value.start, value.end)).find(
      (candidate): candidate is VariablePart =>
        candidate.kind === 'variable' &&
        offset >= value.start + candidate.range.start &&
        offset <= value.start + candidate.range.end,
    );
    if (!part) {
      return undefined;
    }
    const range = {
      start: value.start + part.range.start,
      end: value.start + part.range.end,
    };
    const markdown = new vscode.MarkdownString().appendText(this.variableText(part));
    return new vscode.Hover(markdown, toRange(document, range));
  }

  /** Never the value of an environment variable: it may be a secret. */
  private variableText({ variable, fallback }: VariablePart): string {
    switch (variable.kind) {
      case 'env':
        if (this.environment.getVariable(variable.name)) {
          return vscode.l10n.t('Environment variable {0}: set', variable.name);
        }
        return fallback
          ? vscode.l10n.t('Environment variable {0}: not set, the default is used', variable.name)
          : vscode.l10n.t('Environment variable {0}: not set', variable.name);
      case 'input':
        return vscode.l10n.t('Asked for once and kept in the secret storage: {0}', variable.name);
      case 'place':
        return variable.name === 'userHome'
          ? this.environment.homeDir
          : vscode.l10n.t('Filled in when the server starts: {0}', variable.name);
      case 'unknown':
        return vscode.l10n.t('Not a variable that Pi MCP knows: {0}', variable.name);
    }
  }
}

function serverText(server: McpServer): vscode.MarkdownString {
  const state = server.state.value;
  const tools = server.catalog.value.tools;
  const markdown = new vscode.MarkdownString('', true);
  markdown.appendMarkdown(`$(${stateIcon(state).replace('~spin', '')}) `);
  markdown.appendText([stateSentence(state), stateRemedy(state) ?? ''].join(' ').trim());
  if (tools.length > 0) {
    const more = tools.length > shownTools ? ', …' : '';
    const names = tools.slice(0, shownTools).map((tool) => tool.name);
    markdown
      .appendMarkdown('\n\n')
      .appendText(`${toolCount(tools.length)}: ${names.join(', ')}${more}`);
  }
  return markdown;
}

function toRange(document: vscode.TextDocument, { start, end }: TextRange): vscode.Range {
  return new vscode.Range(document.positionAt(start), document.positionAt(end));
}
