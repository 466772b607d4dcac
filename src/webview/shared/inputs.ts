/** What a field holds when it tells of a change. */
export function inputText(event: Event): string {
  return (event.target as { value?: unknown } | null)?.value?.toString() ?? '';
}

export function isChecked(event: Event): boolean {
  return (event.target as { checked?: unknown } | null)?.checked === true;
}

/** Ctrl with the letter, or Cmd on a Mac, and nothing else. */
export function isCommandKey(event: KeyboardEvent, letter: string): boolean {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
  return key.toLowerCase() === letter && (ctrlKey || metaKey) && !altKey && !shiftKey;
}

/** Custom elements can take the focus only after they have drawn themselves. */
export function focusLater(selector: string): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>(selector)?.focus());
}

/** Whoever comes to the page begins to write, unless something else on it has the focus. */
export class InputFocus {
  private hasBegun = false;

  /** @param selector of the input */
  constructor(private readonly selector: string) {
    window.addEventListener('focus', () => this.take());
  }

  /** Call when the page was drawn. */
  afterDrawing(): void {
    this.hasBegun ||= this.take();
  }

  /** @returns whether there is an input */
  private take(): boolean {
    const input = document.querySelector<HTMLElement>(this.selector);
    if (document.hasFocus() && document.activeElement === document.body) {
      input?.focus({ preventScroll: true });
    }
    return input !== null;
  }
}

/** Pixels of a row in a list of which a window is drawn; the style sheets know it, too. */
export const rowHeight = 26;

/** Scrolls no further than that takes. */
export function bringRowIntoSight(list: Element, index: number): void {
  const top = index * rowHeight;
  if (top < list.scrollTop) {
    list.scrollTop = top;
  } else if (top + rowHeight > list.scrollTop + list.clientHeight) {
    list.scrollTop = top + rowHeight - list.clientHeight;
  }
}
