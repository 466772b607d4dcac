import { getLocation } from 'jsonc-parser';
import * as vscode from 'vscode';
import { withRemedy } from '../../base/errors.js';
import { nameToken } from '../../base/text/nameToken.js';
import type { InputStore } from '../../config/inputs/inputStore.js';
import {
  describeValue,
  placeInEntry,
  type ValueDescription,
} from '../../config/language/describeValue.js';
import type { ParsedEntry } from '../../config/parse/configTypes.js';
import type { Machine } from '../../config/ports.js';
import { commandIds } from '../../contributions.js';
import { countToolTokens, loadTokenCounter } from '../../mcp/catalog/tokens/tokenEstimate.js';
import type { McpServer, McpService } from '../../mcp/mcpApi.js';
import { serverOfEntry } from '../../presentation/language/entryServer.js';
import { mayShowValues } from '../../presentation/language/mayShowValues.js';
import { stringValueAt } from '../../presentation/language/stringAt.js';
import { type TooltipPart, toolCount } from '../../presentation/tree/presentation.js';
import { toolLink } from '../../presentation/tree/targets.js';
import { entryTooltip } from '../../presentation/tree/tooltips/serverTooltip.js';
import { toMarkdown } from '../views/tooltips.js';
import { isMarkedByVsCode } from './configDiagnostics.js';
import type { ConfigFiles, OpenConfig } from './configFiles.js';
import type { ConfigProblems } from './configProblems.js';
import { toRange } from './ranges.js';

const shownTools = 20;

export interface HoverParts {
  readonly files: ConfigFiles;
  readonly problems: ConfigProblems;
  readonly service: McpService;
  readonly machine: Machine;
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
    const hints = await this.hintsFor(document, offset, entry);
    if (entry && offset >= entry.nameRange.start && offset <= entry.nameRange.end) {
      const problems = await this.parts.problems.of(document);
      const ofEntry = problems.filter(({ server: name }) => name === entry.name);
      const parts = server
        ? [...entryTooltip(server, ofEntry), ...(await toolParts(server))]
        : hints;
      return toHover(parts, toRange(document, entry.nameRange));
    }
    const ofValue = entry && (await this.valueHover(document, offset, { config, entry, server }));
    return toHover([...(ofValue?.parts ?? []), ...hints], ofValue?.range);
  }

  /** Advice that is not marked in the text: what is at the place, and all of a server at its name. */
  private async hintsFor(
    document: vscode.TextDocument,
    offset: number,
    entry: ParsedEntry | undefined,
  ): Promise<readonly { readonly kind: 'paragraph'; readonly text: string }[]> {
    const { start = -1, end = -1 } = entry?.nameRange ?? {};
    const isName = offset >= start && offset <= end;
    const problems = await this.parts.problems.of(document);
    return problems
      .filter(({ code, severity, range, server }) => {
        const isHere = range !== undefined && offset >= range.start && offset <= range.end;
        // what VS Code says of a syntax error lacks the way out
        const isLeft = code === 'syntax' && isHere && isMarkedByVsCode(document);
        return isLeft || (severity === 'hint' && (isHere || (isName && server === entry?.name)));
      })
      .map(({ message, remedy }) => ({ kind: 'paragraph', text: withRemedy(message, remedy) }));
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
  ): Promise<{ readonly parts: readonly TooltipPart[]; readonly range: vscode.Range } | undefined> {
    const text = document.getText();
    const range = stringValueAt(text, offset);
    if (!range) {
      return undefined;
    }
    const stored = await this.parts.inputs.list();
    const description = describeValue(text.slice(range.start, range.end), {
      ...placeInEntry(entry, getLocation(text, offset).path),
      environment: this.parts.machine.environment,
      folder: config.folder,
      mayResolve: mayShowValues(server, config.folder, this.parts.service.trust),
      storedInputs: new Set(
        stored.filter(({ poolId }) => poolId === config.poolId).map(({ inputId }) => inputId),
      ),
    });
    return description && { parts: valueParts(description), range: toRange(document, range) };
  }
}

function toHover(
  parts: readonly TooltipPart[],
  range: vscode.Range | undefined,
): vscode.Hover | undefined {
  return parts.length === 0 ? undefined : new vscode.Hover(toMarkdown(parts), range);
}

function valueParts({ resolved, facts }: ValueDescription): readonly TooltipPart[] {
  return [
    ...(resolved === undefined ? [] : [{ kind: 'code', text: resolved } as const]),
    ...facts.map((text) => ({ kind: 'paragraph', text }) as const),
  ];
}

async function toolParts(server: McpServer): Promise<readonly TooltipPart[]> {
  const { tools } = server.catalog.value;
  if (tools.length === 0) {
    return [];
  }
  const countTokens = await loadTokenCounter();
  const tokens = tools.reduce((sum, tool) => sum + countToolTokens(tool, countTokens), 0);
  const actions = tools.slice(0, shownTools).map(({ name }) => ({
    title: vscode.l10n.t('Run {0}', nameToken(name)),
    command: commandIds.runTool,
    argument: toolLink(server, name),
  }));
  const isCut = tools.length > shownTools;
  return [
    {
      kind: 'paragraph',
      text: vscode.l10n.t('{0}; {1} tokens', toolCount(tools.length), tokens),
    },
    { kind: 'actions', actions },
    ...(isCut ? [{ kind: 'paragraph', text: '…' } as const] : []),
  ];
}
