import { getLocation } from 'jsonc-parser';
import * as vscode from 'vscode';
import type { InputStore } from '../../config/inputs/inputStore.js';
import {
  describeValue,
  placeInEntry,
  type ValueDescription,
} from '../../config/language/describeValue.js';
import type { ParsedEntry } from '../../config/parse/configTypes.js';
import { countToolTokens, loadTokenCounter } from '../../mcp/catalog/tokens/tokenEstimate.js';
import type { McpServer, McpService } from '../../mcp/mcpApi.js';
import type { HostEnvironment } from '../../platform/ports.js';
import { serverOfEntry } from '../../presentation/language/entryServer.js';
import { mayShowValues } from '../../presentation/language/mayShowValues.js';
import { stringValueAt } from '../../presentation/language/stringAt.js';
import { type TooltipPart, toolCount } from '../../presentation/tree/presentation.js';
import { serverTooltip } from '../../presentation/tree/serverPresentation.js';
import { toMarkdown } from '../views/treeItems.js';
import type { ConfigFiles, OpenConfig } from './configFiles.js';
import { toRange } from './ranges.js';

const shownTools = 20;

export interface HoverParts {
  readonly files: ConfigFiles;
  readonly service: McpService;
  readonly environment: HostEnvironment;
  readonly inputs: InputStore;
}

/** What the schema cannot know: how a server is doing and what its variables stand for. */
export class ConfigHoverProvider implements vscode.HoverProvider {
  constructor(private readonly parts: HoverParts) {}

  async provideHover(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<vscode.Hover | undefined> {
    const config = this.parts.files.read(document);
    if (!config) {
      return undefined;
    }
    const offset = document.offsetAt(position);
    const entry = config.file.entries.find(
      ({ range }) => offset >= range.start && offset <= range.end,
    );
    const server = entry && serverOfEntry(this.parts.service, config.poolId, entry);
    if (entry && offset >= entry.nameRange.start && offset <= entry.nameRange.end) {
      return (
        server &&
        new vscode.Hover(
          toMarkdown([...serverTooltip(server), ...(await toolParts(server))]),
          toRange(document, entry.nameRange),
        )
      );
    }
    return entry && this.valueHover(document, offset, { config, entry, server });
  }

  private async valueHover(
    document: vscode.TextDocument,
    offset: number,
    {
      config,
      entry,
      server,
    }: {
      readonly config: OpenConfig;
      readonly entry: ParsedEntry;
      readonly server: McpServer | undefined;
    },
  ): Promise<vscode.Hover | undefined> {
    const text = document.getText();
    const range = stringValueAt(text, offset);
    if (!range) {
      return undefined;
    }
    const stored = await this.parts.inputs.list();
    const description = describeValue(text.slice(range.start, range.end), {
      ...placeInEntry(entry, getLocation(text, offset).path),
      environment: this.parts.environment,
      folder: config.folder,
      mayResolve: mayShowValues(server, config.folder, this.parts.service.trust),
      storedInputs: new Set(
        stored.filter(({ poolId }) => poolId === config.poolId).map(({ inputId }) => inputId),
      ),
    });
    return description && new vscode.Hover(valueText(description), toRange(document, range));
  }
}

function valueText({ resolved, facts }: ValueDescription): vscode.MarkdownString {
  return toMarkdown([
    ...(resolved === undefined ? [] : [{ kind: 'code', text: resolved } as const]),
    ...facts.map((text) => ({ kind: 'paragraph', text }) as const),
  ]);
}

async function toolParts(server: McpServer): Promise<readonly TooltipPart[]> {
  const { tools } = server.catalog.value;
  if (tools.length === 0) {
    return [];
  }
  const countTokens = await loadTokenCounter();
  const tokens = tools.reduce((sum, tool) => sum + countToolTokens(tool, countTokens), 0);
  const names = tools.slice(0, shownTools).map((tool) => tool.name);
  const more = tools.length > shownTools ? ', …' : '';
  return [
    {
      kind: 'paragraph',
      text: vscode.l10n.t(
        '{0}, about {1} tokens in a request that holds them all',
        toolCount(tools.length),
        tokens,
      ),
    },
    { kind: 'paragraph', text: names.join(', ') + more },
  ];
}
