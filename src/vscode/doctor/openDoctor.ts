import * as vscode from 'vscode';
import { Coalescer } from '../../base/async/coalescer.js';
import { DisposableOwner } from '../../base/disposable.js';
import { HumanError } from '../../base/errors.js';
import { serverUnknown } from '../../config/errors.js';
import type { Machine } from '../../config/ports.js';
import { commandIds, doctorPanelType } from '../../contributions.js';
import type { McpServer, McpService } from '../../mcp/mcpApi.js';
import type { DoubleStarts } from '../../mcp/otherClients/doubleStarts.js';
import { systemClock } from '../../platform/clock.js';
import { doctorMarkdown } from '../../presentation/doctor/doctorMarkdown.js';
import { type DoctorFindings, doctorReport } from '../../presentation/doctor/doctorReport.js';
import { readDoubleStarts } from '../../presentation/doctor/doubleStarts.js';
import { endingQuestion, endingText } from '../../presentation/doctor/endingText.js';
import { type LookParts, lookAround } from '../../presentation/doctor/lookAround.js';
import { editorProblem } from '../../presentation/doctor/serverReport.js';
import { type Manifest, versionFacts } from '../../presentation/doctor/versions.js';
import type { ServerAdvice } from '../../presentation/language/serverAdvice.js';
import { stringParam, stringsParam } from '../../presentation/params.js';
import type {
  DoctorEnding,
  DoctorEvents,
  DoctorReport,
  DoctorRequests,
} from '../../protocol/doctor/doctorProtocol.js';
import type { MessageChannel, MessageHandlers } from '../../protocol/messages.js';
import { confirm } from '../notifications.js';
import { PageTabs } from '../webviews/pageTabs.js';
import { channelTo, type PageKit, webviewHtml } from '../webviews/webviewHtml.js';
import { serverName } from '../workspace/serverName.js';

export interface DoctorTabParts extends PageKit {
  readonly service: McpService;
  readonly machine: Machine;
  readonly advice: ServerAdvice;
  readonly doubleStarts: DoubleStarts;
  readonly manifest: Manifest;
}

/** Milliseconds. A start changes the state of a server several times. */
const updateDelayMs = 150;

/** What is behind the tab of Doctor while that is open. */
class OpenDoctor extends DisposableOwner {
  private readonly channel: MessageChannel<DoctorEvents, DoctorRequests>;
  private findings: DoctorFindings | undefined;
  /** As the page shows it. */
  private shown: DoctorReport | undefined;

  constructor(
    panel: vscode.WebviewPanel,
    private readonly parts: DoctorTabParts,
  ) {
    super();
    const { extensionUri, service, advice, logError } = parts;
    const { webview } = panel;
    this.channel = channelTo(webview, this.store, { handlers: this.handlers(), logError });
    const update = this.store.add(
      new Coalescer(async () => this.update(), { delayMs: updateDelayMs }),
    );
    for (const event of [
      service.onDidChangeServer,
      service.onDidChangePools,
      service.trust.onDidChange,
      advice.onDidChange,
    ]) {
      this.store.add(event(() => update.request()));
    }
    const { doubleStarts } = parts;
    const starts = this.store.add(
      new Coalescer(() => this.updateStarts(), { delayMs: updateDelayMs }),
    );
    this.store.add(doubleStarts.onDidChange(() => starts.request()));
    webview.html = webviewHtml(webview, extensionUri, { name: 'doctor', title: panel.title });
  }

  private handlers(): MessageHandlers<DoctorRequests> {
    return {
      look: async () => {
        this.findings = await this.lookAround();
        return this.report(this.findings);
      },
      copy: async () => {
        if (this.shown) {
          await vscode.env.clipboard.writeText(`${doctorMarkdown(this.shown)}\n`);
        }
      },
      endLeftovers: (params) => this.endLeftovers(stringsParam(params, 'keys')),
      openServer: async (params) => {
        const id = stringParam(params, 'id');
        if (!this.shown?.servers.some((one) => one.id === id)) {
          throw serverUnknown();
        }
        await vscode.commands.executeCommand(commandIds.openServer, id);
      },
    };
  }

  private async lookAround(): Promise<DoctorFindings> {
    await this.parts.doubleStarts.refresh();
    return lookAround(this.lookParts);
  }

  private get lookParts(): LookParts {
    const { service, machine, doubleStarts } = this.parts;
    return {
      service,
      servers: service.servers,
      ...machine,
      nameOf,
      seen: doubleStarts.all,
    };
  }

  /** What is known of other clients, or was said to it, has changed. */
  private async updateStarts(): Promise<void> {
    const doubleStarts = this.findings && (await readDoubleStarts(this.lookParts));
    if (this.findings && doubleStarts) {
      this.findings = { ...this.findings, doubleStarts };
      this.update();
    }
  }

  private report(findings: DoctorFindings): DoctorReport {
    const { service, machine, advice, manifest } = this.parts;
    const remote = vscode.env.remoteName;
    const editor = `${vscode.env.appName} ${vscode.version}${remote === undefined ? '' : `, ${remote}`}`;
    this.shown = doctorReport({
      service,
      servers: service.servers,
      environment: machine.environment,
      nameOf,
      problemOf: editorProblem,
      adviceOf: (server) => advice.of(server),
      versions: versionFacts(manifest, { label: vscode.l10n.t('Editor'), text: editor }),
      findings,
      now: systemClock.now(),
      language: vscode.env.language,
    });
    return this.shown;
  }

  /** What only a look finds stays as it was found. */
  private update(): void {
    if (this.findings && !this.store.isDisposed) {
      this.channel.notify('report', this.report(this.findings));
    }
  }

  /** @returns undefined when the user does not want it. */
  private async endLeftovers(keys: readonly string[]): Promise<DoctorEnding | undefined> {
    const { leftovers } = this.parts.service;
    // nothing but what the page was shown
    const chosen = (this.shown?.leftovers ?? []).filter(({ key }) => keys.includes(key));
    if (chosen.length === 0) {
      throw new HumanError('nothing_to_pick', vscode.l10n.t('This is not there any more.'));
    }
    const { message, ...question } = endingQuestion(chosen);
    if (!(await confirm(message, question))) {
      return undefined;
    }
    const outcomes = await leftovers.end(chosen.map(({ key }) => key));
    if (this.findings) {
      this.findings = { ...this.findings, leftovers: await leftovers.list() };
    }
    this.update();
    return endingText(outcomes);
  }
}

function nameOf({ definition }: McpServer): string {
  return serverName(definition);
}

/** The tab that says what this machine has, and which servers do not work. */
export function doctorPanel(parts: DoctorTabParts): PageTabs<void, DisposableOwner> {
  return new PageTabs({
    type: doctorPanelType,
    extensionUri: parts.extensionUri,
    titleOf: () => vscode.l10n.t('Doctor'),
    open: (panel) => new OpenDoctor(panel, parts),
  });
}
