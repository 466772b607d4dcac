import * as vscode from 'vscode';
import { Coalescer } from '../../base/async/coalescer.js';
import { DisposableOwner } from '../../base/disposable.js';
import type { Event } from '../../base/event.js';
import { asObject } from '../../base/json.js';
import { type CommandId, commandIds } from '../../contributions.js';
import type { McpServer } from '../../mcp/mcpApi.js';
import { listRunningServers } from '../../mcp/service/runningServers.js';
import { consentText } from '../../presentation/consent/consentText.js';
import {
  runningServerFacts,
  runningServerHolders,
} from '../../presentation/consent/runningServersText.js';
import { booleanParam, oneOfParam, stringParam } from '../../presentation/params.js';
import { OverrideForms } from '../../presentation/server/overrideForm.js';
import { offerNode } from '../../presentation/server/serverOffers.js';
import { serverPageView } from '../../presentation/server/serverPageView.js';
import type { ServerUpdates, UpdateFacts } from '../../presentation/server/serverUpdates.js';
import type { PresentationContext } from '../../presentation/tree/presentation.js';
import type { FormTarget } from '../../protocol/configProtocol.js';
import { MessageChannel, type MessageHandlers } from '../../protocol/messages.js';
import {
  type OfferKind,
  type OfferUse,
  offerKinds,
  offerUses,
  type ServerAction,
  type ServerPageEvents,
  type ServerPageRequests,
  type ServerPageStart,
  type ServerView,
  serverActions,
  settingsScope,
  toolScope,
  trafficScope,
  type UpdateAction,
  updateActions,
} from '../../protocol/server/serverProtocol.js';
import { confirm } from '../notifications.js';
import { webviewHtml } from '../webviews/webviewHtml.js';
import { abortOnCancel } from '../workspace/cancelling.js';
import { type FormMemory, SettingsTab, type SettingsTabParts } from './settingsTab.js';
import { ToolTab, type ToolTabParts } from './toolTab.js';
import { type TrafficSubject, TrafficTab, type TrafficTabParts } from './trafficTab.js';

// bursts of state changes become one message
const updateDelayMs = 30;
/** Tools of one page that were opened; more is nobody's work. */
const maxTools = 500;

export type ServerSubject =
  | (TrafficSubject & { readonly place?: ServerPageEvents['show']['params'] })
  /** A form without a server. */
  | { readonly kind: 'form'; readonly target: FormTarget; readonly title: string };

export interface ServerPageParts extends ToolTabParts, TrafficTabParts, SettingsTabParts {
  readonly facts: {
    /** Anything that is said of any server may have changed. */
    readonly onDidChange: Event<void>;
    readonly context: PresentationContext;
  };
  readonly switchTool: (server: McpServer, tool: string, isOn: boolean) => Promise<void>;
  readonly memory: FormMemory;
  readonly updates: ServerUpdates;
  /** The user does something in the tab. */
  readonly keep: () => void;
}

/** The server is their argument; what goes wrong they report themselves. */
const commands: Readonly<Record<Exclude<ServerAction, UpdateAction>, CommandId>> = {
  answer: commandIds.answerQuestion,
  fix: commandIds.fixServer,
  folders: commandIds.chooseFolders,
  log: commandIds.showLog,
  move: commandIds.moveServer,
  openFile: commandIds.openConfiguration,
  openServer: commandIds.openServer,
  restart: commandIds.restartServer,
  review: commandIds.reviewServers,
  share: commandIds.chooseStarter,
  signIn: commandIds.signIn,
  signOut: commandIds.signOut,
  start: commandIds.startServer,
  stop: commandIds.stopServer,
  stopCopies: commandIds.stopCopies,
  tasks: commandIds.showTasks,
  trust: commandIds.manageTrust,
  useAccount: commandIds.useAccount,
};

/** One life of the tab of a server, or of a recording. */
export class OpenServerPage extends DisposableOwner {
  private readonly channel: MessageChannel<ServerPageEvents, ServerPageRequests>;
  private readonly updates: Coalescer;
  private traffic: TrafficTab | undefined;
  private settings: SettingsTab | undefined;
  private readonly tools = new Map</* scope */ string, ToolTab>();
  private isOpen = false;
  /** Where the page is to be once it listens. */
  private place: ServerPageEvents['show']['params'] | undefined;
  /** As JSON. */
  private shown = '';

  constructor(
    private readonly panel: vscode.WebviewPanel,
    private readonly subject: ServerSubject,
    private readonly parts: ServerPageParts,
  ) {
    super();
    const { webview, title } = panel;
    this.place = subject.kind === 'form' ? undefined : subject.place;
    this.channel = this.store.add(
      new MessageChannel<ServerPageEvents, ServerPageRequests>({
        post: (message) => void webview.postMessage(message),
        handlers: this.handlers(),
        logError: parts.logError,
      }),
    );
    this.updates = this.store.add(
      new Coalescer(async () => this.update(), { delayMs: updateDelayMs }),
    );
    this.store.add(parts.facts.onDidChange(() => this.updates.request()));
    this.store.add(parts.updates.onDidChange(() => this.updates.request()));
    this.store.add(
      webview.onDidReceiveMessage((message: unknown) => {
        void this.channelOf(asObject(message).scope)?.receive(message);
      }),
    );
    this.store.add(panel.onDidChangeViewState(() => this.look()));
    webview.html = webviewHtml(webview, parts.extensionUri, { name: 'server', title });
  }

  show(place: ServerPageEvents['show']['params']): void {
    if (this.isOpen) {
      this.channel.notify('show', place);
    } else {
      this.place = place;
    }
  }

  /** Somebody does. */
  private look(): void {
    const { panel, subject, parts } = this;
    if (panel.visible && subject.kind === 'live') {
      void parts.service.getServer(subject.id)?.refreshLists();
    }
  }

  /** Made when the page first asks for its tab. */
  private channelOf(scope: unknown): Pick<MessageChannel<object, object>, 'receive'> | undefined {
    const { parts, subject } = this;
    const { webview } = this.panel;
    if (scope === trafficScope && subject.kind !== 'form') {
      this.traffic ??= this.store.add(new TrafficTab(webview, subject, parts));
      return this.traffic.channel;
    }
    if (scope === settingsScope) {
      // one that was saved under another name is gone, and its form has still something to say
      const target = this.settings ? undefined : this.formTarget;
      this.settings ??=
        target && this.store.add(new SettingsTab(webview, target, parts, parts.memory));
      return this.settings?.channel;
    }
    const prefix = toolScope('');
    if (typeof scope !== 'string' || !scope.startsWith(prefix) || subject.kind !== 'live') {
      return this.channel;
    }
    const known = this.tools.get(scope);
    if (known || this.tools.size >= maxTools) {
      return known?.channel;
    }
    const run = { serverId: subject.id, tool: scope.slice(prefix.length) };
    const made = this.store.add(new ToolTab(webview, run, parts));
    this.tools.set(scope, made);
    return made.channel;
  }

  private get formTarget(): FormTarget | undefined {
    const { subject, parts } = this;
    if (subject.kind === 'form') {
      return subject.target;
    }
    const { id = '' } = subject.kind === 'live' ? subject : {};
    const poolId = parts.service.getServer(id)?.definition.poolId;
    return poolId === undefined ? undefined : { poolId, id };
  }

  private get view(): ServerView | undefined {
    const { subject, parts } = this;
    return subject.kind === 'live'
      ? serverPageView(parts.service, subject, parts.facts.context, parts.updates)
      : undefined;
  }

  private update(): void {
    const { view } = this;
    const json = JSON.stringify(view);
    if (this.isOpen && view && json !== this.shown) {
      this.shown = json;
      this.channel.notify('view', view);
    }
    this.traffic?.update();
  }

  private handlers(): MessageHandlers<ServerPageRequests> {
    const { subject, parts } = this;
    const id = subject.kind === 'live' ? subject.id : '';
    const overrides = new OverrideForms({ ...parts, context: parts.facts.context }, id);
    return {
      open: () => this.start(),
      act: async (params) => {
        const action = oneOfParam(params, 'action', serverActions);
        if (isUpdateAction(action)) {
          await this.actOnUpdate(id, action);
          return;
        }
        const command = commands[action];
        await vscode.commands.executeCommand(command, action === 'openServer' ? undefined : id);
      },
      setEnabled: async (params) => {
        const isEnabled = booleanParam(params, 'isEnabled');
        const command = isEnabled ? commandIds.enableServer : commandIds.disableServer;
        await vscode.commands.executeCommand(command, id);
      },
      measure: async () => ({ facts: await this.measured(id) }),
      switchTool: async (params) => {
        const server = parts.service.getServer(id);
        const isOn = booleanParam(params, 'isOn');
        await (server && parts.switchTool(server, stringParam(params, 'tool'), isOn));
      },
      useOffer: async (params) => {
        const kind = oneOfParam(params, 'kind', offerKinds);
        const use = oneOfParam(params, 'use', offerUses);
        const server = parts.service.getServer(id);
        const node = server && offerNode(server, kind, stringParam(params, 'key'));
        await (node && vscode.commands.executeCommand(offerCommand(kind, use), node));
      },
      readOverride: (params) => overrides.read(params),
      weighOverride: (params) => overrides.weigh(params),
      saveOverride: async (params) => {
        await overrides.save(params);
      },
      keep: () => parts.keep(),
    };
  }

  private async actOnUpdate(id: string, action: UpdateAction): Promise<void> {
    const { service, updates } = this.parts;
    const server = service.getServer(id);
    switch (server && action) {
      case 'checkUpdates':
        return await updates.check(server as McpServer);
      case 'skipVersion':
        return await updates.skip(server as McpServer);
      case 'compareTools':
        return await this.askToCompare(server as McpServer);
      case 'update':
        return await this.askToUpdate(id, updates.facts(server as McpServer));
      case undefined:
        return;
    }
  }

  /** What runs is what was shown. */
  private async askToCompare(server: McpServer): Promise<void> {
    const { updates } = this.parts;
    const trial = await updates.describeTrial(server);
    const isWanted =
      trial &&
      (await confirm(vscode.l10n.t('Start {0} once, to read what it offers?', trial.newest), {
        action: vscode.l10n.t('Start'),
        detail: consentText([trial.request]),
      }));
    if (isWanted) {
      await vscode.window.withProgress(
        {
          location: vscode.ProgressLocation.Notification,
          title: vscode.l10n.t('Loading…'),
          cancellable: true,
        },
        (_progress, token) =>
          abortOnCancel(token, (signal) => updates.compare(server, trial, signal)).catch(
            (error: unknown) => {
              if (!token.isCancellationRequested) {
                throw error;
              }
            },
          ),
      );
    }
  }

  /** What is written is what was shown. */
  private async askToUpdate(id: string, facts: UpdateFacts | undefined): Promise<void> {
    const { service, updates } = this.parts;
    const { newest = '', version = '', name = '', launch = '', asks = [] } = facts ?? {};
    const server = service.getServer(id);
    const isWanted =
      server &&
      newest !== '' &&
      (await confirm(vscode.l10n.t('Update {0} from {1} to {2}?', name, version, newest), {
        action: vscode.l10n.t('Update'),
        detail: [
          vscode.l10n.t('Then it runs: {0}', launch),
          ...(asks.length > 0
            ? [vscode.l10n.t('It asks for more than its entry has: {0}', asks.join(', '))]
            : []),
        ].join('\n'),
      }));
    if (isWanted) {
      await updates.update(id, newest);
    }
  }

  private start(): ServerPageStart {
    this.isOpen = true;
    this.look();
    const { view, place, subject } = this;
    this.place = undefined;
    this.shown = JSON.stringify(view);
    if (subject.kind === 'live' && view) {
      const server = this.parts.service.getServer(subject.id);
      void (server && this.parts.updates.opened(server));
      return { kind: 'server', view, ...place };
    }
    return subject.kind === 'form'
      ? { kind: 'alone', tab: 'settings', subject: { form: { ...subject.target } } }
      : {
          kind: 'alone',
          tab: 'traffic',
          subject:
            subject.kind === 'calls'
              ? { calls: subject.id }
              : { recording: 'path' in subject ? subject.path : '' },
        };
  }

  private async measured(id: string): Promise<ServerView['sections'][number]['facts']> {
    const running = await listRunningServers(this.parts.service);
    return running
      .filter(({ server }) => server.id === id)
      .map((one) => ({
        label: vscode.l10n.t('process'),
        text: `${runningServerFacts(one)} · ${runningServerHolders(one)}`,
      }));
  }
}

function offerCommand(kind: OfferKind, use: OfferUse): CommandId {
  if (kind === 'prompt') {
    return commandIds.getPrompt;
  }
  return use === 'open' ? commandIds.openResource : commandIds.attachResource;
}

function isUpdateAction(action: ServerAction): action is UpdateAction {
  return updateActions.some((one) => one === action);
}
