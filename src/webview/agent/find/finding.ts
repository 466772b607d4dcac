/** Looks for a text in the whole conversation and shows each place where it stands: on the page, earlier, and folded. */
import type { AgentSnapshot } from '../../../protocol/agentProtocol.js';
import type { AgentPageState, PageAccess } from '../pageState.js';
import {
  countOf,
  type FindState,
  type FoundPlace,
  foundPlaceAt,
  nearestPlace,
  stepFrom,
} from './findState.js';
import { foundRanges, hideRanges, showRanges } from './foundRanges.js';

/** What it needs of the page. */
interface Page extends PageAccess {
  receiveSnapshot(snapshot: AgentSnapshot): void;
  leaveEnd(): void;
  toggle(part: string): void;
}

/** Milliseconds after the last key. */
const typingMs = 150;
/** Milliseconds after the conversation has changed. */
const changeMs = 500;
/** Entries around the one that is shown in which places are marked. */
const markedAround = 30;

export class Finding {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private searches = 0;
  private transcript: AgentPageState['transcript'] | undefined;
  private opener: Element | null = null;

  constructor(private readonly page: Page) {}

  open(): void {
    if (!this.page.state.find) {
      this.opener = document.activeElement;
      this.page.change({ find: { query: this.page.state.lastQuery ?? '', at: 0 } });
      this.search(0);
    }
    const field = document.querySelector<HTMLInputElement>('#find-text');
    field?.focus();
    field?.select();
  }

  close(): void {
    const { find } = this.page.state;
    this.searches++;
    clearTimeout(this.timer);
    hideRanges();
    this.page.change({ find: undefined, ...(find && { lastQuery: find.query }) });
    const opener =
      this.opener instanceof HTMLElement && this.opener.isConnected ? this.opener : undefined;
    (opener ?? document.querySelector<HTMLElement>('#transcript'))?.focus({ preventScroll: true });
  }

  setQuery(query: string): void {
    if (this.page.state.find) {
      this.page.change({ find: { query, at: 0 } });
      this.search(typingMs);
    }
  }

  step(by: 1 | -1): void {
    const { find } = this.page.state;
    if (find?.found) {
      const at = stepFrom(find.at, by, countOf(find.found));
      this.page.change({ find: { ...find, at } });
      void this.show();
    }
  }

  /** Call after the page was drawn. */
  afterDrawing({ find, transcript }: AgentPageState): void {
    if (find && this.transcript !== transcript) {
      const isFirst = this.transcript === undefined;
      this.transcript = transcript;
      this.mark();
      if (!isFirst) {
        this.search(changeMs);
      }
    }
    if (!find) {
      this.transcript = undefined;
    }
  }

  private search(delayMs: number): void {
    clearTimeout(this.timer);
    const search = ++this.searches;
    this.timer = setTimeout(() => void this.look(search), delayMs);
  }

  private async look(search: number): Promise<void> {
    const { find } = this.page.state;
    if (!find) {
      return;
    }
    const { query } = find;
    const before = find.found && foundPlaceAt(find.found, find.at);
    await this.page.run(async (send) => {
      const found = await send('find', { text: query });
      const now = this.page.state.find;
      if (search !== this.searches || !now) {
        return;
      }
      const at = nearestPlace(found, before, (entryId) => this.isAbove(entryId));
      this.page.change({ find: { query, found, at } });
      if (before) {
        // the user looks at it, wherever it is now
        this.mark();
      } else {
        await this.show();
      }
    });
  }

  /** The entry ends above what the user sees, or is not on the page. */
  private isAbove(entryId: string): boolean {
    const entry = entryElement(entryId);
    const log = entry?.closest('#transcript');
    return !entry || !log || entry.getBoundingClientRect().bottom < log.getBoundingClientRect().top;
  }

  private async show(): Promise<void> {
    const { find } = this.page.state;
    const place = find?.found && foundPlaceAt(find.found, find.at);
    if (!place) {
      hideRanges();
      return;
    }
    if (!this.page.state.transcript.some(({ id }) => id === place.entryId)) {
      const { entryId } = place;
      await this.page.run(async (send) => {
        this.page.receiveSnapshot(await send('showEarlier', { entryId }));
      });
    }
    this.unfold(place);
    this.mark();
    this.scrollTo(place);
    // heights above it may settle once they are drawn
    requestAnimationFrame(() => this.scrollTo(place));
  }

  private unfold({ entryId, part }: FoundPlace): void {
    const holder = document.querySelector<HTMLElement>(
      `[data-holds~="${CSS.escape(entryId)}"] > [data-fold][aria-expanded="false"]`,
    );
    if (holder?.dataset.fold !== undefined) {
      this.page.toggle(holder.dataset.fold);
    }
    const row = entryElement(entryId)?.querySelector<HTMLElement>(
      '.call-row[aria-expanded="false"]',
    );
    if (row?.dataset.fold !== undefined && part !== 'head') {
      this.page.toggle(row.dataset.fold);
    }
    const fold = `${entryId}/${part}`;
    const button = entryElement(entryId)?.querySelector(`[data-fold="${CSS.escape(fold)}"]`);
    if (button?.getAttribute('aria-expanded') === 'false') {
      this.page.toggle(fold);
    }
  }

  private scrollTo(place: FoundPlace): void {
    const log = document.querySelector('#transcript');
    const target = rangeOf(place, this.page.state.find) ?? entryElement(place.entryId);
    if (log && target && log.scrollHeight > log.clientHeight) {
      this.page.leaveEnd();
      const box = target.getBoundingClientRect();
      const area = log.getBoundingClientRect();
      const isInSight = box.top >= area.top + 8 && box.bottom <= area.bottom - 8;
      if (!isInSight) {
        log.scrollTop += box.top - area.top - area.height / 3;
      }
    }
  }

  private mark(): void {
    const { find, transcript } = this.page.state;
    const place = find?.found && foundPlaceAt(find.found, find.at);
    if (!find?.found || !place) {
      hideRanges();
      return;
    }
    const index = transcript.findIndex(({ id }) => id === place.entryId);
    const near = new Set(
      transcript.slice(Math.max(0, index - markedAround), index + markedAround).map(({ id }) => id),
    );
    const ranges = find.found.parts
      .filter(({ entryId }) => near.has(entryId))
      .flatMap(({ entryId, part }) => rangesIn(entryId, part, find.query));
    showRanges(ranges, rangeOf(place, find));
  }
}

function entryElement(entryId: string): HTMLElement | null {
  return document.querySelector(`[data-entry="${CSS.escape(entryId)}"]`);
}

function rangesIn(entryId: string, part: string, query: string): readonly Range[] {
  const element = entryElement(entryId)?.querySelector(`[data-find="${part}"]`);
  return element ? foundRanges(element, query) : [];
}

/** What the extension has found there may be drawn otherwise, so that it is not there. */
function rangeOf(
  { entryId, part, nth }: FoundPlace,
  find: FindState | undefined,
): Range | undefined {
  const ranges = find ? rangesIn(entryId, part, find.query) : [];
  return ranges[Math.min(nth, ranges.length - 1)];
}
