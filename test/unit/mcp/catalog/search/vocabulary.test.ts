import { describe, expect, it } from 'vitest';
import { RunTable } from '../../../../../src/mcp/catalog/search/reading/runTable.js';
import { Vocabulary } from '../../../../../src/mcp/catalog/search/reading/vocabulary.js';
import { wordRuns } from '../../../../../src/mcp/catalog/search/reading/words.js';
import { toolsOf } from '../../../../helpers/searchEvaluation.js';
import { SeededRandom } from '../../../../helpers/seededRandom.js';

const random = new SeededRandom(3);
const characters = [
  ..."abcxyzABCXYZ0189_-./ \t\n@[`{'é日本の語한🙂",
  '\u007f',
  '\u0080',
  '\u0301',
  '\uD83D',
  '\uFFFF',
];
const oddText = () =>
  Array.from({ length: random.below(60) }, () => random.pick(characters)).join('');

function read(table: RunTable<string>, text: string, length = text.length): readonly string[] {
  const found: string[] = [];
  table.read(text, length, (run) => found.push(run));
  return found;
}

describe('the runs of a text', () => {
  const table = new RunTable((run) => run);

  it('are those that the pattern finds', () => {
    const texts = toolsOf('small').map(({ description = '' }) => description);
    for (const text of [...texts, ...Array.from({ length: 3_000 }, oddText)]) {
      expect(read(table, text), JSON.stringify(text)).toEqual(wordRuns(text));
      const length = random.below(80);
      expect(read(table, text, length)).toEqual(wordRuns(text.slice(0, length)));
    }
  });

  it('are told apart also when all of them have one hash', () => {
    const hostile = collidingRuns(100);
    const numbers = new RunTable((run) => hostile.indexOf(run));
    const found: number[] = [];
    for (let round = 0; round < 2; round++) {
      numbers.read(hostile.join(' '), Number.POSITIVE_INFINITY, (number) => found.push(number));
    }
    expect(found).toEqual([...hostile.keys(), ...hostile.keys()]);
    expect(hostile.map((run) => numbers.get(run))).toEqual([...hostile.keys()]);
  });

  it('keep what stands for them when there are many', () => {
    let created = 0;
    const numbers = new RunTable(() => created++);
    const runs = Array.from({ length: 20_000 }, (_, index) => `run${index}`);
    const first = runs.map((run) => numbers.get(run));
    expect(runs.map((run) => numbers.get(run))).toEqual(first);
    expect(new Set(first).size).toBe(runs.length);
  });
});

it('gives the words of a text the terms that each has by itself', () => {
  const vocabulary = new Vocabulary();
  const found: string[] = [];
  const text = 'Lists the GitHub issues, HTTPServer and base64 of the_port日本';
  vocabulary.read(text, text.length, (terms) => {
    found.push(...terms.map((term) => vocabulary.stems[term] as string));
  });
  expect(found).toEqual(
    'list git hub github issu http server httpserver base64 port 日 本'.split(' '),
  );
});

/** Runs that begin at the same slot of a table, whatever its size is. */
function collidingRuns(count: number): readonly string[] {
  const runs = new Map<number, string[]>();
  for (let number = 0; ; number++) {
    const run = number.toString(36);
    let hash = 0x811c9dc5;
    for (const character of run) {
      hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193);
    }
    const same = runs.get(hash & 0x3ff) ?? [];
    runs.set(hash & 0x3ff, same);
    if (same.push(run) === count) {
      return same;
    }
  }
}
