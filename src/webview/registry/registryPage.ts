/** Owns the page's state: the search, the server that is open, and what the user has entered for it. */
import { errorMessage } from '../../base/errors.js';
import type { MessageChannel } from '../../protocol/messages.js';
import type {
  RegistryDetails,
  RegistryEvents,
  RegistryPlace,
  RegistryRequests,
} from '../../protocol/registry/registryProtocol.js';
import { NewestOnly } from '../shared/newestOnly.js';
import { readSavedState, saveState } from '../shared/vscodeApi.js';
import {
  firstState,
  fromSavedRegistryPage,
  initialAnswers,
  installParams,
  type ListState,
  type OpenServer,
  openServer,
  type RegistryPageState,
  toSavedRegistryPage,
  wayOf,
} from './pageState.js';

type Send = MessageChannel<RegistryRequests, RegistryEvents>['request'];

/** Milliseconds without a key before a search is sent: the registry bears few requests. */
const searchDelayMs = 400;

export class RegistryPage {
  private current: RegistryPageState = firstState;
  private readonly previews = new NewestOnly<OpenServer>((open) => this.preview(open));
  private timer: ReturnType<typeof setTimeout> | undefined;
  private searches = 0;
  private opens = 0;

  constructor(
    private readonly send: Send,
    private readonly onDidChange: (state: RegistryPageState) => void,
  ) {}

  get state(): RegistryPageState {
    return this.current;
  }

  async start(): Promise<void> {
    const saved = fromSavedRegistryPage(readSavedState());
    const { address, places, linked } = await this.send('ready', undefined);
    this.change({ address, places });
    // the user may have typed already
    const search = this.search(this.current.list.text || saved.text);
    if (linked) {
      this.show(linked);
    } else if (saved.name !== undefined) {
      await this.open(saved.name);
      const { name, way, place, serverName, answers } = saved;
      if (this.current.open?.registryName === name) {
        this.chooseWay(way ?? this.current.open.way);
        this.edit({
          ...(places.some(({ id }) => id === place) && place !== undefined && { place }),
          ...(serverName !== undefined && { name: serverName }),
          answers: { ...this.current.open.answers, ...answers },
        });
      }
    }
    await search;
  }

  /** Waits until the user pauses. */
  type(text: string): void {
    this.changeList({ text });
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.search(text), searchDelayMs);
  }

  async search(text: string): Promise<void> {
    clearTimeout(this.timer);
    const search = ++this.searches;
    this.changeList({ text, isBusy: true, error: undefined });
    await this.load(search, () => this.send('search', { text }), []);
  }

  async more(): Promise<void> {
    const { text, cursor, rows } = this.current.list;
    if (cursor === undefined || this.current.list.isBusy) {
      return;
    }
    const search = ++this.searches;
    this.changeList({ isBusy: true, error: undefined });
    await this.load(search, () => this.send('search', { text, cursor }), rows);
  }

  async open(name: string): Promise<void> {
    const open = ++this.opens;
    this.change({ openError: undefined });
    try {
      const details = await this.send('open', { name });
      if (open === this.opens) {
        this.show(details, name);
      }
    } catch (error) {
      if (open === this.opens) {
        this.change({ open: undefined, openError: errorMessage(error) });
      }
    }
  }

  show(details: RegistryDetails, registryName?: string): void {
    this.opens++;
    this.change({
      open: openServer(details, this.current.places, registryName),
      openError: undefined,
    });
    this.requestPreview();
  }

  close(): void {
    this.opens++;
    this.change({ open: undefined, openError: undefined });
  }

  changePlaces(places: readonly RegistryPlace[]): void {
    this.change({ places });
    const { open } = this.current;
    if (open && !places.some(({ id }) => id === open.place)) {
      this.edit({ place: places[0]?.id ?? '' });
    }
  }

  chooseWay(way: string): void {
    const { open } = this.current;
    const found = open?.details.ways.find(({ id }) => id === way);
    if (found) {
      this.edit({ way, answers: initialAnswers(found), left: new Set() });
    }
  }

  answer(field: string, value: string): void {
    const { open } = this.current;
    if (open) {
      this.edit({ answers: { ...open.answers, [field]: value } });
    }
  }

  leave(field: string): void {
    const { open } = this.current;
    if (open && !open.left.has(field)) {
      this.changeOpen({ left: new Set([...open.left, field]) });
    }
  }

  edit(part: Partial<Pick<OpenServer, 'way' | 'place' | 'name' | 'answers' | 'left'>>): void {
    this.changeOpen({ ...part, error: undefined });
    this.requestPreview();
  }

  async add(): Promise<void> {
    const { open } = this.current;
    if (!open || open.isAdding || open.added) {
      return;
    }
    const all = (wayOf(open)?.fields ?? []).map(({ id }) => id);
    this.changeOpen({ isAdding: true, error: undefined, left: new Set(['name', ...all]) });
    try {
      const added = await this.send('add', installParams(open));
      this.changeOpen({ isAdding: false, added });
    } catch (error) {
      this.changeOpen({ isAdding: false, error: errorMessage(error) });
    }
  }

  openLink(link: string): void {
    const id = this.current.open?.details.id;
    if (id !== undefined) {
      void this.send('openLink', { id, link });
    }
  }

  /** One of the steps after a server was added; how it goes is said elsewhere. */
  next(step: 'reveal' | 'test'): void {
    const id = this.current.open?.added?.id;
    if (id !== undefined) {
      void this.send(step, { id }).catch(() => undefined);
    }
  }

  openFile(path: string): void {
    void this.send('openFile', { path }).catch(() => undefined);
  }

  openSetting(): void {
    void this.send('openSetting', undefined).catch(() => undefined);
  }

  private async load(
    search: number,
    read: () => Promise<RegistryRequests['search']['result']>,
    before: ListState['rows'],
  ): Promise<void> {
    try {
      const { rows, cursor } = await read();
      if (search === this.searches) {
        this.changeList({ rows: [...before, ...rows], cursor, isBusy: false });
      }
    } catch (error) {
      if (search === this.searches) {
        this.changeList({ rows: before, isBusy: false, error: errorMessage(error) });
      }
    }
  }

  private requestPreview(): void {
    const { open } = this.current;
    if (open && !open.added && open.details.ways.length > 0) {
      this.previews.request(open);
    }
  }

  private async preview(asked: OpenServer): Promise<void> {
    try {
      const preview = await this.send('preview', installParams(asked));
      if (this.current.open?.details.id === asked.details.id) {
        this.changeOpen({ preview });
      }
    } catch (error) {
      this.changeOpen({ error: errorMessage(error) });
    }
  }

  private changeList(part: Partial<ListState>): void {
    this.change({ list: { ...this.current.list, ...part } });
  }

  private changeOpen(part: Partial<OpenServer>): void {
    const { open } = this.current;
    if (open) {
      this.change({ open: { ...open, ...part } });
    }
  }

  private change(part: Partial<RegistryPageState>): void {
    this.current = { ...this.current, ...part };
    saveState(toSavedRegistryPage(this.current));
    this.onDidChange(this.current);
  }
}
