import * as l10n from '@vscode/l10n';
import { nameToken } from '../../base/text/nameToken.js';
import type { FormQuestionView, QuestionCards } from '../../protocol/tools/questions.js';
import type { Announcer } from '../shared/announcer.js';
import { DeliberateKeys, deliberateMs } from '../shared/deliberate.js';

/** Says each card once and moves no focus. What lets something happen is pressed after the card was seen. */
export class CardAttention {
  private said: ReadonlySet<string> = new Set();
  private readonly keys = new DeliberateKeys();

  private isTimed = false;

  /** @param redraw what may be pressed has changed */
  constructor(
    private readonly announcer: Announcer,
    private readonly redraw: () => void,
  ) {
    document.addEventListener(
      'keydown',
      ({ key }) => {
        // on the way to a button, and on it
        if (!['Tab', 'Shift', 'Enter', ' '].includes(key)) {
          this.keys.press(performance.now());
        }
      },
      { capture: true },
    );
    document.addEventListener('visibilitychange', () => {
      this.keys.forget(performance.now());
      this.redraw();
    });
  }

  /** The cards that are drawn now. */
  attend(cards: QuestionCards): void {
    const texts = spokenTexts(cards);
    const fresh = [...texts].filter(([key]) => !this.said.has(key)).map(([, text]) => text);
    this.said = new Set(texts.keys());
    this.keys.show([...texts.keys()], performance.now());
    if (fresh.length > 0) {
      this.announcer.say(fresh.join('\n'));
    }
    if (!this.isTimed && [...texts.keys()].some((key) => !this.isReady(key))) {
      this.isTimed = true;
      setTimeout(() => {
        this.isTimed = false;
        this.redraw();
      }, deliberateMs);
    }
  }

  /** The card is there long enough to have been seen. */
  isReady(key: string): boolean {
    return this.keys.mayAllow(key, performance.now(), true);
  }

  /**
   * @param key as `choice/1`, `form/1`
   * @param isMeant what was pressed before was for this card
   */
  mayConsent(key: string, isMeant: boolean): boolean {
    if (this.keys.mayAllow(key, performance.now(), isMeant)) {
      return true;
    }
    this.announcer.say(l10n.t('This question has just come. Press again to answer.'));
    return false;
  }
}

export function questionTitle({ server }: FormQuestionView): string {
  return l10n.t('Question of an MCP server: {0}', nameToken(server));
}

function spokenTexts({ choices, forms }: QuestionCards): ReadonlyMap<string, string> {
  return new Map([
    ...choices.map(({ id, title, rows }) => {
      const text = [title, ...rows.map(({ label, text }) => `${label}: ${text}`)].join('\n');
      return [`choice/${id}`, text] as const;
    }),
    ...forms.map((form) => [`form/${form.id}`, `${questionTitle(form)}: ${form.message}`] as const),
  ]);
}
