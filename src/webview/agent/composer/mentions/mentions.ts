/** What the user means with an `@`: asks the extension what there is, and attaches what they choose. */
import type { MentionView } from '../../../../protocol/attachments.js';
import type { PageAccess } from '../../pageState.js';
import { refusalOf } from '../refusal.js';

/** What it needs of the page. */
/** Milliseconds between letters in which nothing is asked for. */
const pauseMs = 80;

export class Mentions {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private asked = 0;
  /** The `@` whose menu the user closed. */
  private closed: number | undefined;
  /** Enter was pressed before the rows were there. */
  private isPickWanted = false;

  /**
   * @param caret where it is in the input
   * @param place puts it behind what was written
   */
  constructor(
    private readonly page: PageAccess,
    private readonly caret: () => number,
    private readonly place: (caret: number) => void,
  ) {}

  /** Writes an `@` where the caret is, as if the user had. */
  begin(): void {
    const { draft } = this.page.state;
    const at = this.caret();
    const gap = at === 0 || /\s/.test(draft[at - 1] ?? '') ? '' : ' ';
    const caret = at + gap.length + 1;
    this.page.change({
      draft: `${draft.slice(0, at)}${gap}@${draft.slice(at)}`,
      refusal: undefined,
    });
    this.place(caret);
    this.follow(caret);
  }

  /** Call when the draft or the caret in it is another. */
  follow(caret: number): void {
    const { draft, mention } = this.page.state;
    const from = mentionAt(draft, caret);
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
    this.page.change({ mention: { from, query, rows, index: 0, isAsking: true } });
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.ask(query), query === '' ? 0 : pauseMs);
  }

  select(index: number): void {
    const { mention } = this.page.state;
    if (mention) {
      this.page.change({ mention: { ...mention, index } });
    }
  }

  close(): void {
    this.closed = this.page.state.mention?.from;
    this.leave();
  }

  /** Attaches a row, whose word takes the place of what was typed. */
  pick(index: number): void {
    const { mention, draft } = this.page.state;
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
    this.page.change({ draft: before + word + after, refusal: undefined });
    this.place(before.length + word.length);
    void this.attach(row.id);
  }

  private async attach(id: string): Promise<void> {
    await this.page.run(async (send) => {
      const { refused } = await send('mention', { id });
      this.page.change({ refusal: refusalOf(refused) });
    });
  }

  private async ask(query: string): Promise<void> {
    const asked = ++this.asked;
    let rows: readonly MentionView[] = [];
    await this.page.run(async (send) => {
      ({ rows } = await send('mentions', { query }));
    });
    const { mention } = this.page.state;
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
    if (this.page.state.mention) {
      this.page.change({ mention: undefined });
    }
  }
}

/** Where the `@` stands whose word the caret is in or behind. No mail address has one that counts. */
function mentionAt(draft: string, caret: number): number | undefined {
  const at = caret === 0 ? -1 : draft.lastIndexOf('@', caret - 1);
  const isWord = at !== -1 && !/\s/.test(draft.slice(at, caret));
  return isWord && (at === 0 || /[\s([{"'`]/.test(draft[at - 1] ?? '')) ? at : undefined;
}
