/** Presses that grant something: never by Enter, never by a key or a click that was on its way when the page came. */
import { DeliberateKeys, deliberateMs, modifierKeys } from '../shared/deliberate.js';

export class DeliberatePress {
  private readonly keys = new DeliberateKeys();
  private shown: readonly string[] = [];
  private timer = 0;

  /**
   * @param onDidSettle what may be pressed is another
   * @param onDidHold a key was too early, or the wrong one
   */
  constructor(
    private readonly onDidSettle: () => void,
    private readonly onDidHold: () => void,
  ) {
    document.addEventListener('keydown', (event) => this.onKey(event), { capture: true });
    document.addEventListener('visibilitychange', () => {
      this.keys.forget(performance.now());
      this.onDidSettle();
      this.wait();
    });
  }

  /** What can be pressed now, as `data-press` of the buttons; something new has to be there for a moment first. */
  show(ids: readonly string[]): void {
    const isNew = ids.some((id) => !this.shown.includes(id));
    this.shown = ids;
    this.keys.show(ids, performance.now());
    if (isNew) {
      this.wait();
    }
  }

  isSettled(id: string): boolean {
    return this.keys.isSettled(id, performance.now());
  }

  private wait(): void {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(this.onDidSettle, deliberateMs);
  }

  private onKey(event: KeyboardEvent): void {
    if (modifierKeys.includes(event.key)) {
      return;
    }
    const now = performance.now();
    const button = event
      .composedPath()
      .find((item): item is HTMLElement => item instanceof HTMLElement && 'press' in item.dataset);
    if (button && (event.key === 'Enter' || event.key === ' ')) {
      // the button would take it for a click
      event.preventDefault();
      event.stopPropagation();
      const isMeant = event.key === ' ' && !event.repeat;
      if (isMeant && this.keys.mayAllow(button.dataset.press ?? '', now, false)) {
        button.click();
      } else if (!event.repeat) {
        this.onDidHold();
      }
    }
    this.keys.press(now);
  }
}
