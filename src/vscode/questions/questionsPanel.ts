import * as vscode from 'vscode';
import {
  choiceQuestionView,
  formQuestionView,
  type UserQuestions,
} from '../../agent/panel/questionCards.js';
import { DisposableOwner } from '../../base/disposable.js';
import { Emitter } from '../../base/event.js';
import type { McpServerId } from '../../config/definition.js';
import { cardHandlers } from '../../presentation/questions/cardHandlers.js';
import type {
  QuestionCards,
  QuestionPageEvents,
  QuestionPageRequests,
} from '../../protocol/tools/questions.js';
import { PageTabs } from '../webviews/pageTabs.js';
import { channelTo, type PageKit, webviewHtml } from '../webviews/webviewHtml.js';
import type { QuestionCardPage } from './questionQueue.js';

const questionsPanelType = 'piMcp.questions.page';

export type QuestionsPanelParts = Pick<UserQuestions, 'choices' | 'forms'> & PageKit;

/** The tab with all that servers ask. The user opens it; it closes with the last answer. */
export class QuestionsPanel extends DisposableOwner implements QuestionCardPage {
  private readonly visibilityEmitter = this.store.add(new Emitter<void>());
  private readonly tabs: PageTabs<void, OpenQuestionCards>;

  readonly onDidChangeVisibility = this.visibilityEmitter.event;

  constructor(parts: QuestionsPanelParts) {
    super();
    const tell = () => this.visibilityEmitter.fire();
    this.tabs = this.store.add(
      new PageTabs({
        type: questionsPanelType,
        extensionUri: parts.extensionUri,
        titleOf: () => vscode.l10n.t('Questions of MCP Servers'),
        open: (panel) => new OpenQuestionCards(panel, parts, tell),
        onDidClose: tell,
      }),
    );
  }

  /** It shows those of every server. */
  shows(_server: McpServerId): boolean {
    return this.tabs.all.some(({ panel }) => panel.visible);
  }

  open(): void {
    this.tabs.show();
    this.visibilityEmitter.fire();
  }
}

/** One life of the tab. */
class OpenQuestionCards extends DisposableOwner {
  /** @param onDidChangeVisibility the user sees it now, or does not */
  constructor(
    readonly panel: vscode.WebviewPanel,
    private readonly parts: QuestionsPanelParts,
    onDidChangeVisibility: () => void,
  ) {
    super();
    const { extensionUri, choices, forms, logError } = parts;
    const { webview, title } = panel;
    const channel = channelTo<QuestionPageEvents, QuestionPageRequests>(webview, this.store, {
      handlers: { ...cardHandlers({ choices, forms }), ready: () => this.cards },
      logError,
    });
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
    this.store.add(choices.onDidChange(update));
    this.store.add(forms.onDidChange(update));
    this.store.add(panel.onDidChangeViewState(onDidChangeVisibility));
    webview.html = webviewHtml(webview, extensionUri, { name: 'questions', title });
  }

  private get cards(): QuestionCards {
    const { choices, forms } = this.parts;
    return {
      choices: choices.all.map(choiceQuestionView),
      forms: forms.all.map((form) => formQuestionView(form, forms)),
    };
  }
}
