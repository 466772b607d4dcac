/** Brings back what the user sent in the conversation, one message after the other, and then what they were writing. */
import type { AgentPageState, PageAccess } from '../pageState.js';

/** What it needs of the page. */
type Page = Pick<PageAccess, 'state' | 'change'>;

interface Place {
  readonly conversation: string;
  /** From the latest one: 0. */
  readonly at: number;
  /** As it was brought back; another draft is a new one. */
  readonly shown: string;
  /** What was being written before. */
  readonly written: string;
}

export class DraftHistory {
  private place: Place | undefined;

  /** @param placeCaret puts it into the draft that was brought back */
  constructor(
    private readonly page: Page,
    private readonly placeCaret: (caret: number) => void,
  ) {}

  /** @returns whether there was one. */
  earlier(): boolean {
    const place = this.current();
    const at = (place?.at ?? -1) + 1;
    const text = sentTexts(this.page.state)[at];
    if (text === undefined) {
      // at the first one the key does nothing, rather than something else
      return place !== undefined;
    }
    const { draft, conversation } = this.page.state;
    this.show({ conversation, at, shown: text, written: place?.written ?? draft }, 0);
    return true;
  }

  /** @returns whether something of the history was shown. */
  later(): boolean {
    const place = this.current();
    if (!place) {
      return false;
    }
    const at = place.at - 1;
    const text = sentTexts(this.page.state)[at];
    if (text === undefined) {
      this.place = undefined;
      this.draw(place.written, place.written.length);
    } else {
      this.show({ ...place, at, shown: text }, text.length);
    }
    return true;
  }

  private current(): Place | undefined {
    const { draft, conversation } = this.page.state;
    const isThere = this.place?.shown === draft && this.place.conversation === conversation;
    return isThere ? this.place : undefined;
  }

  private show(place: Place, caret: number): void {
    this.place = place;
    this.draw(place.shown, caret);
  }

  private draw(draft: string, caret: number): void {
    // a command that comes back opens no menu, which would take the keys
    this.page.change({ draft, isSlashMenuClosed: true, refusal: undefined });
    this.placeCaret(caret);
  }
}

/** The latest first; what was sent twice in a row is one. */
function sentTexts({ transcript }: AgentPageState): readonly string[] {
  const texts = transcript.flatMap((entry) =>
    entry.kind === 'user' && entry.text !== '' ? [entry.text] : [],
  );
  return texts.filter((text, index) => text !== texts[index + 1]).reverse();
}
