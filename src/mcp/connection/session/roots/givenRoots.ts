import { delay } from '../../../../base/async/cancellation.js';

/** Milliseconds in which a server looks at the folders that it was given. */
const lookMs = 50;
const looks = 3;
/** Milliseconds that a call waits at most for a server that does not answer in the meantime. */
const longestMs = 2000;

/** Bounded, never rejects. */
export type Ping = () => Promise<void>;

/**
 * When the roots of one connection count. A server asks for them once it is told that there are some, or others, and no
 * message says when it acts upon them: it has done so when it answers some time after it has got them.
 */
export class GivenRoots {
  private isAsked = false;
  /** What it asks upon a change may still be on its way. */
  private isChanged = false;
  private settling: Promise<void> | undefined;

  /** The server is about to be told that its roots are others. */
  announce(): void {
    this.isAsked = false;
    this.isChanged = true;
  }

  /** The server asks for them, and is answered in this turn. */
  ask(ping: Ping): void {
    if (this.isAsked) {
      return;
    }
    this.isAsked = true;
    const settling = Promise.race([letLook(ping), delay(longestMs)]).finally(() => {
      if (this.settling === settling) {
        this.settling = undefined;
      }
    });
    this.settling = settling;
  }

  /** The server may still be at work on them. */
  get isOpen(): boolean {
    return this.isChanged || this.settling !== undefined;
  }

  /** Bounded. */
  async settle(ping: Ping): Promise<void> {
    if (this.isChanged) {
      this.isChanged = false;
      await Promise.race([ping(), delay(longestMs)]);
    }
    await this.settling;
  }
}

async function letLook(ping: Ping): Promise<void> {
  await delay(0);
  await ping();
  // a machine that is busy lets a server answer before it has looked
  for (let look = 0; look < looks; look++) {
    const askedAt = performance.now();
    await delay(lookMs);
    await ping();
    const slowMs = performance.now() - askedAt - lookMs;
    await delay(Math.max(0, slowMs));
  }
}
