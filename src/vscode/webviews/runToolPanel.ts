import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.js';
import type { JsonObject } from '../../base/json.js';
import { runToolPanelType } from '../../contributions.js';
import type { FolderGateways } from '../../gateway/folderGateways.js';
import { readWholeResult } from '../../mcp/catalog/results/wholeResult.js';
import type { McpServer, McpService } from '../../mcp/mcpApi.js';
import type { McpTool } from '../../mcp/mcpTypes.js';
import { readBinaryFile } from '../../platform/boundedFile.js';
import { oneOfParam, optionalIndexParam, stringParam } from '../../presentation/params.js';
import { checkArguments } from '../../presentation/runTool/checkArguments.js';
import { commandLineOf, curlOf } from '../../presentation/runTool/copiedCall.js';
import { RunHistory } from '../../presentation/runTool/runHistory.js';
import { argumentsParam, runParams } from '../../presentation/runTool/runParams.js';
import { readBlocks } from '../../presentation/runTool/runView.js';
import { ToolRun } from '../../presentation/runTool/toolRun.js';
import { MessageChannel, type MessageHandlers } from '../../protocol/messages.js';
import {
  copyForms,
  type RunToolEvents,
  type RunToolRequests,
} from '../../protocol/tools/runTool.js';
import { toDocumentUri } from '../documents/resourceFiles.js';
import type { ResultDocuments } from '../documents/resultDocuments.js';
import type { ReportError } from '../reportError.js';
import { webviewHtml, webviewOptions } from './webviewHtml.js';

export interface RunTarget {
  readonly server: McpServer;
  readonly tool: McpTool;
}

export interface RunToolPanelParts {
  readonly extensionUri: vscode.Uri;
  readonly service: McpService;
  readonly results: Pick<ResultDocuments, 'open'>;
  readonly workspaceState: vscode.Memento;
  readonly gateways: Pick<FolderGateways, 'folders' | 'onDidChange'>;
  readonly reportError: ReportError;
}

/** Bytes of a file that becomes an argument. */
const maxFileSize = 5 * 1024 * 1024;

/** One tab for each tool that the user runs by hand. */
export class RunToolPanels implements Disposable {
  private readonly opened = new Map</* server and tool */ string, OpenTool>();
  private readonly history: RunHistory;

  constructor(private readonly parts: RunToolPanelParts) {
    this.history = new RunHistory(parts.workspaceState);
  }

  open(target: RunTarget): void {
    const key = `${target.server.id}\n${target.tool.name}`;
    const known = this.opened.get(key);
    if (known) {
      known.panel.reveal();
      return;
    }
    const panel = vscode.window.createWebviewPanel(
      runToolPanelType,
      vscode.l10n.t('Run {0}', target.tool.title ?? target.tool.name),
      vscode.ViewColumn.Active,
      // what is half typed has no other form than the page
      { ...webviewOptions(this.parts.extensionUri), retainContextWhenHidden: true },
    );
    const tab = new OpenTool(panel, target, this.parts, this.history);
    this.opened.set(key, tab);
    panel.onDidDispose(() => {
      this.opened.delete(key);
      tab.dispose();
    });
  }

  dispose(): void {
    for (const { panel } of [...this.opened.values()]) {
      panel.dispose();
    }
  }
}

/** One life of a tab. */
class OpenTool implements Disposable {
  private readonly store = new DisposableStore();
  private readonly channel: MessageChannel<RunToolEvents, RunToolRequests>;
  private readonly run: ToolRun;

  constructor(
    readonly panel: vscode.WebviewPanel,
    target: RunTarget,
    private readonly parts: RunToolPanelParts,
    history: RunHistory,
  ) {
    const { language } = vscode.env;
    const hasGateway = (server: McpServer) => this.gatewayOf(server) !== undefined;
    this.run = new ToolRun(target, { service: parts.service, history, language, hasGateway });
    const { webview } = panel;
    const { extensionUri, service } = parts;
    this.channel = this.store.add(
      new MessageChannel<RunToolEvents, RunToolRequests>({
        post: (message) => void webview.postMessage(message),
        handlers: this.handlers(),
        onHandlerError: (_type, error) => parts.reportError(error),
      }),
    );
    this.store.add(webview.onDidReceiveMessage((message) => this.channel.receive(message)));
    let shown: McpTool | undefined = target.tool;
    this.store.add(
      service.onDidChangeServer((server) => {
        const { offered } = this.run;
        if (server.id === target.server.id && offered !== shown) {
          shown = offered;
          this.channel.notify('changed', offered ? { view: this.run.view } : {});
        }
      }),
    );
    const icons = vscode.Uri.joinPath(extensionUri, 'media', 'icons');
    panel.iconPath = {
      light: vscode.Uri.joinPath(icons, 'piMcp-light.svg'),
      dark: vscode.Uri.joinPath(icons, 'piMcp-dark.svg'),
    };
    this.store.add(
      parts.gateways.onDidChange(() => {
        if (this.run.offered) {
          this.channel.notify('changed', { view: this.run.view });
        }
      }),
    );
    webview.html = webviewHtml(webview, extensionUri, { name: 'runTool', title: panel.title });
  }

  dispose(): void {
    this.run.cancel();
    this.store.dispose();
  }

  private handlers(): MessageHandlers<RunToolRequests> {
    const { run } = this;
    return {
      ready: () => run.view,
      check: async (params) => {
        const problem = await checkArguments(run.tool.inputSchema, argumentsParam(params));
        return problem ?? null;
      },
      run: (params) =>
        run.run(runParams(params), (progress) => this.channel.notify('progress', progress)),
      cancel: () => run.cancel(),
      copy: async (params) => {
        const form = oneOfParam(params, 'as', copyForms);
        await vscode.env.clipboard.writeText(this.copied(form, argumentsParam(params)));
      },
      copyResult: async () => {
        await vscode.env.clipboard.writeText(JSON.stringify(run.last ?? null, undefined, 2));
      },
      pickFile: () => pickFile(),
      openResult: (params) => this.openResult(optionalIndexParam(params, 'file')),
      openResource: (params) => this.openResource(stringParam(params, 'uri')),
      forgetHistory: async () => {
        await run.forgetHistory();
        return run.view;
      },
    };
  }

  private copied(form: (typeof copyForms)[number], args: JsonObject): string {
    if (form === 'json') {
      return JSON.stringify(args, undefined, 2);
    }
    const { definition } = this.run.server;
    const folder = definition.folder && vscode.Uri.parse(definition.folder.uri).fsPath;
    const call = { server: definition.name, tool: this.run.tool.name, args, folder };
    const isPowerShell = process.platform === 'win32';
    return form === 'cli' ? commandLineOf(call, isPowerShell) : curlOf(call, isPowerShell);
  }

  /** A server of the user's own is lent with every folder. */
  private gatewayOf({ definition }: McpServer): string | undefined {
    const { folders } = this.parts.gateways;
    const { folder } = definition;
    return folders.find((uri) => folder === undefined || uri === folder.uri);
  }

  private async openResult(file: number | undefined): Promise<void> {
    if (this.run.last) {
      const { text } = readWholeResult(this.run.last);
      const { files: attachments } = readBlocks(this.run.last);
      const { name: tool } = this.run.tool;
      const server = this.run.server.definition.name;
      await this.parts.results.open({ server, tool, text, attachments }, file);
    }
  }

  private async openResource(uri: string): Promise<void> {
    const isNamed = this.run.last?.content.some(
      (block) => block.type === 'resource_link' && block.uri === uri,
    );
    if (isNamed) {
      const document = toDocumentUri(this.run.server, uri, undefined);
      await vscode.commands.executeCommand('vscode.open', document);
    }
  }
}

/** @throws {HumanError} for what is no file, or too large to be an argument. */
async function pickFile(): Promise<RunToolRequests['pickFile']['result']> {
  const [uri] =
    (await vscode.window.showOpenDialog({ title: vscode.l10n.t('File to Send') })) ?? [];
  if (!uri) {
    return null;
  }
  const bytes = await readBinaryFile(uri.fsPath, maxFileSize);
  const name = uri.path.split('/').at(-1) ?? '';
  return { name, base64: bytes.toString('base64'), size: bytes.byteLength };
}
