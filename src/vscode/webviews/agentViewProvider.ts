import * as vscode from 'vscode';
import type { AgentPanelModel, WholeToolResult } from '../../agent/panel/agentApi.js';
import type { Attachments } from '../../agent/panel/attachments/attachments.js';
import type { PanelCommands } from '../../agent/panel/commands/panelCommands.js';
import type { PanelInputs } from '../../agent/panel/inputs.js';
import { type Disposable, DisposableStore, MutableDisposable } from '../../base/disposable.js';
import { HumanError, isHumanError } from '../../base/errors.js';
import { Emitter } from '../../base/event.js';
import { agentTabType, commandIds, viewIds } from '../../contributions.js';
import type { QuestionCall } from '../../mcp/service/openQuestions.js';
import { toolRequests } from '../../presentation/agentToolRequests.js';
import {
  draftParam,
  oneOfParam,
  optionalIndexParam,
  optionalStringParam,
  stringParam,
} from '../../presentation/params.js';
import { type PanelAction, panelActions } from '../../protocol/agentProtocol.js';
import { queueCalls, type SendKind, sendKinds } from '../../protocol/sending.js';
import type { ChangeReview } from '../changes/changeReview.js';
import { CodeTarget } from '../documents/codeTarget.js';
import type { Attaching } from '../mentions/attaching.js';
import { openPage } from '../openPage.js';
import { type CallHandlers, feedPage, SuggestedTexts } from './agentPageFeed.js';
import { type AgentSurface, createTab, tabSurface, viewSurface } from './agentSurfaces.js';
import { messageHandlers, promptText } from './messageHandlers.js';
import { webviewOptions } from './webviewHtml.js';

const chooseCommands = {
  model: commandIds.chooseModel,
  thinking: commandIds.chooseThinking,
} as const;
/** Characters. */
const maxStackLength = 4_000;

export interface AgentViewParts {
  readonly extensionUri: vscode.Uri;
  readonly model: AgentPanelModel;
  readonly inputs: PanelInputs;
  readonly commands: PanelCommands;
  /** Does nothing for a question that is not open any more. */
  readonly callQuestion: (id: string, call: QuestionCall) => void;
  readonly attachments: Attachments;
  readonly attaching: Attaching;
  /** Opens the file in which the user's Pi looks for models. */
  readonly openModels: () => Promise<void>;
  /** Shows a result, or one of its files, in an editor. */
  readonly openResult: (result: WholeToolResult, file: number | undefined) => Promise<void>;
  readonly review: ChangeReview;
  /** Shows the app of a call. @throws {HumanError} when it cannot be shown. */
  readonly openApp: (callId: string) => Promise<void>;
  /** Logs what was not meant to happen. */
  readonly logError: (message: string) => void;
}

/**
 * Shows the conversation in one place, where its input is: the view, or a tab while there is one. A page is discarded
 * while hidden; the model keeps everything.
 */
export class AgentViewProvider
  implements vscode.WebviewViewProvider, vscode.WebviewPanelSerializer, Disposable
{
  private readonly store = new DisposableStore();
  private readonly view = this.store.add(new MutableDisposable<AgentSurface>());
  private readonly tab = this.store.add(new MutableDisposable<AgentSurface>());
  private readonly visibilityEmitter = this.store.add(new Emitter<void>());
  private readonly placeEmitter = this.store.add(new Emitter<void>());

  readonly onDidChangeVisibility = this.visibilityEmitter.event;

  private readonly code = this.store.add(new CodeTarget());
  private readonly texts = this.store.add(new SuggestedTexts());

  constructor(private readonly parts: AgentViewParts) {
    this.store.add(vscode.window.registerWebviewViewProvider(viewIds.agent, this));
    this.store.add(vscode.window.registerWebviewPanelSerializer(agentTabType, this));
  }

  /** Whether the user sees the conversation. */
  get isVisible(): boolean {
    return this.shown?.isVisible ?? false;
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    const surface = viewSurface(view, this.parts.model, () => this.isVisible);
    this.view.value = surface;
    this.attach(surface);
  }

  async deserializeWebviewPanel(panel: vscode.WebviewPanel): Promise<void> {
    panel.webview.options = webviewOptions(this.parts.extensionUri);
    this.adopt(panel);
  }

  /** Where the conversation is. */
  async show(): Promise<void> {
    if (this.tab.value) {
      this.tab.value.reveal();
    } else {
      await vscode.commands.executeCommand(`${viewIds.agent}.focus`);
    }
  }

  openTab(): void {
    if (this.tab.value) {
      this.tab.value.reveal();
    } else {
      this.adopt(createTab(this.parts.extensionUri));
    }
  }

  /** The view has the conversation again. */
  closeTab(): void {
    this.tab.value?.close();
  }

  private get shown(): AgentSurface | undefined {
    return this.tab.value ?? this.view.value;
  }

  private adopt(panel: vscode.WebviewPanel): void {
    const surface = tabSurface(panel, this.parts.model, this.parts.extensionUri);
    // a second tab, restored from a window that had one, takes the place of the first
    this.tab.value?.close();
    this.tab.value = surface;
    this.attach(surface);
    surface.onDidClose(() => {
      if (this.tab.value === surface) {
        this.tab.value = undefined;
        this.placeEmitter.fire();
        this.visibilityEmitter.fire();
      }
    });
    this.placeEmitter.fire();
  }

  private attach(surface: AgentSurface): void {
    this.visibilityEmitter.fire();
    surface.store.add(surface.onDidChangeVisibility(() => this.visibilityEmitter.fire()));
    feedPage(surface, {
      extensionUri: this.parts.extensionUri,
      model: this.parts.model,
      inputs: this.parts.inputs,
      handlers: this.handlers(),
      isShown: () => this.shown === surface,
      onDidChangePlace: this.placeEmitter.event,
      texts: this.texts,
      logUnexpected: (type, error) => this.logUnexpected(type, error),
    });
  }

  /** Shows the view and puts a text into the draft; the user decides whether to send it. */
  async suggest(text: string, server: string): Promise<void> {
    this.texts.suggest({ text, server });
    await this.show();
  }

  dispose(): void {
    this.store.dispose();
  }

  private handlers(): CallHandlers {
    const { model } = this.parts;
    return {
      prompt: async (params) => ({
        isSent: await this.prompt(promptText(params), optionalKind(params)),
      }),
      ...this.queueHandlers(),
      runCommand: (params) =>
        this.parts.commands.run(promptText(params), this.parts.inputs.promptCommands),
      ...this.parts.attaching.handlers,
      callQuestion: (params) =>
        this.parts.callQuestion(
          stringParam(params, 'id'),
          oneOfParam(params, 'call', ['show', 'leave']),
        ),
      stop: () => model.stop(),
      showEarlier: (params) => {
        const entryId = params && optionalStringParam(params, 'entryId');
        return entryId === undefined ? model.showEarlier() : model.showEntry(entryId);
      },
      showLatest: () => model.showLatest(),
      decide: (params) =>
        model.decide(
          stringParam(params, 'approvalId'),
          oneOfParam(params, 'decision', ['once', 'session', 'folder', 'everywhere', 'deny']),
          optionalStringParam(params, 'args'),
        ),
      choose: async (params) => {
        const what = oneOfParam(params, 'what', ['model', 'thinking']);
        await vscode.commands.executeCommand(chooseCommands[what]);
      },
      selectFolder: (params) => model.selectFolder(stringParam(params, 'uri')),
      showConversation: (params) => model.showConversation(stringParam(params, 'id')),
      runAction: (params) => this.runAction(oneOfParam(params, 'action', panelActions)),
      review: async () => {
        await vscode.commands.executeCommand(
          commandIds.reviewServers,
          model.snapshot().state.folder?.uri,
        );
      },
      cancelCall: (params) => model.cancelCall(stringParam(params, 'entryId')),
      detachTask: (params) => model.detachTask(stringParam(params, 'callId')),
      cancelTask: (params) => model.cancelTask(stringParam(params, 'callId')),
      openResult: async (params) => {
        const result = await model.wholeResult(stringParam(params, 'callId'));
        await this.parts.openResult(result, optionalIndexParam(params, 'file'));
      },
      keepDraft: (params) =>
        model.keepDraft(stringParam(params, 'conversation'), draftParam(params, 'draft')),
      ...this.parts.review.handlers,
      ...messageHandlers(model, this.parts.inputs, this.code),
      ...toolRequests(model),
      openApp: (params) => this.parts.openApp(stringParam(params, 'callId')),
      pageFailed: (params) => {
        const stack = stringParam(params, 'stack').slice(0, maxStackLength);
        // places in our code alone: the rest may quote the conversation
        const places = [...stack.matchAll(/\bagent\.js:\d+:\d+/g)].map(([place]) => place);
        this.parts.logError(`agent view, cannot be drawn: ${places.join(' ')}`);
      },
      openLink: (params) => openLink(stringParam(params, 'href')),
      place: async (params) => {
        if (oneOfParam(params, 'action', ['show', 'bringBack']) === 'bringBack') {
          this.closeTab();
        }
        await this.show();
      },
    };
  }

  private queueHandlers() {
    const { model, inputs } = this.parts;
    return {
      callQueued: async (params: unknown) => {
        const id = stringParam(params, 'id');
        const call = oneOfParam(params, 'call', queueCalls);
        switch (call) {
          case 'remove':
            model.queue?.remove(id);
            break;
          case 'up':
            model.queue?.move(id, -1);
            break;
          case 'down':
            model.queue?.move(id, 1);
            break;
          case 'send':
            await model.queue?.sendNow(id);
            break;
          case 'next':
          case 'after':
            model.queue?.turn(id, call);
            break;
        }
      },
      editQueued: (params: unknown) => ({
        text: model.queue?.hold(stringParam(params, 'id')) ?? '',
      }),
      endEditQueued: async (params: unknown) => {
        const id = stringParam(params, 'id');
        const text = optionalStringParam(params, 'text');
        const body = text === undefined ? undefined : await inputs.composeWords(promptText(params));
        if (text === undefined || !body) {
          model.queue?.release();
        } else {
          model.queue?.edit(id, text, body);
        }
      },
      resumeQueue: () => model.queue?.resume(),
    };
  }

  /** @returns false when the user left a question about the message. */
  private async prompt(text: string, kind: SendKind | undefined): Promise<boolean> {
    const { model, inputs, attachments } = this.parts;
    // another one may be shown by the time that the message is composed
    const { conversation } = model.snapshot();
    const sent = attachments.list;
    const message = await inputs.compose(text);
    if (!message) {
      return false;
    }
    await model.prompt(message, kind, conversation || undefined);
    attachments.clear(sent);
    return true;
  }

  private async runAction(action: PanelAction): Promise<void> {
    const { model, openModels } = this.parts;
    switch (action) {
      case 'logIn':
        await vscode.commands.executeCommand(commandIds.logIn);
        break;
      case 'chooseModel':
      case 'findLocalModels':
      case 'addModelServer':
        await vscode.commands.executeCommand(commandIds[action]);
        break;
      case 'openModels':
        await openModels();
        break;
      case 'reload':
        await model.reloadModels();
        break;
      case 'newConversation':
        await model.newSession();
        break;
      case 'addServer':
        await vscode.commands.executeCommand(commandIds.addServer);
        break;
      case 'manageWorkspaceTrust':
        await vscode.commands.executeCommand(commandIds.manageWorkspaceTrust);
        break;
    }
  }

  private logUnexpected(type: string, error: unknown): void {
    if (!isHumanError(error)) {
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      this.parts.logError(`agent view, ${type}: ${text}`);
    }
  }
}

function optionalKind(params: unknown): SendKind | undefined {
  return optionalStringParam(params, 'kind') === undefined
    ? undefined
    : oneOfParam(params, 'kind', sendKinds);
}

/** @throws {HumanError} for anything but web and mail addresses. */
async function openLink(href: string): Promise<void> {
  const scheme = URL.canParse(href) ? new URL(href).protocol : '';
  if (!['http:', 'https:', 'mailto:'].includes(scheme)) {
    throw new HumanError('link_refused', vscode.l10n.t('This link is not opened.'), {
      remedy: vscode.l10n.t('Only web and mail addresses are.'),
    });
  }
  await openPage(href);
}
