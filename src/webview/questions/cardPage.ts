import type { CardAttention } from './cardAttention.js';
import type { CardSender } from './cardSender.js';
import type { FormAnswers } from './formAnswers.js';

/** Of the page that shows cards. */
export interface CardPage {
  readonly sender: CardSender;
  readonly forms: FormAnswers;
  readonly attention: CardAttention;
}
