/** What the user allowed for one conversation. Nothing of it outlives the window. */
import type { RuleSubject, RuleView } from '../../../protocol/tools/approvalRules.js';

interface SessionRule {
  readonly key: string;
  readonly view: RuleView;
}

export class SessionRules {
  private readonly rules = new Map</* id */ string, SessionRule>();
  private readonly uses = new Map</* id */ string, /* ISO 8601 */ string>();
  private nextId = 1;

  /** @param prefix begins every id, unlike those of other conversations */
  constructor(private readonly prefix: string) {}

  get all(): readonly RuleView[] {
    return [...this.rules.values()].map(({ view }) => view);
  }

  /** @param key of the calls that it lets run */
  find(key: string): RuleView | undefined {
    return [...this.rules.values()].find((rule) => rule.key === key)?.view;
  }

  /** The one that is there already, if there is one. */
  add(key: string, subject: RuleSubject): RuleView {
    const known = this.find(key);
    if (known) {
      return known;
    }
    const id = `${this.prefix}rule-${this.nextId++}`;
    const since = new Date().toISOString();
    const view: RuleView = { id, scope: 'conversation', subject, since };
    this.rules.set(id, { key, view });
    return view;
  }

  /** It let a call run. */
  markUsed(id: string): void {
    this.uses.set(id, new Date().toISOString());
  }

  /** ISO 8601; `undefined`: never. */
  usedAt(id: string): string | undefined {
    return this.uses.get(id);
  }

  /** @returns what brings it back; `undefined` when there is no such rule. */
  remove(id: string): (() => void) | undefined {
    const rule = this.rules.get(id);
    return rule && this.rules.delete(id) ? () => this.rules.set(id, rule) : undefined;
  }
}
