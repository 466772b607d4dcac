/** Keeps the end of the conversation in view while the user is there, and what a reader reads where it is. */
import type { AgentPage } from '../agentPage.js';
import type { AgentPageState } from '../pageState.js';
import type { ReadingPlace } from '../savedPage.js';
import { afterIntent, afterScroll, following, isAtEnd, type ScrollPlace } from './following.js';

const upKeys = ['ArrowUp', 'PageUp', 'Home'];
const downKeys = ['ArrowDown', 'PageDown', 'End'];
// from the top, where earlier messages are fetched
const fetchDistancePx = 400;

interface Hold {
  readonly element: Element;
  /** Distance of its top from that of the area. */
  readonly offset: number;
}

export class TranscriptScroll {
  private log: HTMLElement | undefined;
  private top = 0;
  private total = 0;
  private conversation = '';
  private earlier = 0;
  private expanded: ReadonlySet<string> | undefined;
  /** Where an earlier page was, until the user moves: heights settle after the first drawing. */
  private restored: Hold | undefined;
  /** Since the conversation was shown, the user has done something on the page. */
  private isTouched = false;
  private lead: HTMLElement | undefined;
  /** Where the user wanted to go last. */
  private direction: 'up' | 'down' | undefined;

  constructor(
    private readonly root: HTMLElement,
    private readonly page: AgentPage,
  ) {
    for (const type of ['pointerdown', 'keydown']) {
      const touch = () => {
        this.isTouched = true;
      };
      document.addEventListener(type, touch, { capture: true, passive: true });
    }
  }

  /** Call before the page is drawn. @returns what to call after it */
  beforeDrawing(state: AgentPageState): () => void {
    const isUnfolded = this.expanded !== undefined && state.expanded !== this.expanded;
    const isPrepended = state.conversation === this.conversation && state.earlier < this.earlier;
    const hold = isUnfolded || isPrepended ? this.hold(isUnfolded) : undefined;
    const focused = document.activeElement;
    this.expanded = state.expanded;
    this.earlier = state.earlier;
    return () => {
      const log = this.attach();
      if (!log) {
        return;
      }
      if (hold?.element.isConnected) {
        this.restore(log, hold);
      }
      if (isUnfolded && !isAtEnd(this.place(log))) {
        this.page.leaveEnd();
      }
      if (isPrepended && focused?.isConnected === false) {
        log.focus({ preventScroll: true });
      }
      if (state.conversation !== this.conversation) {
        this.conversation = state.conversation;
        this.begin(log, state.place);
      }
    };
  }

  /** The next transcript is another element. */
  leave(): void {
    this.conversation = '';
  }

  /** Shows the end and stays there. */
  jumpToEnd(): void {
    this.page.setFollowing(following);
    if (this.log) {
      this.follow(this.log);
      this.log.focus({ preventScroll: true });
    }
  }

  private attach(): HTMLElement | undefined {
    const log = this.root.querySelector<HTMLElement>('#transcript') ?? undefined;
    if (!log || log === this.log) {
      return log;
    }
    this.log = log;
    const up = () => this.intend(log, 'up');
    const down = () => this.intend(log, 'down');
    log.addEventListener('pointerdown', () => this.letGo(), { passive: true });
    log.addEventListener('focusin', () => this.letGo());
    log.addEventListener('scroll', () => this.onScroll(log), { passive: true });
    // scrolls smoothly, so that what is added meanwhile would take the user back
    log.addEventListener('wheel', ({ deltaY }) => (deltaY < 0 ? up() : deltaY > 0 && down()), {
      passive: true,
    });
    log.addEventListener('keydown', ({ key }) => {
      if (upKeys.includes(key)) {
        up();
      } else if (downKeys.includes(key)) {
        down();
      } else {
        this.letGo();
      }
    });
    const observer = new ResizeObserver(() => this.onResize(log));
    observer.observe(log);
    for (const child of log.children) {
      observer.observe(child);
    }
    return log;
  }

  private onScroll(log: HTMLElement): void {
    const before = this.top;
    const place = this.place(log);
    const isSameHeight = place.total === this.total;
    this.top = place.top;
    this.total = place.total;
    const { state } = this.page;
    if (leadOf(log)) {
      return;
    }
    // heights settle, by a little, and nobody has moved anything; what reads the page out moves it without keys
    const isNear = before - place.top < place.height;
    const isSettling = state.following.isFollowing && !this.isTouched && !isSameHeight && isNear;
    const isLate = isSettling || (state.following.isFollowing && this.direction === 'down');
    if (isLate && place.top < before && !isAtEnd(place)) {
      // a smooth way down that ends where the end was when it began
      this.follow(log);
      return;
    }
    const next = afterScroll(state.following, before, place);
    this.page.setPlace(next.isFollowing ? undefined : this.readingPlace(log));
    this.page.setFollowing(next);
    // what moves by itself, while heights settle, asks for nothing
    const isReadingBack = !next.isFollowing && place.top < before;
    if (isReadingBack && place.top < fetchDistancePx && state.earlier > 0) {
      void this.page.showEarlier();
    }
  }

  private letGo(direction?: 'up' | 'down'): void {
    this.restored = undefined;
    this.isTouched = true;
    this.direction = direction;
  }

  private intend(log: HTMLElement, direction: 'up' | 'down'): void {
    this.letGo(direction);
    if (leadOf(log)) {
      return;
    }
    this.page.setFollowing(afterIntent(this.page.state.following, direction, this.place(log)));
  }

  private onResize(log: HTMLElement): void {
    const { total, height } = this.place(log);
    if (total <= height) {
      this.page.setFollowing(following);
    }
    if (this.page.state.following.isFollowing) {
      this.follow(log);
    } else if (this.restored?.element.isConnected) {
      this.restore(log, this.restored);
    }
  }

  private follow(log: HTMLElement): void {
    const lead = leadOf(log);
    if (!lead) {
      log.scrollTop = log.scrollHeight;
    } else if (lead !== this.lead) {
      const padding = Number.parseFloat(getComputedStyle(log).paddingTop) || 0;
      log.scrollTop = lead.offsetTop - log.offsetTop - padding;
    }
    this.lead = lead;
    this.top = log.scrollTop;
    this.total = log.scrollHeight;
  }

  private begin(log: HTMLElement, place: ReadingPlace | undefined): void {
    this.letGo();
    this.isTouched = false;
    const element = place && log.querySelector(`[data-entry="${CSS.escape(place.entryId)}"]`);
    if (!element) {
      this.page.setFollowing(following);
      this.follow(log);
      return;
    }
    this.restored = { element, offset: place.offset };
    this.restore(log, this.restored);
  }

  private hold(isUnfolded: boolean): Hold | undefined {
    const { log } = this;
    const focused = document.activeElement;
    const element =
      isUnfolded && focused && log?.contains(focused) && focused !== log
        ? focused
        : log && firstVisible(log);
    return log && element ? { element, offset: offsetOf(log, element) } : undefined;
  }

  private restore(log: HTMLElement, { element, offset }: Hold): void {
    log.scrollTop += offsetOf(log, element) - offset;
    this.top = log.scrollTop;
  }

  private readingPlace(log: HTMLElement): ReadingPlace | undefined {
    const element = firstVisible(log);
    const entryId = element?.dataset.entry;
    return element && entryId !== undefined
      ? { entryId, offset: Math.round(offsetOf(log, element)) }
      : undefined;
  }

  private place(log: HTMLElement): ScrollPlace {
    return { top: log.scrollTop, height: log.clientHeight, total: log.scrollHeight };
  }
}

/** What is read from its beginning: a problem, and what there is to begin with. */
function leadOf(log: HTMLElement): HTMLElement | undefined {
  return log.querySelector<HTMLElement>('.problem, .empty') ?? undefined;
}

function offsetOf(log: Element, element: Element): number {
  return element.getBoundingClientRect().top - log.getBoundingClientRect().top;
}

function firstVisible(log: HTMLElement): HTMLElement | undefined {
  const { top } = log.getBoundingClientRect();
  const entries = [...log.querySelectorAll<HTMLElement>('[data-entry]')];
  // entries stand in order, so half of them can be left out at each step
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((entries[middle]?.getBoundingClientRect().bottom ?? 0) > top) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return entries[low];
}
