/** Owns the page's state: the box, what it holds, the search, and the cards. */
import { errorMessage, withRemedy } from '../../base/errors.js';
import { asObject } from '../../base/json.js';
import type {
  AddPlace,
  AddReading,
  ImportChoice,
  OfferDetails,
  RegistryRow,
} from '../../protocol/add/addProtocol.js';
import { readSavedState, saveState } from '../shared/vscodeApi.js';
import { AddCard, type CardParts } from './card.js';

export interface ListState {
  readonly text: string;
  readonly rows: readonly RegistryRow[];
  readonly cursor: string | undefined;
  readonly isBusy: boolean;
  readonly error: string | undefined;
}

/** Milliseconds without a key before the text is read. */
const readDelayMs = 100;
/** And before a search is sent: the registry bears few requests. */
const searchDelayMs = 300;
/** Ids of fields that each card has. */
const idsOfCard = 10_000;

export class AddPage {
  text = '';
  wish: 'command' | 'search' | undefined;
  reading: AddReading = { kind: 'empty' };
  /** Of the registry; `undefined` until the extension has answered. */
  address: string | undefined;
  places: readonly AddPlace[] = [];
  imports: readonly ImportChoice[] = [];
  /** What the clipboard would add, in words. */
  clipboard: string | undefined;
  /** `undefined`: nothing is searched for. */
  list: ListState | undefined;
  cards: readonly AddCard[] = [];
  /** Why the server that was asked for is not shown. */
  openError: string | undefined;
  /** The host of the URL in the box is asked for its servers, or why it has named none. */
  hostAnswer: 'asking' | { readonly refusal: string } | undefined;
  /** The cards are of the text as it is now. */
  private isRead = false;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private reads = 0;
  private searches = 0;
  private opens = 0;
  private cardCount = 0;
  private saved: unknown;

  constructor(
    private readonly send: CardParts['send'],
    private readonly onDidChange: () => void,
  ) {}

  async start(): Promise<void> {
    this.saved = readSavedState();
    const { address, places, imports, clipboard, shown } = await this.send('ready', undefined);
    Object.assign(this, { address, places, imports, clipboard });
    const { text, wish, name } = asObject(this.saved);
    if (shown) {
      this.show(shown);
    } else if (this.text === '') {
      this.text = typeof text === 'string' ? text : '';
      this.wish = wish === 'command' || wish === 'search' ? wish : undefined;
      // the page of the registry had its search there
      await (this.text === '' ? undefined : this.read());
      if (typeof name === 'string') {
        await Promise.all([this.list ? undefined : this.search(''), this.open(name)]);
      }
    }
    this.changed();
  }

  /** Waits until the user pauses. */
  type(text: string, wish?: 'command' | 'search'): void {
    this.text = text;
    this.wish = wish;
    this.isRead = false;
    this.later(readDelayMs, () => this.read());
    this.changed();
  }

  /** What the text is, now. */
  async read(): Promise<void> {
    clearTimeout(this.timer);
    const read = ++this.reads;
    const { text, wish } = this;
    let reading: AddReading;
    try {
      reading = await this.send('read', { text, ...(wish && { wish }) });
    } catch (error) {
      reading = { kind: 'wrong', message: errorMessage(error), remedy: '' };
    }
    if (read === this.reads) {
      this.show(reading);
      this.isRead = reading.kind === 'servers';
    }
  }

  /** What was entered in cards stays, where they are of this text. Does not wait for what a search finds. */
  async enter(): Promise<void> {
    await (this.isRead ? undefined : this.read());
    if (this.reading.kind === 'search') {
      void this.search(this.reading.text);
    }
  }

  show(reading: AddReading): void {
    this.reads++;
    this.opens++;
    this.reading = reading;
    this.isRead = false;
    this.openError = undefined;
    this.hostAnswer = undefined;
    this.cards = reading.kind === 'servers' ? reading.cards.map((one) => this.card(one)) : [];
    this.restoreCards();
    if (reading.kind === 'search') {
      const { text } = reading;
      this.list ??= { text, rows: [], cursor: undefined, isBusy: true, error: undefined };
      this.later(searchDelayMs, () => this.search(text));
    } else {
      this.searches++;
      this.list = undefined;
    }
    this.changed();
  }

  /** Asks the host of the URL in the box which servers it lists. */
  async discover(): Promise<void> {
    const read = ++this.reads;
    this.hostAnswer = 'asking';
    this.changed();
    let reading: AddReading;
    try {
      reading = await this.send('discover', { text: this.text });
    } catch (error) {
      reading = { kind: 'wrong', message: errorMessage(error), remedy: '' };
    }
    if (read !== this.reads) {
      return;
    }
    if (reading.kind === 'servers') {
      this.show(reading);
    } else {
      const refusal = reading.kind === 'wrong' ? withRemedy(reading.message, reading.remedy) : '';
      this.hostAnswer = { refusal };
      this.changed();
    }
  }

  async paste(): Promise<void> {
    this.type(await this.send('readClipboard', undefined));
    await this.read();
  }

  async takeFrom(source: string): Promise<void> {
    try {
      this.show(await this.send('import', { source }));
    } catch (error) {
      this.show({ kind: 'wrong', message: errorMessage(error), remedy: '' });
    }
  }

  async openBundle(): Promise<void> {
    const reading = await this.send('openBundle', undefined);
    if (reading) {
      this.show(reading);
    }
  }

  /** What the bundle of a card holds takes the place of the card; or the card says why not. */
  async openPackage(card: AddCard): Promise<void> {
    card.setAdding(true);
    try {
      const { id } = card.details;
      const reading = await this.send('openPackage', { id, way: card.way });
      if (this.cards.includes(card) && reading.kind === 'servers') {
        this.show(reading);
      }
      card.setAdding(
        false,
        reading.kind === 'wrong' ? withRemedy(reading.message, reading.remedy) : '',
      );
    } catch (error) {
      card.setAdding(false, errorMessage(error));
    }
  }

  async search(text: string): Promise<void> {
    await this.load(text, () => this.send('search', { text }), []);
  }

  async more(): Promise<void> {
    const { text, cursor, rows, isBusy } = this.list ?? {};
    if (text !== undefined && cursor !== undefined && rows && !isBusy) {
      await this.load(text, () => this.send('search', { text, cursor }), rows);
    }
  }

  async open(name: string): Promise<void> {
    const open = ++this.opens;
    this.openError = undefined;
    try {
      const details = await this.send('open', { name });
      if (open === this.opens) {
        this.cards = [this.card(details, name)];
        this.restoreCards();
      }
    } catch (error) {
      if (open === this.opens) {
        this.cards = [];
        this.openError = errorMessage(error);
      }
    }
    this.changed();
  }

  /** Back to the list. */
  close(): void {
    this.opens++;
    this.cards = [];
    this.openError = undefined;
    this.changed();
  }

  changePlaces(places: readonly AddPlace[]): void {
    const first = this.places[0]?.id;
    this.places = places;
    for (const card of this.cards) {
      // one that nobody chose follows
      if (card.place === first || !places.some(({ id }) => id === card.place)) {
        card.edit({ place: places[0]?.id ?? '' });
      }
    }
    this.changed();
  }

  async add(card: AddCard, isStarted: boolean): Promise<void> {
    const added = await card.add();
    const isLast = this.cards.every((one) => one.added);
    if (added && (isLast || isStarted)) {
      this.showAdded(added.id, isStarted, isLast);
    }
  }

  /** One after the other: each takes a name. */
  async addAll(): Promise<void> {
    for (const card of this.cards) {
      await card.add();
    }
    const [first] = this.cards;
    if (first?.added && this.cards.every(({ added }) => added)) {
      this.showAdded(first.added.id, false, true);
    }
  }

  showAdded(id: string, isStarted = false, isLast = false): void {
    if (isLast) {
      saveState({});
    }
    void this.send('show', { id, isStarted, isLast }).catch(() => undefined);
  }

  openForm(): void {
    void this.send('openForm', { place: this.places[0]?.id ?? '' }).catch(() => undefined);
  }

  openLink(id: string, link: string): void {
    void this.send('openLink', { id, link }).catch(() => undefined);
  }

  openSetting(): void {
    void this.send('openSetting', undefined).catch(() => undefined);
  }

  private card(details: OfferDetails, registryName?: string): AddCard {
    const parts = {
      send: this.send,
      changed: () => this.changed(),
      place: this.places[0]?.id ?? '',
      firstId: ++this.cardCount * idsOfCard,
    };
    return new AddCard(details, parts, registryName);
  }

  /** What was entered before the page was hidden. */
  private restoreCards(): void {
    const { cards } = asObject(this.saved);
    if (this.cards.length > 0 && Array.isArray(cards)) {
      this.saved = undefined;
      const places = this.places.map(({ id }) => id);
      for (const [index, card] of this.cards.entries()) {
        card.restore(cards[index], places);
      }
    }
  }

  private async load(
    text: string,
    read: () => ReturnType<typeof this.send<'search'>>,
    before: readonly RegistryRow[],
  ): Promise<void> {
    clearTimeout(this.timer);
    const search = ++this.searches;
    const rows = before.length > 0 ? before : (this.list?.rows ?? []);
    this.list = { text, rows, cursor: this.list?.cursor, isBusy: true, error: undefined };
    this.changed();
    let list: ListState;
    try {
      const { cursor, rows: found } = await read();
      list = { ...this.list, cursor, rows: [...before, ...found], isBusy: false };
    } catch (error) {
      list = { ...this.list, rows: before, isBusy: false, error: errorMessage(error) };
    }
    if (search === this.searches) {
      this.list = list;
      this.changed();
    }
  }

  private later(delayMs: number, work: () => Promise<void>): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void work(), delayMs);
  }

  private changed(): void {
    saveState(this.saved === undefined ? this.save() : this.saved);
    this.onDidChange();
  }

  /** No text that may hold a secret. */
  private save(): unknown {
    const { reading, text, wish, cards } = this;
    const isOpen = reading.kind === 'search' || (reading.kind === 'servers' && reading.isOpen);
    return {
      text: isOpen ? text : '',
      wish,
      name: cards[0]?.registryName,
      cards: cards.filter(({ added }) => !added).map((card) => card.save()),
    };
  }
}
