import * as vscode from 'vscode';
import type { ToolFeatures } from '../../agent/policy/toolFeatures.js';
import { type Disposable, DisposableStore } from '../../base/disposable.js';
import type { JsonObject } from '../../base/json.js';
import { serverUnknown } from '../../config/errors.js';
import type { FolderGateways } from '../../gateway/folderGateways.js';
import { readWholeResult } from '../../mcp/catalog/results/wholeResult.js';
import type { McpServer, McpService } from '../../mcp/mcpApi.js';
import type { McpTool } from '../../mcp/mcpTypes.js';
import { readBinaryFile } from '../../platform/boundedFile.js';
import { oneOfParam, optionalIndexParam, stringParam } from '../../presentation/params.js';
import { commandLineOf, curlOf, secretVariables } from '../../presentation/runTool/copiedCall.js';
import type { RunHistory } from '../../presentation/runTool/runHistory.js';
import { argumentsParam, checkArguments, runParams } from '../../presentation/runTool/runParams.js';
import { readBlocks } from '../../presentation/runTool/runView.js';
import { ToolRun } from '../../presentation/runTool/toolRun.js';
import { hideSecrets, withoutSecrets } from '../../presentation/runTool/withoutSecrets.js';
import type { RunSubject } from '../../presentation/tabState.js';
import { MessageChannel, type MessageHandlers } from '../../protocol/messages.js';
import { toolScope } from '../../protocol/server/serverProtocol.js';
import {
  copyForms,
  type LeftOut,
  type RunToolEvents,
  type RunToolRequests,
} from '../../protocol/tools/runTool.js';
import { toDocumentUri } from '../documents/resourceUris.js';
import type { ResultDocuments } from '../documents/resultDocuments.js';
import type { PageKit } from '../webviews/webviewHtml.js';

export interface ToolTabParts extends PageKit {
  readonly service: McpService;
  readonly features: Pick<ToolFeatures, 'statistics'>;
  readonly results: Pick<ResultDocuments, 'open'>;
  readonly history: RunHistory;
  /** Leads through consent where that is missing. */
  readonly connect: (server: McpServer) => Promise<void>;
  readonly gateways: Pick<FolderGateways, 'folders' | 'onDidChange'>;
}

/** Bytes of a file that becomes an argument. */
const maxFileSize = 5 * 1024 * 1024;

/** A tool of the server's page, which the user runs by hand. */
export class ToolTab implements Disposable {
  private readonly store = new DisposableStore();
  readonly channel: MessageChannel<RunToolEvents, RunToolRequests>;
  private readonly run: ToolRun;
  /** As the page has it. */
  private shown: McpTool | undefined;

  constructor(
    webview: vscode.Webview,
    private readonly subject: RunSubject,
    private readonly parts: ToolTabParts,
  ) {
    const { language } = vscode.env;
    const hasGateway = (server: McpServer) => this.gatewayOf(server) !== undefined;
    const { service, features, history } = parts;
    const { statistics } = features;
    this.run = new ToolRun(subject, { service, statistics, history, language, hasGateway });
    this.shown = this.run.offered;
    this.channel = this.store.add(
      new MessageChannel<RunToolEvents, RunToolRequests>({
        post: (message) => void webview.postMessage(message),
        scope: toolScope(subject.tool),
        handlers: this.handlers(),
        logError: parts.logError,
      }),
    );
    this.store.add(service.onDidChangePools(() => this.update()));
    this.store.add(
      service.onDidChangeServer(({ id }) => {
        if (id === subject.serverId) {
          this.update();
        }
      }),
    );
    this.store.add(
      parts.gateways.onDidChange(() => {
        if (this.run.offered) {
          this.channel.notify('changed', { view: this.run.view });
        }
      }),
    );
  }

  dispose(): void {
    this.run.cancel();
    this.store.dispose();
  }

  private handlers(): MessageHandlers<RunToolRequests> {
    const { run } = this;
    return {
      ready: () => run.start,
      keep: (params) => withoutSecrets(run.tool.inputSchema, argumentsParam(params)).args,
      connect: () => this.connect(),
      check: async (params) => {
        const problem = await checkArguments(run.tool.inputSchema, argumentsParam(params));
        return problem ?? null;
      },
      run: (params) =>
        run.run(runParams(params), (progress) => this.channel.notify('progress', progress)),
      cancel: () => run.cancel(),
      copy: async (params) => {
        const form = oneOfParam(params, 'as', copyForms);
        const { text, leftOut } = this.copied(form, argumentsParam(params));
        await vscode.env.clipboard.writeText(text);
        return { leftOut };
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

  private update(): void {
    const { offered, start } = this.run;
    if (start.kind === 'missing') {
      this.channel.notify('missing', start);
    } else if (offered !== this.shown) {
      this.shown = offered;
      this.channel.notify('changed', offered ? { view: start.view } : {});
    }
  }

  private async connect(): Promise<void> {
    const server = this.parts.service.getServer(this.subject.serverId);
    if (!server) {
      throw serverUnknown();
    }
    await this.parts.connect(server);
  }

  private copied(
    form: (typeof copyForms)[number],
    written: JsonObject,
  ): { readonly text: string; readonly leftOut: readonly LeftOut[] } {
    const { server, tool } = this.run;
    const { args, hidden } = hideSecrets(tool.inputSchema, written);
    const words = hidden.map(({ name, word }) => ({ name, place: word }));
    if (form === 'json') {
      return { text: JSON.stringify(args, undefined, 2), leftOut: words };
    }
    const { definition } = server;
    const folder = definition.folder && vscode.Uri.parse(definition.folder.uri).fsPath;
    const call = { server: definition.name, tool: tool.name, args, hidden, folder };
    const shell = process.platform === 'win32' ? 'windows' : 'posix';
    const text = form === 'cli' ? commandLineOf(call, shell) : curlOf(call, shell);
    const variables = secretVariables(hidden);
    return {
      text,
      leftOut: words.map((one, index) => ({ ...one, place: variables[index] ?? one.place })),
    };
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
    (await vscode.window.showOpenDialog({ title: vscode.l10n.t('Choose File…') })) ?? [];
  if (!uri) {
    return null;
  }
  const bytes = await readBinaryFile(uri.fsPath, maxFileSize);
  const name = uri.path.split('/').at(-1) ?? '';
  return { name, base64: bytes.toString('base64'), size: bytes.byteLength };
}
