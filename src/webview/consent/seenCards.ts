/** Which cards were wholly in view, one that is higher than the window piece by piece. */

/** CSS pixels; what is in view of a card is known to this precision. */
const ruleHeight = 24;
/** Of a piece of a card; zoomed pages have edges between pixels. */
const wholly = 0.9;

/** What the layout of a card was when it was last measured. */
interface Measure {
  readonly width: number;
  readonly height: number;
  readonly unseen: Set<Element>;
}

export class SeenCards {
  private readonly measures = new Map<HTMLElement, Measure>();
  private readonly sizes = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      this.measure(target as HTMLElement);
    }
  });
  private readonly views = new IntersectionObserver((entries) => this.look(entries), {
    threshold: wholly,
  });

  /** @param onDidSee is given the hash of a card, once */
  constructor(private readonly onDidSee: (hash: string) => void) {}

  /** @param cards elements with the hash of what they show, and an empty element for rules over it */
  follow(cards: readonly HTMLElement[]): void {
    for (const card of this.measures.keys()) {
      if (!cards.includes(card)) {
        this.forget(card);
      }
    }
    for (const card of cards) {
      if (!this.measures.has(card)) {
        this.measures.set(card, { width: 0, height: 0, unseen: new Set() });
        this.sizes.observe(card);
      }
    }
  }

  /** Text that is wrapped in another way has other places, none of which was seen yet. */
  private measure(card: HTMLElement): void {
    const before = this.measures.get(card);
    const { offsetWidth: width, offsetHeight: height } = card;
    const rules = card.querySelector('.rules');
    if (!before || !rules || (before.width === width && before.height === height)) {
      return;
    }
    this.unobserve(before);
    const count = Math.max(1, Math.ceil(height / ruleHeight));
    const unseen = Array.from({ length: count }, () => document.createElement('i'));
    rules.replaceChildren();
    this.measures.set(card, { width, height, unseen: new Set(unseen) });
    for (const rule of unseen) {
      rules.append(rule);
      this.views.observe(rule);
    }
  }

  private look(entries: readonly IntersectionObserverEntry[]): void {
    for (const { target, isIntersecting, intersectionRatio } of entries) {
      const card = target.closest<HTMLElement>('[data-hash]');
      const measure = card && this.measures.get(card);
      if (!measure || !isIntersecting || intersectionRatio < wholly) {
        continue;
      }
      this.views.unobserve(target);
      if (measure.unseen.delete(target) && measure.unseen.size === 0) {
        this.onDidSee(card.dataset.hash ?? '');
      }
    }
  }

  private forget(card: HTMLElement): void {
    const measure = this.measures.get(card);
    this.measures.delete(card);
    this.sizes.unobserve(card);
    if (measure) {
      this.unobserve(measure);
    }
  }

  private unobserve({ unseen }: Measure): void {
    for (const rule of unseen) {
      this.views.unobserve(rule);
    }
  }
}
