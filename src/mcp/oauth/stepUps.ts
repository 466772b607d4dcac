import type { Disposable } from '../../base/disposable.js';
import type { JsonObject } from '../../base/json.js';
import { coversScope, unionOfScopes } from './scopes.js';

/** What the requests of one account found out they lack, and what came of asking for it. */
export class StepUps {
  private readonly waiting = new Set<{ readonly scope: string }>();
  private readonly asked = new Map</* scope */ string, { isGranted: boolean }>();

  /** A request waits for these rights until it is disposed. */
  wait(scope: string): Disposable {
    const request = { scope };
    this.waiting.add(request);
    return { dispose: () => this.waiting.delete(request) };
  }

  wasAskedFor(scope: string): boolean {
    return this.asked.has(scope);
  }

  /** Whether asking again would bring nothing new. @param tokens those that do not suffice. */
  isInVain(scope: string, tokens: JsonObject | undefined): boolean {
    const asked = this.asked.get(scope);
    // granted rights that are gone were replaced by another window
    return asked !== undefined && (!asked.isGranted || coversScope(scopeOf(tokens), scope));
  }

  /** All that is lacking now: the visit that begins asks for it. */
  begin(): StepUp {
    const scopes = [...this.waiting].map(({ scope }) => scope);
    for (const scope of scopes) {
      this.asked.set(scope, { isGranted: false });
    }
    return {
      scope: unionOfScopes(...scopes),
      end: (tokens) => {
        for (const scope of scopes) {
          this.asked.set(scope, { isGranted: coversScope(scopeOf(tokens), scope) });
        }
      },
      giveUp: () => {
        for (const scope of scopes) {
          this.asked.delete(scope);
        }
      },
    };
  }

  /** A new sign-in may ask for everything again. */
  forget(): void {
    this.asked.clear();
  }
}

/** One visit for more rights. */
export interface StepUp {
  readonly scope: string | undefined;
  /** The visit brought these. */
  end(tokens: JsonObject | undefined): void;
  /** Nobody could be asked, so that the next request may try. */
  giveUp(): void;
}

export function scopeOf(tokens: JsonObject | undefined): string | undefined {
  return typeof tokens?.scope === 'string' ? tokens.scope : undefined;
}
