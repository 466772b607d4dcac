import '../../../media/webview/questions.css';
import '../shared/components.js';
import * as l10n from '@vscode/l10n';
import { html, nothing, render } from 'lit-html';
import { errorMessage } from '../../base/errors.js';
import type {
  QuestionCards,
  QuestionPageEvents,
  QuestionPageRequests,
} from '../../protocol/tools/questions.js';
import { Announcer } from '../shared/announcer.js';
import { connect, loadL10n } from '../shared/vscodeApi.js';
import { CardAttention } from './cardAttention.js';
import { cardSender } from './cardSender.js';
import { cardViews } from './cards.js';
import { FormAnswers } from './formAnswers.js';

loadL10n();

const root = document.getElementById('root') ?? document.body;
const attention = new CardAttention(new Announcer(), draw);
let cards: QuestionCards = { choices: [], forms: [] };
let failure: string | undefined;

const channel = connect<QuestionPageRequests, QuestionPageEvents>({
  cards: (news) => show(news),
});
const sender = cardSender((type, params) => channel.request(type, params), run);
const forms = new FormAnswers(sender, draw);

void run(async () => show(await channel.request('ready', undefined)));

async function run(work: () => Promise<unknown>): Promise<void> {
  try {
    failure = undefined;
    await work();
  } catch (error) {
    failure = errorMessage(error);
  }
  draw();
}

function show(news: QuestionCards): void {
  cards = news;
  forms.receive(cards);
  draw();
}

function draw(): void {
  const isEmpty = cards.choices.length + cards.forms.length === 0;
  const title = l10n.t('Questions of MCP Servers');
  render(
    html`<main>
      <h1>${title}</h1>
      ${failure === undefined ? nothing : html`<p class="banner error" role="alert">${failure}</p>`}
      ${
        isEmpty
          ? html`<p class="dim">${l10n.t('No MCP server waits for an answer.')}</p>`
          : cardViews(cards, { sender, forms, attention })
      }
    </main>`,
    root,
  );
  attention.attend(cards);
}
