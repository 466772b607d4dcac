import * as vscode from 'vscode';
import type { AgentPanelModel, WholeToolResult } from '../../agent/panel/agentApi.js';
import type { Attachments } from '../../agent/panel/attachments/attachments.js';
import type { PanelCommands } from '../../agent/panel/commands/panelCommands.js';
import type { PanelInputs } from '../../agent/panel/inputs.js';
import { Coalescer } from '../../base/async/coalescer.js';
import {
  type Disposable,
  DisposableStore,
  MutableDisposable,
  toDisposable,
} from '../../base/disposable.js';
import { HumanError, isHumanError } from '../../base/errors.js';
import { Emitter } from '../../base/event.js';
import { commandIds, viewIds } from '../../contributions.js';
import type { QuestionCall } from '../../mcp/service/openQuestions.js';
import {
  draftParam,
  oneOfParam,
  optionalIndexParam,
  optionalStringParam,
  stringParam,
} from '../../presentation/params.js';
import { unseenApprovals } from '../../presentation/statusBar/unseenApprovals.js';
import {
  type AgentEvents,
  type AgentRequests,
  type AgentSnapshot,
  type PanelAction,
  panelActions,
} from '../../protocol/agentProtocol.js';
import { MessageChannel, type MessageHandlers } from '../../protocol/messages.js';
import { queueCalls, type SendKind, sendKinds } from '../../protocol/sending.js';
import type { ChangeReview } from '../changes/changeReview.js';
import { CodeTarget } from '../documents/codeTarget.js';
import type { Attaching } from '../mentions/attaching.js';
import { openPage } from '../openPage.js';
import { messageHandlers, promptText, setAgentFocused } from './messageHandlers.js';
import { webviewHtml, webviewOptions } from './webviewHtml.js';

const maxSuggestions = 10;
/** Characters. */
const maxStackLength = 4_000;
/** Milliseconds; a server that connects changes several lists at once. */
const inputsDelayMs = 100;

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

/** The Pi Agent view. Its page is discarded while hidden; the model keeps everything. */
export class AgentViewProvider implements vscode.WebviewViewProvider, Disposable {
  private readonly store = new DisposableStore();
  private readonly view = this.store.add(new MutableDisposable<DisposableStore>());
  private readonly visibilityEmitter = this.store.add(new Emitter<void>());
  private shown: vscode.WebviewView | undefined;

  readonly onDidChangeVisibility = this.visibilityEmitter.event;

  private readonly code = this.store.add(new CodeTarget());
  private readonly suggestEmitter = this.store.add(new Emitter<void>());
  /** Wait for the page to be there. */
  private readonly suggestions: { readonly text: string; readonly server: string }[] = [];

  constructor(private readonly parts: AgentViewParts) {
    this.store.add(vscode.window.registerWebviewViewProvider(viewIds.agent, this));
  }

  get isVisible(): boolean {
    return this.shown?.visible ?? false;
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    const { extensionUri, model, inputs } = this.parts;
    const { webview } = view;
    const store = new DisposableStore();
    this.view.value = store;
    this.shown = view;
    this.visibilityEmitter.fire();
    store.add(view.onDidChangeVisibility(() => this.visibilityEmitter.fire()));
    store.add(showHeading(view, model));
    const channel: MessageChannel<AgentEvents, AgentRequests> = store.add(
      new MessageChannel<AgentEvents, AgentRequests>({
        post: (message) => void webview.postMessage(message),
        handlers: {
          ...this.handlers((snapshot) => {
            channel.notify('snapshot', snapshot);
            // a new page knows nothing
            sentIcons = '[]';
            sendInputs();
            isListening = true;
            sendSuggestions();
          }),
          reloadView: () => load(),
        },
        onHandlerError: (type, error) => this.logUnexpected(type, error),
      }),
    );
    const whenVisible = (send: () => void) => {
      // a hidden view has no page; the next one asks for everything
      if (view.visible) {
        send();
      }
    };
    let sentIcons = '[]';
    const sendInputs = () =>
      whenVisible(() => {
        channel.notify('inputs', inputs.view);
        const icons = JSON.stringify(inputs.icons);
        if (icons !== sentIcons) {
          sentIcons = icons;
          channel.notify('icons', inputs.icons);
        }
      });
    let isListening = false;
    store.add(
      view.onDidChangeVisibility(() => {
        isListening &&= view.visible;
      }),
    );
    const sendSuggestions = () => {
      for (const suggestion of isListening ? this.suggestions.splice(0) : []) {
        channel.notify('suggestion', suggestion);
      }
    };
    store.add(this.suggestEmitter.event(sendSuggestions));
    store.add(model.onDidAskToFind(() => whenVisible(() => channel.notify('find', undefined))));
    const updateInputs = store.add(
      new Coalescer(async () => sendInputs(), { delayMs: inputsDelayMs }),
    );
    store.add(inputs.onDidChange(() => updateInputs.request()));
    store.add(webview.onDidReceiveMessage((message) => channel.receive(message)));
    store.add(model.onDidChangeState((state) => whenVisible(() => channel.notify('state', state))));
    store.add(
      model.onDidChangeEntries((entries) => whenVisible(() => channel.notify('entries', entries))),
    );
    store.add(
      model.onDidReset((snapshot) => {
        whenVisible(() => channel.notify('snapshot', snapshot));
        // another folder has other servers
        sendInputs();
      }),
    );
    store.add(view.onDidDispose(() => store.dispose()));
    store.add(toDisposable(() => setAgentFocused(false)));
    webview.options = webviewOptions(extensionUri);
    const load = () => {
      isListening = false;
      webview.html = webviewHtml(webview, extensionUri, {
        name: 'agent',
        title: vscode.l10n.t('Pi Agent'),
      });
    };
    load();
  }

  /** Shows the view and puts a text into the draft; the user decides whether to send it. */
  async suggest(text: string, server: string): Promise<void> {
    if (this.suggestions.length < maxSuggestions) {
      this.suggestions.push({ text, server });
    }
    await vscode.commands.executeCommand(`${viewIds.agent}.focus`);
    this.suggestEmitter.fire();
  }

  dispose(): void {
    this.store.dispose();
  }

  private handlers(
    sendSnapshot: (snapshot: AgentSnapshot) => void,
  ): Omit<MessageHandlers<AgentRequests>, 'reloadView'> {
    const { model } = this.parts;
    return {
      // loading the agent takes seconds; until then the state says so
      ready: () => {
        // what the page before this one began to change is left as it was
        model.queue?.release();
        void model
          .ensureSession()
          .then(sendSnapshot)
          .catch((error: unknown) => this.logUnexpected('ready', error));
        return model.snapshot();
      },
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
      selectModel: (params) =>
        model.selectModel(stringParam(params, 'provider'), stringParam(params, 'id')),
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
      openApp: (params) => this.parts.openApp(stringParam(params, 'callId')),
      pageFailed: (params) => {
        const stack = stringParam(params, 'stack').slice(0, maxStackLength);
        // places in our code alone: the rest may quote the conversation
        const places = [...stack.matchAll(/\bagent\.js:\d+:\d+/g)].map(([place]) => place);
        this.parts.logError(`agent view, cannot be drawn: ${places.join(' ')}`);
      },
      openLink: (params) => openLink(stringParam(params, 'href')),
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

/** What VS Code shows of the view outside of its page: the conversation's title, and a badge for what waits out of sight. */
function showHeading(
  view: vscode.WebviewView,
  panel: Pick<AgentPanelModel, 'snapshot' | 'onDidChangeState' | 'onDidReset'>,
): Disposable {
  const store = new DisposableStore();
  const render = () => {
    const { state } = panel.snapshot();
    const unseen = unseenApprovals(state, view.visible);
    view.description = state.title;
    view.badge = unseen && { value: unseen.count, tooltip: unseen.text };
  };
  store.add(panel.onDidChangeState(render));
  store.add(panel.onDidReset(render));
  store.add(view.onDidChangeVisibility(render));
  render();
  return store;
}
