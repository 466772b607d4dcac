/** The list from which a user takes a value that a server suggests, or the one that they type. */

export type ArgumentRow =
  | { readonly kind: 'typed' | 'suggestion'; readonly value: string }
  /** These stand where the typed text will: to leave the argument out, or to say that a text is needed. */
  | { readonly kind: 'empty' }
  | { readonly kind: 'hint' };

/**
 * Somebody may be about to click a row when an answer comes: it adds rows below those that are shown, and moves none.
 * One row stands above the suggestions, always.
 */
export class ArgumentRows {
  private typed = '';
  private _rows: readonly ArgumentRow[];

  constructor(private readonly isRequired: boolean) {
    this._rows = this.withFirst([]);
  }

  /** The same array until it changes. */
  get rows(): readonly ArgumentRow[] {
    return this._rows;
  }

  /** Leaves the suggestions that still fit; those that the server finds for the text come with its answer. */
  type(text: string): void {
    this.typed = text;
    const start = text.toLowerCase();
    this._rows = this.withFirst(
      this.suggestions().filter((value) => value !== text && value.toLowerCase().startsWith(start)),
    );
  }

  /** @returns whether it is the answer to what is typed now. */
  answer(text: string, values: readonly string[]): boolean {
    if (text !== this.typed) {
      return false;
    }
    const shown = this.suggestions();
    const all = new Set([...shown, ...values.filter((value) => value !== text)]);
    if (all.size > shown.length) {
      this._rows = this.withFirst([...all]);
    }
    return true;
  }

  private suggestions(): readonly string[] {
    return this._rows.flatMap((row) => (row.kind === 'suggestion' ? [row.value] : []));
  }

  private withFirst(suggestions: readonly string[]): readonly ArgumentRow[] {
    const { typed, isRequired } = this;
    const none = isRequired ? 'hint' : 'empty';
    return [
      typed === '' ? { kind: none } : { kind: 'typed', value: typed },
      ...suggestions.map((value) => ({ kind: 'suggestion', value }) as const),
    ];
  }
}
