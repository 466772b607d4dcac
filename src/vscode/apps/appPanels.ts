import * as vscode from 'vscode';
import { AppLife } from '../../agent/apps/life.js';
import type { AppCall } from '../../agent/apps/sessionApps.js';
import { once } from '../../base/async/once.js';
import { type Disposable, DisposableMap } from '../../base/disposable.js';
import { HumanError } from '../../base/errors.js';
import type { McpServerDefinition } from '../../config/definition.js';
import type { LoggerProvider } from '../../config/ports.js';
import { viewIds } from '../../contributions.js';
import type { AppConsents } from '../../mcp/apps/consents.js';
import { readAppDocument } from '../../mcp/apps/document.js';
import { appPolicy, permissionsOf } from '../../mcp/apps/policy.js';
import type { McpService } from '../../mcp/mcpApi.js';
import { AppPanel } from './appPanel.js';
import { askToShowApp } from './consentPrompt.js';
import { readAppPageFiles } from './html.js';

export interface AppPanelsParts {
  readonly service: McpService;
  readonly consents: AppConsents;
  readonly loggers: LoggerProvider;
  readonly extensionUri: vscode.Uri;
  readonly hostVersion: string;
  readonly suggest: (text: string, server: string) => void;
  /** Asks first. @returns whether it was opened */
  readonly openPage: (
    definition: McpServerDefinition,
    url: string,
    signal: AbortSignal,
  ) => Promise<boolean>;
}

const maxPanels = 10;

/** The apps that are shown now, one for each call. */
export class AppPanels implements Disposable {
  private readonly panels = new DisposableMap</* call id */ string, AppPanel>();
  private readonly files = once(() => readAppPageFiles(this.parts.extensionUri));
  private isDisposed = false;
  /** Ids of calls whose app the user is being asked about. */
  private readonly opening = new Set<string>();

  constructor(private readonly parts: AppPanelsParts) {}

  /** Asks the user first where they have not agreed yet. @throws {HumanError} when the app cannot be shown. */
  async open(call: AppCall): Promise<void> {
    const shown = this.panels.get(call.id);
    if (shown) {
      shown.reveal();
      return;
    }
    if (this.opening.has(call.id)) {
      return;
    }
    this.assertPossible();
    this.opening.add(call.id);
    try {
      await this.openNew(call);
    } finally {
      this.opening.delete(call.id);
    }
  }

  dispose(): void {
    this.isDisposed = true;
    this.panels.dispose();
  }

  private async openNew(call: AppCall): Promise<void> {
    const { service, consents, loggers, hostVersion, suggest, openPage } = this.parts;
    const document = await vscode.window.withProgress({ location: { viewId: viewIds.agent } }, () =>
      readAppDocument(call.server, call.resourceUri),
    );
    const policy = appPolicy(document.needs);
    const permissions = permissionsOf(policy.domains);
    const { definition } = call.server;
    if (!consents.covers(definition, call.folderUri, permissions)) {
      if (!(await askToShowApp(call, policy))) {
        return;
      }
      await consents.allow(definition, call.folderUri, permissions);
    }
    const files = await this.files();
    this.assertPossible();
    const life = new AppLife({ service, consents, call, permissions });
    if (this.isDisposed || this.panels.has(call.id) || life.state.value.kind === 'over') {
      life.dispose();
      return;
    }
    const logger = loggers.forServer(definition);
    logger.log('info', `App ${call.resourceUri}: ${policy.contentSecurityPolicy}`);
    const panel = new AppPanel({
      app: { call, document, policy },
      files,
      life,
      hostVersion,
      logger,
      suggest,
      askToOpen: (url, signal) => openPage(definition, url, signal),
    });
    this.panels.set(call.id, panel);
    panel.onDidDispose(() => this.panels.delete(call.id));
  }

  private assertPossible(): void {
    if (!this.parts.service.trust.isWorkspaceTrusted) {
      throw new HumanError(
        'restricted_mode',
        vscode.l10n.t('The workspace is in Restricted Mode.'),
        { remedy: vscode.l10n.t('Trust the workspace.') },
      );
    }
    if ([...this.panels.keys()].length >= maxPanels) {
      throw new HumanError(
        'too_many_apps',
        vscode.l10n.t('{0} apps are open already.', maxPanels),
        { remedy: vscode.l10n.t('Close one of them.') },
      );
    }
  }
}
