import * as vscode from 'vscode';
import { type CompletionPlace, completionPlace } from '../../config/language/completionPlace.js';
import { projectPackages } from '../../config/language/projectPackages.js';
import { entrySnippets } from '../../config/schema/schema.js';
import type { McpService } from '../../mcp/mcpApi.js';
import type { HostEnvironment } from '../../platform/ports.js';
import { serverOfEntry } from '../../presentation/language/entryServer.js';
import { openVariableAt } from '../../presentation/language/stringAt.js';
import { firstLine } from '../../presentation/tree/presentation.js';
import type { ConfigFiles, OpenConfig } from './configFiles.js';
import { toRange } from './ranges.js';

/** What the schema cannot know: variables, tools of a server, servers that the project has installed. */
export class ConfigCompletionProvider implements vscode.CompletionItemProvider {
  static readonly triggerCharacters = ['$', '{', ':', '"'];

  constructor(
    private readonly files: ConfigFiles,
    private readonly service: McpService,
    private readonly environment: HostEnvironment,
  ) {}

  async provideCompletionItems(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<vscode.CompletionItem[]> {
    const config = this.files.read(document);
    if (!config) {
      return [];
    }
    const text = document.getText();
    const offset = document.offsetAt(position);
    const variable = openVariableAt(text, offset);
    if (variable) {
      return this.variables(config, toRange(document, variable));
    }
    const place = completionPlace(text, offset, config.file);
    switch (place?.kind) {
      case 'server-name':
        return [...(await this.packages(config, document, place)), ...newServers(document, place)];
      case 'tool-name':
        return this.tools(config, place.server, toRange(document, place.range));
      default:
        return [];
    }
  }

  private variables({ poolId }: OpenConfig, range: vscode.Range): vscode.CompletionItem[] {
    const item = (text: string, detail: string, order: string) =>
      itemOf(text, vscode.CompletionItemKind.Variable, { detail, range, sortText: order + text });
    const place = vscode.l10n.t('Filled in when the server starts');
    const variable = vscode.l10n.t('Environment variable');
    const inputs = this.service.getPool(poolId)?.inputs ?? [];
    return [
      item('${workspaceFolder}', place, '0'),
      item('${userHome}', place, '0'),
      ...inputs.map(({ id, description }) =>
        item(`\${input:${id}}`, description ?? vscode.l10n.t('Asked for once'), '0'),
      ),
      ...Object.keys(this.environment.allVariables()).map((name) =>
        item(`\${env:${name}}`, variable, '1'),
      ),
    ];
  }

  private tools(
    { poolId, file }: OpenConfig,
    name: string,
    range: vscode.Range,
  ): vscode.CompletionItem[] {
    const entry = file.entries.find((candidate) => candidate.name === name);
    const server = serverOfEntry(this.service, poolId, entry ?? { name, kind: 'overrides' });
    return (server?.catalog.value.tools ?? []).map((tool) => {
      const detail = firstLine(tool.description);
      const kind = vscode.CompletionItemKind.Function;
      return itemOf(JSON.stringify(tool.name), kind, { detail, range });
    });
  }

  private async packages(
    { folder, file }: OpenConfig,
    document: vscode.TextDocument,
    place: NamePlace,
  ): Promise<vscode.CompletionItem[]> {
    if (folder?.fsPath === undefined) {
      return [];
    }
    const taken = new Set(file.entries.map(({ name }) => name));
    const packages = await projectPackages(folder.fsPath);
    return packages
      .filter(({ name }) => !taken.has(name))
      .map(({ name, packageName, entry }) => {
        const quoted = JSON.stringify(name);
        return itemOf(quoted, vscode.CompletionItemKind.Module, {
          detail: vscode.l10n.t('Package {0}', packageName),
          range: toRange(document, place.range),
          insertText: place.hasValue ? quoted : `${quoted}: ${writtenEntry(entry, place)}`,
        });
      });
  }
}

type NamePlace = Extract<CompletionPlace, { kind: 'server-name' }>;

/** A whole entry of either kind, for who types a new one. */
function newServers(document: vscode.TextDocument, place: NamePlace): vscode.CompletionItem[] {
  if (place.hasValue) {
    return [];
  }
  const range = toRange(document, place.range);
  return entrySnippets().map(({ label, body }) => {
    const text = `"\${1:name}": ${writtenEntry(body, place)}`;
    return itemOf(label, vscode.CompletionItemKind.Snippet, {
      range,
      // whatever name was begun
      filterText: document.getText(range) || '"',
      sortText: `~${label}`,
      insertText: new vscode.SnippetString(text),
    });
  });
}

function writtenEntry(entry: unknown, { needsComma }: NamePlace): string {
  return `${JSON.stringify(entry, undefined, 2)}${needsComma ? ',' : ''}`;
}

function itemOf(
  label: string,
  kind: vscode.CompletionItemKind,
  others: Partial<vscode.CompletionItem>,
): vscode.CompletionItem {
  return Object.assign(new vscode.CompletionItem(label, kind), { filterText: label, ...others });
}
