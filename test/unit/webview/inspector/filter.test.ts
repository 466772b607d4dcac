import { describe, expect, it } from 'vitest';
import type { InspectorRow } from '../../../../src/protocol/inspector/inspectorProtocol.js';
import { parseFilter, passes } from '../../../../src/webview/inspector/filter.js';
import { SeededRandom } from '../../../helpers/seededRandom.js';

const row: InspectorRow = {
  id: 1,
  gen: 2,
  kind: 'request',
  dir: 'sent',
  method: 'tools/call',
  target: 'Add Numbers',
  t: 0,
  ms: 600,
  status: 'error',
};

const takes = (query: string) => passes(parseFilter(query), row);

describe('a filter', () => {
  it.each([
    'method:call',
    'method:tools/*',
    'METHOD:Tools/Call',
    'method:*/c*l',
    'status:error',
    'status:ok,error',
    'kind:request',
    'dir:sent',
    'dir:out',
    'gen:2',
    'duration:>500ms',
    'duration:>=600',
    'duration:<1s',
    'duration:500',
    'target:"add numbers"',
    '-status:ok',
    'status:error -kind:http dir:out',
    '',
    'status:',
  ])('takes the row with %j', (query) => {
    expect(parseFilter(query).problems).toEqual([]);
    expect(takes(query)).toBe(true);
  });

  it.each([
    'method:list',
    'method:*/list',
    'method:tools/call*x',
    'status:ok',
    'dir:in',
    'duration:>600ms',
    'duration:<0.5s',
    '-status:error',
    'gen:1',
    'is:pinned',
  ])('leaves it out with %j', (query) => {
    expect(parseFilter(query).problems).toEqual([]);
    expect(takes(query)).toBe(false);
  });

  it('leaves out what takes no time', () => {
    const { ms: _, ...timeless } = row;
    expect(passes(parseFilter('duration:<1s'), timeless)).toBe(false);
  });

  it('keeps the words for the frames', () => {
    const { words, tests } = parseFilter('Hello "two  words" status:error http://host:80/x "open');
    expect(words).toEqual(['hello', 'two  words', 'http://host:80/x', 'open']);
    expect(tests).toHaveLength(1);
  });

  it.each(['color:red', 'status:good', 'dir:up', 'duration:fast', 'is:new', 'kind:x'])(
    'says what %j does not mean',
    (query) => {
      const { problems, tests } = parseFilter(query);
      expect(problems).toHaveLength(1);
      expect(tests).toEqual([]);
    },
  );

  it('takes any text', () => {
    const random = new SeededRandom(11);
    const pieces = ['"', ':', '-', ' ', '*', '>', 'status', 'duration', 'é', '\u0000', '5', '('];
    for (let count = 0; count < 2_000; count++) {
      const text = Array.from({ length: random.below(14) }, () => random.pick(pieces)).join('');
      const filter = parseFilter(text);
      passes(filter, row);
      expect(filter.words.length).toBeLessThanOrEqual(50);
    }
    expect(parseFilter('a '.repeat(100_000)).words).toHaveLength(50);
  });
});
