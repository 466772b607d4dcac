/** Brings back what the user sent, one message after the other, here and then in the folder, and what they were writing. */
import { asMessage } from '../../../base/text/commandLine.js';
import type { AgentPageState, PageAccess } from '../pageState.js';

/** What it needs of the page. */
type Page = Pick<PageAccess, 'state' | 'change' | 'run'>;

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
  /** Of other conversations of the folder, once a user of this one has gone through its own. */
  private others: { readonly conversation: string; readonly texts: readonly string[] } | undefined;

  /** @param placeCaret puts it into the draft that was brought back */
  constructor(
    private readonly page: Page,
    private readonly placeCaret: (caret: number) => void,
  ) {}

  /** @returns whether there was one. */
  earlier(): boolean {
    const place = this.current();
    const at = (place?.at ?? -1) + 1;
    const text = this.texts[at];
    const { draft, conversation } = this.page.state;
    if (text === undefined) {
      // at the first one the key does nothing, rather than something else
      return this.askForOthers() || place !== undefined;
    }
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
    const text = this.texts[at];
    if (text === undefined) {
      this.place = undefined;
      this.draw(place.written, place.written.length);
    } else {
      this.show({ ...place, at, shown: text }, text.length);
    }
    return true;
  }

  private get texts(): readonly string[] {
    const { conversation } = this.page.state;
    const others = this.others?.conversation === conversation ? this.others.texts : [];
    return [...sentTexts(this.page.state), ...others.map(asMessage)];
  }

  /** @returns whether they were asked for, and the key is answered when they come */
  private askForOthers(): boolean {
    const { conversation, draft } = this.page.state;
    if (this.others?.conversation === conversation) {
      return false;
    }
    this.others = { conversation, texts: [] };
    void this.page.run(async (send) => {
      this.others = { conversation, ...(await send('earlierRequests', undefined)) };
      const { state } = this.page;
      if (state.conversation === conversation && state.draft === draft) {
        this.earlier();
      }
    });
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
  const texts = transcript.flatMap((one) => {
    if (one.kind === 'user') {
      return one.text === '' ? [] : asMessage(one.text);
    }
    const { byUser = undefined, words = undefined } = one.kind === 'tool' ? one : {};
    const mark = byUser?.isPrivate ? '!!' : '!';
    return byUser && words?.kind === 'command' ? `${mark}${words.command}` : [];
  });
  return texts.filter((text, index) => text !== texts[index + 1]).reverse();
}
