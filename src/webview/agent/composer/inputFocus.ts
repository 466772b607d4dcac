/** Whoever comes to the page begins to write, unless something else on it has the focus. */
export class InputFocus {
  private hasBegun = false;

  constructor() {
    window.addEventListener('focus', () => this.take());
  }

  /** Call when the page was drawn. */
  afterDrawing(): void {
    this.hasBegun ||= this.take();
  }

  /** @returns whether there is an input */
  private take(): boolean {
    const input = document.querySelector<HTMLElement>('#composer-text');
    if (document.hasFocus() && document.activeElement === document.body) {
      input?.focus({ preventScroll: true });
    }
    return input !== null;
  }
}
