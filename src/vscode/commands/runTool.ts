/** Runs a tool by hand: a field for each of its arguments, the call with its progress, and the whole result. */
import * as vscode from 'vscode';
import { CancellationError } from '../../base/async/cancellation.js';
import type { JsonObject } from '../../base/json.js';
import { readWholeResult } from '../../mcp/catalog/results/wholeResult.js';
import {
  type ElicitationContent,
  type ElicitationField,
  elicitationDefaults,
  parseArgumentFields,
} from '../../mcp/connection/reading/elicitationForm.js';
import type { McpServer, McpService } from '../../mcp/mcpApi.js';
import type { McpTool, McpToolResult } from '../../mcp/mcpTypes.js';
import { progressText } from '../../mcp/progressText.js';
import { checkSchema } from '../../mcp/validation/schemaCheck.js';
import { literal } from '../../presentation/literal.js';
import { argumentsOf } from '../../presentation/toolArguments.js';
import type { ResultDocuments } from '../documents/resultDocuments.js';
import type { TextDocuments } from '../documents/textDocuments.js';
import { pickItemsByPool, pickOne } from '../prompts/picks/picks.js';
import { FieldForm } from '../questions/fieldForm.js';
import type { QuestionScreen } from '../questions/questionScreen.js';
import { abortOnCancel } from '../workspace/abortOnCancel.js';
import { serverName } from '../workspace/serverName.js';

export interface ToolRunParts {
  readonly documents: TextDocuments;
  readonly results: Pick<ResultDocuments, 'open'>;
  readonly screen: QuestionScreen;
}

export interface RunTarget {
  readonly server: McpServer;
  readonly tool: McpTool;
}

/** What was sent last to each tool in this window, to begin with the next time. */
export class ToolRunner {
  private readonly last = new Map<string, ElicitationContent>();

  constructor(private readonly parts: ToolRunParts) {}

  /** @throws a cancellation when the user leaves the form or stops the call. */
  async run(target: RunTarget): Promise<void> {
    const args = await this.askForArguments(target);
    const { server, tool } = target;
    const result = await call(target, args);
    const { text, attachments } = readWholeResult(result);
    const name = result.isError ? vscode.l10n.t('{0} (failed)', tool.name) : tool.name;
    const shown = {
      server: server.definition.name,
      tool: name,
      text: text === '' ? vscode.l10n.t('The tool answered without text.') : text,
      attachments: [...imagesOf(result), ...attachments],
    };
    await this.parts.results.open(shown, undefined);
    for (const index of shown.attachments.keys()) {
      await this.parts.results.open(shown, index);
    }
  }

  /** Asks until the arguments fit; a tool that takes none is not asked about. */
  private async askForArguments({ server, tool }: RunTarget): Promise<JsonObject> {
    const { compilePattern } = await import('../../mcp/validation/patterns.js');
    const fields = parseArgumentFields(tool.inputSchema, compilePattern);
    const key = `${server.id}\n${tool.name}`;
    let content = { ...elicitationDefaults(fields), ...this.last.get(key) };
    let message = (tool.description ?? '').trim();
    while (fields.length > 0) {
      content = await this.showForm(tool, fields, content, message);
      const verdict = checkSchema(tool.inputSchema, argumentsOf(fields, content), compilePattern);
      if (verdict.kind !== 'mismatch') {
        break;
      }
      message = vscode.l10n.t('The arguments do not fit: {0}', verdict.detail);
    }
    this.last.set(key, content);
    return argumentsOf(fields, content);
  }

  private async showForm(
    tool: McpTool,
    fields: readonly ElicitationField[],
    values: ElicitationContent,
    message: string,
  ): Promise<ElicitationContent> {
    const { t } = vscode.l10n;
    const { documents, screen } = this.parts;
    const form = new FieldForm({
      documents,
      screen,
      title: t('Run {0}', tool.name),
      message,
      fields,
      values,
      labels: { send: `$(play) ${t('Run')}`, decline: `$(close) ${t('Leave')}` },
    });
    const shown = await form.show(new AbortController().signal);
    if (shown.kind !== 'answered' || !shown.value) {
      throw new CancellationError();
    }
    return shown.value;
  }
}

/** The user picks one of what the servers offer. */
export async function pickTool(service: McpService): Promise<RunTarget> {
  const items = pickItemsByPool(service, ({ servers }) =>
    servers.flatMap((server) =>
      server.catalog.value.tools.map((tool) => ({
        label: `$(tools) ${literal(tool.name)}`,
        description: server.definition.name,
        ...(tool.description && { detail: tool.description.replace(/\s+/g, ' ').slice(0, 200) }),
        value: { server, tool },
      })),
    ),
  );
  return await pickOne<RunTarget>(items, {
    title: vscode.l10n.t('Run Tool'),
    placeHolder: vscode.l10n.t('Choose a tool to run by hand'),
    emptyMessage: vscode.l10n.t('No server offers a tool yet.'),
  });
}

async function call({ server, tool }: RunTarget, args: JsonObject): Promise<McpToolResult> {
  const options = {
    location: vscode.ProgressLocation.Notification,
    title: vscode.l10n.t('{0} of MCP server "{1}" runs', tool.name, serverName(server.definition)),
    cancellable: true,
  };
  return await vscode.window.withProgress(
    options,
    async (progress, token) =>
      await abortOnCancel(token, (signal) =>
        server.callTool(tool.name, args, {
          signal,
          onProgress: (step) => progress.report({ message: progressText(step) }),
        }),
      ),
  );
}

function imagesOf({ content }: McpToolResult) {
  return content.flatMap(({ type, data, mimeType }) =>
    type === 'image' && typeof data === 'string' && typeof mimeType === 'string'
      ? [{ data, mimeType }]
      : [],
  );
}
