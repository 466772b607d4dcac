/** No parser takes more than linear time, whatever it is fed: here what it is known to stumble at, in `growth.slow` any piece. */
import { describe, expect, it } from 'vitest';
import { growthOf, maxRatio, ordinarySize, steepCases } from '../../helpers/growth.js';
import { parsers } from '../../helpers/parsers/parsers.js';

/** Of each parser, beside its own. */
const ordinary = ['{[', 'a ', '$'].map((unit) => ({
  name: unit,
  input: (size: number) => unit.repeat(size / unit.length),
}));

describe('growth', () => {
  it.each(parsers)(
    'of $name is linear',
    async ({ run, inputs = {}, maxSize, maxOwnSize }) => {
      const ofAll = ordinary.map((one) => ({ ...one, maxSize: maxSize ?? ordinarySize }));
      const own = Object.entries(inputs).map(([name, input]) => ({
        name,
        input,
        maxSize: maxOwnSize ?? maxSize ?? ordinarySize,
      }));
      expect(await steepCases(run, [...ofAll, ...own])).toEqual([]);
    },
    120_000,
  );

  it('would be found if it were quadratic, or worse', async () => {
    const controls: readonly ((text: string) => unknown)[] = [
      (text) => / +$/.test(text),
      (text) => Array.from(text, (_character, index) => text.lastIndexOf('y', index)),
      (text) => /^(a|a)*$/.test(text),
    ];
    const input = (size: number) => `${' '.repeat(size)}x`;
    const letters = (size: number) => `${'a'.repeat(size)}x`;
    for (const [index, run] of controls.entries()) {
      const { ratio } = await growthOf(run, index === 2 ? letters : input, 64 * 1024);
      expect(ratio, `of control ${index}`).toBeGreaterThan(maxRatio);
    }
  });

  it('is not found where it is linear', async () => {
    const input = (size: number) => ' '.repeat(size);
    const { ratio } = await growthOf((text) => [...text].sort(), input, 4 * 1024 * 1024);
    expect(ratio).toBeGreaterThan(0);
    expect(ratio).toBeLessThan(maxRatio);
  });

  it('is not found in one step, as memory for large inputs is', async () => {
    const input = (size: number) => ' '.repeat(size);
    const run = ({ length }: string) => spin(length * (length > ordinarySize / 2 ? 600 : 20));
    const { ratio } = await growthOf(run, input, ordinarySize);
    expect(ratio).toBeLessThan(maxRatio);
  });
});

function spin(rounds: number): number {
  let sum = 0;
  for (let round = 0; round < rounds; round++) {
    sum = (sum * 31 + round) % 1_000_003;
  }
  return sum;
}
