/** What the user means with an `@`: asks the extension what there is, and attaches what they choose. */
import type { MentionView } from '../../../../protocol/attachments.js';
import { type MentionMenu, type PageAccess, refusalOf } from '../../pageState.js';

/** Milliseconds between letters in which nothing is asked for. */
const pauseMs = 80;

/** Where an `@` is written. */
export interface MentionInput {
  /** A message that the user changes, as the extension knows it; `undefined`: the next one. */
  readonly into: () => string | undefined;
  readonly text: () => string;
  readonly write: (text: string) => void;
  readonly caret: () => number;
  /** Puts the caret behind what was written. */
  readonly place: (caret: number) => void;
  /** An `@` means nothing here now. Default: it does. */
  readonly isOff?: () => boolean;
}

export class Mentions {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private asked = 0;
  /** The `@` whose menu the user closed. */
  private closed: number | undefined;
  /** Enter was pressed before the rows were there. */
  private isPickWanted = false;

  constructor(
    private readonly page: PageAccess,
    private readonly input: MentionInput,
  ) {}

  /** The `@` that is being written here. */
  get menu(): MentionMenu | undefined {
    const { mention } = this.page.state;
    return mention?.into === this.input.into() ? mention : undefined;
  }

  /** Writes an `@` where the caret is, as if the user had. */
  begin(): void {
    const { input } = this;
    const draft = input.text();
    const at = input.caret();
    const gap = at === 0 || /\s/.test(draft[at - 1] ?? '') ? '' : ' ';
    const caret = at + gap.length + 1;
    input.write(`${draft.slice(0, at)}${gap}@${draft.slice(at)}`);
    input.place(caret);
    this.follow(caret);
  }

  /** Call when the draft or the caret in it is another. */
  follow(caret: number): void {
    const { input, menu: mention } = this;
    const draft = input.text();
    const from = input.isOff?.() ? undefined : mentionAt(draft, caret);
    if (from === undefined) {
      this.closed = undefined;
      this.leave();
      return;
    }
    const query = draft.slice(from + 1, caret);
    if (from === this.closed || (mention?.from === from && mention.query === query)) {
      return;
    }
    this.closed = undefined;
    const rows = mention?.from === from ? mention.rows : [];
    const into = input.into();
    this.page.change({ mention: { into, from, query, rows, index: 0, isAsking: true } });
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.ask(query), query === '' ? 0 : pauseMs);
  }

  select(index: number): void {
    const { menu: mention } = this;
    if (mention) {
      this.page.change({ mention: { ...mention, index } });
    }
  }

  close(): void {
    this.closed = this.menu?.from;
    this.leave();
  }

  /** Attaches a row, whose word takes the place of what was typed. */
  pick(index: number): void {
    const { input, menu: mention } = this;
    const draft = input.text();
    if (mention?.isAsking) {
      this.isPickWanted = true;
      return;
    }
    const row = mention?.rows[index];
    if (!mention || !row) {
      return;
    }
    const before = draft.slice(0, mention.from);
    const after = draft.slice(mention.from + 1 + mention.query.length);
    const gap = after === '' || !/^\s/.test(after) ? ' ' : '';
    const word = row.word === '' ? '' : `@${row.word}${gap}`;
    this.leave();
    input.write(before + word + after);
    input.place(before.length + word.length);
    void this.attach(row.id, mention.into);
  }

  private async attach(id: string, into: string | undefined): Promise<void> {
    await this.page.run(async (send) => {
      const { refused } = await send('mention', { id, into });
      this.page.change({ refusal: refusalOf(refused) });
    });
  }

  private async ask(query: string): Promise<void> {
    const asked = ++this.asked;
    let rows: readonly MentionView[] = [];
    await this.page.run(async (send) => {
      ({ rows } = await send('mentions', { query }));
    });
    const { menu: mention } = this;
    if (asked !== this.asked || mention?.query !== query) {
      return;
    }
    this.page.change({ mention: { ...mention, rows, isAsking: false } });
    if (this.isPickWanted) {
      this.isPickWanted = false;
      this.pick(mention.index);
    }
  }

  private leave(): void {
    clearTimeout(this.timer);
    this.asked++;
    this.isPickWanted = false;
    if (this.menu) {
      this.page.change({ mention: undefined });
    }
  }
}

/** Where the `@` stands whose word the caret is in or behind. No mail address has one that counts, nor what was picked with blanks. */
function mentionAt(draft: string, caret: number): number | undefined {
  const at = caret === 0 ? -1 : draft.lastIndexOf('@', caret - 1);
  const isWord = at !== -1 && !/\s/.test(draft.slice(at, caret)) && draft[at + 1] !== '"';
  return isWord && (at === 0 || /[\s([{"'`]/.test(draft[at - 1] ?? '')) ? at : undefined;
}
