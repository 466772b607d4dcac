import * as vscode from 'vscode';
import { choiceQuestionView, formQuestionView } from '../../agent/panel/questionCards.js';
import { type Disposable, DisposableStore } from '../../base/disposable.js';
import { Emitter } from '../../base/event.js';
import type { McpServerId } from '../../config/definition.js';
import type { ChoiceQuestions } from '../../mcp/service/choiceQuestions.js';
import type { FormQuestions } from '../../mcp/service/formQuestions.js';
import { cardHandlers } from '../../presentation/questions/cardHandlers.js';
import { MessageChannel } from '../../protocol/messages.js';
import type {
  QuestionCards,
  QuestionPageEvents,
  QuestionPageRequests,
} from '../../protocol/tools/questions.js';
import { webviewHtml, webviewOptions } from '../webviews/webviewHtml.js';
import type { QuestionCardPage } from './questionQueue.js';

const questionsPanelType = 'piMcp.questions.page';

export interface QuestionsPanelParts {
  readonly extensionUri: vscode.Uri;
  readonly choices: ChoiceQuestions;
  readonly forms: FormQuestions;
}

/** The tab with all that servers ask. The user opens it; it closes with the last answer. */
export class QuestionsPanel implements QuestionCardPage, Disposable {
  private readonly visibilityEmitter = new Emitter<void>();
  private panel: vscode.WebviewPanel | undefined;

  readonly onDidChangeVisibility = this.visibilityEmitter.event;

  constructor(private readonly parts: QuestionsPanelParts) {}

  /** It shows those of every server. */
  shows(_server: McpServerId): boolean {
    return this.panel?.visible === true;
  }

  open(): void {
    if (this.panel) {
      this.panel.reveal();
      return;
    }
    const { extensionUri } = this.parts;
    const title = vscode.l10n.t('Questions of MCP Servers');
    this.panel = vscode.window.createWebviewPanel(
      questionsPanelType,
      title,
      vscode.ViewColumn.Active,
      webviewOptions(extensionUri),
    );
    this.fill(this.panel, title);
    this.visibilityEmitter.fire();
  }

  dispose(): void {
    this.panel?.dispose();
    this.visibilityEmitter.dispose();
  }

  private get cards(): QuestionCards {
    const { choices, forms } = this.parts;
    return {
      choices: choices.all.map(choiceQuestionView),
      forms: forms.all.map((form) => formQuestionView(form, forms)),
    };
  }

  private fill(panel: vscode.WebviewPanel, title: string): void {
    const { extensionUri, choices, forms } = this.parts;
    const { webview } = panel;
    const store = new DisposableStore();
    const channel = store.add(
      new MessageChannel<QuestionPageEvents, QuestionPageRequests>({
        post: (message) => void webview.postMessage(message),
        handlers: { ...cardHandlers({ choices, forms }), ready: () => this.cards },
      }),
    );
    let hadCards = false;
    const update = () => {
      const { cards } = this;
      const isEmpty = cards.choices.length + cards.forms.length === 0;
      channel.notify('cards', cards);
      // what is only out of sight comes back with the tab
      if (isEmpty && hadCards && panel.visible) {
        panel.dispose();
      }
      hadCards = !isEmpty;
    };
    store.add(choices.onDidChange(update));
    store.add(forms.onDidChange(update));
    store.add(webview.onDidReceiveMessage((message) => channel.receive(message)));
    store.add(panel.onDidChangeViewState(() => this.visibilityEmitter.fire()));
    panel.onDidDispose(() => {
      this.panel = undefined;
      store.dispose();
      this.visibilityEmitter.fire();
    });
    webview.html = webviewHtml(webview, extensionUri, { name: 'questions', title });
  }
}
