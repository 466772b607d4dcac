/**
 * The extension host ends at once, at a change to a file: what the next window then finds. One process records what its
 * disk held before each change and in the middle of each write; others are really killed there. `crash.slow` does it at
 * every change.
 */
import { describe, expect, it } from 'vitest';
import type { Told } from '../../fixtures/crash/scene.js';
import { useCrashes } from '../../helpers/crashes.js';

const crashes = useCrashes();

describe('the next window', { timeout: 240_000 }, () => {
  it('finds everything when the window is killed while it writes', async () => {
    await crashes.lookAgain(await crashes.killAt(60));
  });

  it('would notice what is lost', async () => {
    const told = await crashes.killAt(0);
    const lost: Told[] = [
      { kind: 'sent', text: 'never stored' },
      { kind: 'drafted', text: 'never stored' },
      { kind: 'whole', callId: 'never stored' },
    ];
    for (const one of lost) {
      const begun = one.kind === 'sent' ? [{ ...one, kind: 'sending' as const }] : [];
      await expect(crashes.lookAgain([...told, ...begun, one])).rejects.toThrow();
    }
  });

  it('finds everything as it was, at a tenth of what was being written', async () => {
    const { told, contents, different } = await crashes.record();
    const some = different.filter((_image, at) => at % 10 === 0);
    for (const image of some) {
      await crashes.restore(image, contents);
      await crashes.lookAgain(told.slice(0, image.told));
    }
    expect(some.length).toBeGreaterThan(10);
  });
});
