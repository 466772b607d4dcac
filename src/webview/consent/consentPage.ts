/** Owns the page's state: what waits, what the user has ticked, and what of it was in view. */
import { errorMessage } from '../../base/errors.js';
import { asList, asObject } from '../../base/json.js';
import type {
  ConsentCard,
  ConsentChoice,
  ConsentEvents,
  ConsentOutcome,
  ConsentRequests,
  ConsentView,
} from '../../protocol/consent/consentProtocol.js';
import type { MessageChannel } from '../../protocol/messages.js';

type Channel = Pick<MessageChannel<ConsentRequests, ConsentEvents>, 'request'>;
type Send = Channel['request'];

export interface ConsentPageState {
  readonly view: ConsentView | undefined;
  /** Hash of a card → what the user said. */
  readonly choices: ReadonlyMap<string, boolean>;
  /** Hashes of cards that were wholly in view. */
  readonly seen: ReadonlySet<string>;
  readonly isSending: boolean;
  /** What is behind the three dots is shown. */
  readonly isMoreOpen: boolean;
  /** Names of servers that were others than shown when the user answered. */
  readonly refused: readonly string[];
  /** A full sentence. */
  readonly error: string | undefined;
}

export class ConsentPage {
  private current: ConsentPageState;

  constructor(
    private readonly send: Send,
    private readonly onDidChange: (state: ConsentPageState) => void,
    private readonly keep: (saved: unknown) => void,
    saved: unknown,
  ) {
    this.current = {
      view: undefined,
      choices: readChoices(saved),
      seen: new Set(),
      isSending: false,
      isMoreOpen: false,
      refused: [],
      error: undefined,
    };
  }

  get state(): ConsentPageState {
    return this.current;
  }

  async look(): Promise<void> {
    this.change({ error: undefined });
    try {
      this.receive(await this.send('look', undefined));
    } catch (error) {
      this.change({ error: errorMessage(error) });
    }
  }

  receive(view: ConsentView): void {
    this.change(this.current.view ? { view } : { view, error: undefined });
  }

  tick(card: ConsentCard, isNow: boolean): void {
    // a box says so, too, when the page changes it
    if (isNow === isTicked(this.current, card)) {
      return;
    }
    const choices = new Map([...this.current.choices, [card.hash, isNow] as const]);
    this.change({ choices });
    this.keep({ choices: [...choices] });
  }

  see(hash: string): void {
    this.change({ seen: new Set([...this.current.seen, hash]) });
  }

  toggleMore(): void {
    this.change({ isMoreOpen: !this.current.isMoreOpen });
  }

  trust(): Promise<void> {
    const cards = tickedCards(this.current);
    return isReady(this.current, cards)
      ? this.answer(() => this.send('trust', { cards: cards.map(toChoice) }))
      : Promise.resolve();
  }

  trustFolder(uri: string): Promise<void> {
    const cards = cardsOf(this.current, uri);
    return isReady(this.current, cards)
      ? this.answer(() => this.send('trustFolder', { uri, cards: cards.map(toChoice) }))
      : Promise.resolve();
  }

  leave(): void {
    void this.send('leave', undefined).catch(() => undefined);
  }

  openFile(id: string): void {
    void this.send('openFile', { id }).catch(() => undefined);
  }

  manageTrust(): void {
    void this.send('manageTrust', undefined).catch(() => undefined);
  }

  private async answer(ask: () => Promise<ConsentOutcome>): Promise<void> {
    this.change({ isSending: true, refused: [], error: undefined });
    try {
      const { refused } = await ask();
      this.change({ isSending: false, isMoreOpen: false, refused });
    } catch (error) {
      this.change({ isSending: false, error: errorMessage(error) });
    }
  }

  private change(part: Partial<ConsentPageState>): void {
    this.current = { ...this.current, ...part };
    this.onDidChange(this.current);
  }
}

/** Nothing is ticked for the user while anything is odd. */
export function isTicked({ view, choices }: ConsentPageState, { hash }: ConsentCard): boolean {
  return choices.get(hash) ?? (view?.cards.every(({ isPlain }) => isPlain) || false);
}

export function tickedCards(state: ConsentPageState): readonly ConsentCard[] {
  return (state.view?.cards ?? []).filter((card) => isTicked(state, card));
}

/** Those that the folder as a whole would let start. */
export function cardsOf({ view }: ConsentPageState, uri: string): readonly ConsentCard[] {
  return (view?.cards ?? []).filter(
    ({ folderUri, isDefinition }) => folderUri === uri && !isDefinition,
  );
}

/** Those that were not wholly in view yet. */
export function unseenCards(
  { seen }: ConsentPageState,
  cards: readonly ConsentCard[],
): readonly ConsentCard[] {
  return cards.filter(({ hash }) => !seen.has(hash));
}

function isReady(state: ConsentPageState, cards: readonly ConsentCard[]): boolean {
  return !state.isSending && unseenCards(state, cards).length === 0;
}

function toChoice({ id, hash }: ConsentCard): ConsentChoice {
  return { id, hash };
}

/** What was ticked before the page was hidden. What was in view then has to be once more. */
function readChoices(saved: unknown): ReadonlyMap<string, boolean> {
  const list = asList(asObject(saved).choices);
  return new Map(
    list.flatMap((item: unknown): readonly (readonly [string, boolean])[] => {
      const [hash, isTicked] = asList(item);
      return typeof hash === 'string' && typeof isTicked === 'boolean' ? [[hash, isTicked]] : [];
    }),
  );
}
