import { describe, expect, it } from 'vitest';
import { completionPlace } from '../../../../src/config/language/completionPlace.js';

/** The place at the bar in the text. */
function at(marked: string, shape: 'mcpServers' | 'bare' = 'mcpServers') {
  const offset = marked.indexOf('|');
  const text = marked.replace('|', '');
  const place = completionPlace(text, offset, { shape });
  return place && { ...place, range: text.slice(place.range.start, place.range.end) };
}

describe('completionPlace', () => {
  it.each([
    ['{"mcpServers": {|}}', { kind: 'server-name', range: '', hasValue: false, needsComma: false }],
    [
      '{"mcpServers": {"fi|"}}',
      { kind: 'server-name', range: '"fi"', hasValue: false, needsComma: false },
    ],
    [
      '{"mcpServers": {"fi|": {}}}',
      { kind: 'server-name', range: '"fi"', hasValue: true, needsComma: false },
    ],
    [
      '{"mcpServers": {|\n "a": {}}}',
      { kind: 'server-name', range: '', hasValue: false, needsComma: true },
    ],
    [
      '{"servers": {"a": {}, "|"}}',
      { kind: 'server-name', range: '""', hasValue: false, needsComma: false },
    ],
    [
      '{"mcpServers": {"a": {"directTools": ["x", "|"]}}}',
      { kind: 'tool-name', range: '""', server: 'a' },
    ],
    ['{"mcpServers": {"a": {"excludeTools": [|]}}}', { kind: 'tool-name', range: '', server: 'a' }],
    ['{"mcpServers": {"a": {"args": ["|"]}}}', undefined],
    ['{"mcpServers": {"a": {"|"}}}', undefined],
    ['{"other": {"|"}}', undefined],
  ])('reads %s', (marked, expected) => {
    expect(at(marked)).toEqual(expected);
  });

  it('knows tools in a file without a wrapper', () => {
    expect(at('{"a": {"command": "x", "includeTools": ["|"]}}', 'bare')).toMatchObject({
      kind: 'tool-name',
      server: 'a',
    });
  });
});
