import { describe, expect, it } from 'vitest';
import {
  isWantedOn,
  nothingStaged,
  type StagedSwitches,
  stageSelection,
  stageSwitch,
  stillStaged,
} from '../../../../src/presentation/switching/stagedSwitches.js';
import { SeededRandom } from '../../../helpers/seededRandom.js';

const a = { key: 'a', isOn: true };
const b = { key: 'b', isOn: false };
const c = { key: 'c', isOn: false };
const rows = [a, b, c];

function staged(...entries: readonly (readonly [string, boolean])[]): StagedSwitches {
  return new Map(entries);
}

describe('staged switches', () => {
  it('hold what differs, and nothing that is turned back', () => {
    const once = stageSwitch(stageSwitch(nothingStaged, a, false), b, true);
    expect(once).toEqual(staged(['a', false], ['b', true]));
    expect(stageSwitch(once, a, true)).toEqual(staged(['b', true]));
    expect(stageSwitch(once, b, true)).toEqual(once);
    expect(rows.map((row) => isWantedOn(once, row))).toEqual([false, true, false]);
  });

  it('come from a selection of what is to be on', () => {
    expect(stageSelection(rows, new Set(['a']))).toEqual(nothingStaged);
    expect(stageSelection(rows, new Set(['c', 'unknown']))).toEqual(
      staged(['a', false], ['c', true]),
    );
  });

  it('lose what has come true meanwhile, and what is gone', () => {
    const all = staged(['a', false], ['b', true], ['c', true]);
    const later = [{ key: 'a', isOn: false }, b];
    expect(stillStaged(all, later)).toEqual(staged(['b', true]));
  });

  it('are the same for any order of turns that ends in the same wishes', () => {
    const random = new SeededRandom(7);
    for (let round = 0; round < 200; round++) {
      let some: StagedSwitches = nothingStaged;
      const wishes = new Map(rows.map(({ key, isOn }) => [key, isOn]));
      for (let turn = 0; turn < 12; turn++) {
        const row = random.pick(rows);
        const isWanted = random.chance(2);
        wishes.set(row.key, isWanted);
        some = stageSwitch(some, row, isWanted);
      }
      const wanted = new Set([...wishes].filter(([, isOn]) => isOn).map(([key]) => key));
      expect(new Map([...some].sort())).toEqual(new Map([...stageSelection(rows, wanted)].sort()));
    }
  });
});
