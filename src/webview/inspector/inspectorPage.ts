/** Owns the page's state: the rows, the filter, what is open, and the requests under way. */
import * as l10n from '@vscode/l10n';
import { errorMessage } from '../../base/errors.js';
import type {
  InspectorEvents,
  InspectorExport,
  InspectorRequests,
  InspectorRow,
  InspectorView,
} from '../../protocol/inspector/inspectorProtocol.js';
import type { MessageChannel } from '../../protocol/messages.js';
import { readSavedPart, savePart } from '../shared/vscodeApi.js';
import { parseFilter, passes } from './filter.js';
import { type InspectorPageState, initialState } from './pageState.js';
import {
  extentOf,
  overlaps,
  panned,
  stillIn,
  type TimeRange,
  zoomed,
} from './timeStrip/timeScale.js';

type Send = MessageChannel<InspectorRequests, InspectorEvents>['request'];

/** Milliseconds after the last key, or between two looks while news arrives. */
const findMs = 150;

export class InspectorPage {
  private current: InspectorPageState = initialState(readSavedPart('traffic'));
  private readonly rows = new Map<number, InspectorRow>();
  private finding: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly send: Send,
    private readonly onDidChange: (state: InspectorPageState) => void,
  ) {}

  get state(): InspectorPageState {
    return this.current;
  }

  async start(): Promise<void> {
    await this.attempt(async () => {
      const { view, rows } = await this.send('ready', undefined);
      this.rows.clear();
      for (const row of rows) {
        this.rows.set(row.id, row);
      }
      this.receiveView(view);
      this.list();
      this.find();
    });
  }

  receiveView(view: InspectorView): void {
    this.change({ view });
  }

  receiveRows({ changed, removed }: InspectorEvents['rows']['params']): void {
    for (const row of changed) {
      this.rows.set(row.id, row);
    }
    const pinned = new Set(this.current.pinned);
    for (const id of removed) {
      this.rows.delete(id);
      pinned.delete(id);
    }
    this.current = { ...this.current, pinned };
    const { open } = this.current;
    if (open && removed.includes(open.id)) {
      this.current = { ...this.current, open: undefined };
    } else if (open && changed.some(({ id }) => id === open.id)) {
      void this.openEntry(open.id);
    }
    this.list();
    this.find();
  }

  setQuery(query: string): void {
    const filter = parseFilter(query);
    const found = filter.words.length > 0 ? this.current.found : undefined;
    this.current = { ...this.current, query, filter, found };
    this.list();
    this.find();
  }

  /** Comes closer with a factor below 1, around a time. Default: around the middle. */
  zoom(factor: number, at?: number): void {
    const { extent, sight = extent } = this.current;
    if (extent && sight) {
      this.look(zoomed(sight, extent, factor, at));
    }
  }

  /** @param share of what is in sight; below 0 goes back */
  pan(share: number): void {
    const { extent, sight } = this.current;
    if (extent && sight) {
      const span = extent.to - extent.from;
      const most = span / (sight.to - sight.from);
      this.look(panned(sight, extent, Math.min(most, Math.max(-most, share))));
    }
  }

  look(sight: TimeRange | undefined): void {
    this.change({ sight });
  }

  /** Filters the list. */
  setRange(range: TimeRange | undefined): void {
    this.current = { ...this.current, range };
    this.list();
  }

  show(tab: InspectorPageState['tab']): void {
    this.change({ tab });
  }

  togglePin(id: number): void {
    const pinned = new Set(this.current.pinned);
    if (!pinned.delete(id)) {
      pinned.add(id);
    }
    this.current = { ...this.current, pinned };
    this.list();
  }

  async openEntry(id: number): Promise<void> {
    const { open } = this.current;
    const isSame = open?.id === id;
    this.change({
      open: isSame ? open : { id, details: undefined, wholes: new Map() },
    });
    await this.attempt(async () => {
      const details = await this.send('details', { id });
      if (this.current.open?.id === id) {
        this.change({ open: { ...this.current.open, details } });
      }
    });
  }

  closeEntry(): void {
    this.change({ open: undefined });
  }

  async readWhole(seq: number): Promise<void> {
    await this.attempt(async () => {
      const { text } = await this.send('whole', { seq });
      const { open } = this.current;
      if (open) {
        const wholes = new Map(open.wholes).set(seq, text ?? null);
        this.change({ open: { ...open, wholes } });
      }
    });
  }

  async replay(id: number): Promise<void> {
    await this.work(async () => {
      await this.send('replay', { id });
    });
  }

  async ping(): Promise<void> {
    await this.work(async () => {
      const { ms } = await this.send('ping', undefined);
      return l10n.t('Completed in {0} ms', ms);
    });
  }

  async setLogLevel(level: string): Promise<void> {
    await this.work(async () => {
      await this.send('setLogLevel', { level });
      return l10n.t('The server was asked for log messages from "{0}" on.', level);
    });
  }

  async ask(type: 'clear' | 'importRecording' | 'serveMock' | 'openCallLog'): Promise<void> {
    await this.work(async () => void (await this.send(type, undefined)));
  }

  async exportRecording(to: InspectorExport): Promise<void> {
    await this.work(async () => void (await this.send('exportRecording', { to })));
  }

  dismissOutcome(): void {
    this.change({ outcome: undefined });
  }

  /** Puts the list together anew. */
  private list(): void {
    const { filter, found, pinned } = this.current;
    const all = [...this.rows.values()];
    const extent = extentOf(all);
    const range = stillIn(this.current.range, extent);
    const passing = all.filter(
      (row) => pinned.has(row.id) || (passes(filter, row) && (!found || found.has(row.id))),
    );
    const first = passing.filter(({ id }) => pinned.has(id));
    const others = passing.filter(
      (row) => !pinned.has(row.id) && (!range || !extent || overlaps(row, range, extent)),
    );
    this.change({
      passing,
      extent,
      range,
      sight: stillIn(this.current.sight, extent),
      shown: [...first, ...others],
      total: all.length,
      hasHttp: all.some(({ kind }) => kind === 'http'),
    });
  }

  /** The words are looked for where the frames are. */
  private find(): void {
    const { words } = this.current.filter;
    if (words.length === 0 || this.finding) {
      return;
    }
    this.finding = setTimeout(() => {
      this.finding = undefined;
      const asked = this.current.filter.words;
      if (asked.length > 0) {
        void this.attempt(async () => {
          const { ids } = await this.send('find', { words: asked });
          if (this.current.filter.words.join(' ') === asked.join(' ')) {
            this.current = { ...this.current, found: new Set(ids) };
            this.list();
          } else {
            this.find();
          }
        });
      }
    }, findMs);
  }

  private async work(run: () => Promise<string | undefined | undefined>): Promise<void> {
    this.change({ isBusy: true, outcome: undefined });
    await this.attempt(async () => {
      const text = await run();
      this.change({ outcome: text === undefined ? undefined : { isError: false, text } });
    });
    this.change({ isBusy: false });
  }

  private async attempt(run: () => Promise<void>): Promise<void> {
    try {
      await run();
    } catch (error) {
      this.change({ outcome: { isError: true, text: errorMessage(error) } });
    }
  }

  private change(change: Partial<InspectorPageState>): void {
    this.current = { ...this.current, ...change };
    const { query, tab } = this.current;
    savePart('traffic', { query, tab });
    this.onDidChange(this.current);
  }
}
