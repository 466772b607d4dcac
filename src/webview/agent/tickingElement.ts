const tickMs = 1_000;

/** Draws itself each second: the page is not drawn again for it. */
export abstract class TickingElement<Parts> extends HTMLElement {
  private current: Parts | undefined;
  private timer: ReturnType<typeof setInterval> | undefined;

  set parts(parts: Parts) {
    this.current = parts;
    this.tick();
  }

  connectedCallback(): void {
    this.timer = setInterval(() => this.tick(), tickMs);
    this.tick();
  }

  disconnectedCallback(): void {
    clearInterval(this.timer);
  }

  private tick(): void {
    if (this.current) {
      this.draw(this.current);
    }
  }

  protected abstract draw(parts: Parts): void;
}
