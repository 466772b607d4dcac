import { describe, expect, it } from 'vitest';
import { drawSource } from '../../../../src/webview/diagram/drawSource.js';

const colors = { text: '#111', line: '#222', label: '#333' };

function draw(source: string) {
  const reply = drawSource(source, colors);
  if (reply?.kind !== 'drawn') {
    throw new Error(`It is ${reply?.kind}.`);
  }
  return reply;
}

const elements = (svg: string) => new Set([...svg.matchAll(/<(\w+)/g)].map(([, name]) => name));
const plain = new Set(['svg', 'path', 'g', 'text']);

describe('a pie', () => {
  it('has its shares beside it', () => {
    const source = 'pie showData title Pets\n"Dogs" : 30\n"Cats" : 10\n"None" : 0';
    const { words, svg, isWhole } = draw(source);
    expect(words).toEqual(
      ['Pets', 'Dogs: 30 (75 %)', 'Cats: 10 (25 %)', 'None: 0 (0 %)'].toSorted(
        (a, b) => words.indexOf(a) - words.indexOf(b),
      ),
    );
    expect(isWhole).toBe(true);
    expect(elements(svg)).toEqual(plain);
    expect(svg).not.toMatch(/NaN|undefined|Infinity/);
  });

  it('of one share is a circle, and tells what it did not understand', () => {
    const { words, svg, isWhole } = draw('pie\ntitle One\n"A" : 2\nfour');
    expect([words, isWhole]).toEqual([['One', 'A: 100 %'], false]);
    expect(svg).toMatch(/A90 90 0 0 1/);
  });

  it.each(['pie', 'pie\n"A" : 0', 'pie\n"A" : -1'])('is not drawn of %j', (source) => {
    expect(drawSource(source, colors)).toBeUndefined();
  });

  it('that is too large is not drawn, as no other diagram is', () => {
    const name = `"${'n'.repeat(10_000)}" : 1`;
    const names = Array.from({ length: 390 }, (_one, at) => `"${at}" : 1`);
    expect(drawSource(['pie', name, ...names].join('\n'), colors)).toBeUndefined();
  });

  it('has no name over another one', () => {
    const names = Array.from({ length: 60 }, (_one, at) => `"N${at}" : ${at < 59 ? 1 : 5_000}`);
    const ys = [
      ...draw(`pie\n${names.join('\n')}`).svg.matchAll(/<text x="([\d.]+)" y="([\d.]+)"/g),
    ];
    const places = ys.map(([, x, y]) => [Number(x) > 200, Number(y)] as const);
    for (const isRight of [true, false]) {
      const side = places.filter(([is]) => is === isRight).map(([, y]) => y);
      const sorted = side.toSorted((a, b) => a - b);
      expect(sorted.every((y, at) => at === 0 || y - (sorted[at - 1] ?? 0) >= 17.9)).toBe(true);
    }
  });
});

describe('a Gantt chart', () => {
  const source = [
    'gantt',
    'title Plan',
    'dateFormat YYYY-MM-DD',
    'axisFormat %m-%d',
    'section First',
    'Read : done, a, 2026-01-05, 2d',
    'Write : crit, active, b, after a, 1w',
    'Check : 12h',
    'section Last',
    'Ship : milestone, 2026-01-20, 0d',
  ];

  it('lays tasks out by their days', () => {
    const { words, svg, isWhole } = draw(source.join('\n'));
    expect(words).toEqual([
      'Plan',
      'First',
      'Read',
      '2026-01-05 – 2026-01-07',
      'Write',
      '2026-01-07 – 2026-01-14',
      'Check',
      '2026-01-14',
      'Last',
      'Ship',
      '2026-01-20',
    ]);
    expect(isWhole).toBe(true);
    expect(elements(svg)).toEqual(plain);
    expect(svg).not.toMatch(/NaN|undefined|Infinity/);
  });

  it('tells hours of a day', () => {
    const { words } = draw('gantt\ndateFormat HH:mm\nA : 09:00, 30m\nB : 2h');
    expect(words).toEqual(['A', '09:00 – 09:30', 'B', '09:30 – 11:30']);
  });

  it.each([
    'Later : after nothing, 2d',
    'excludes weekends',
    'Odd : 2026-99-99, 2d',
    'Back : 2026-01-09, 2026-01-01',
    'No time :',
    'For ever : 2026-01-09, 99999999999999d',
    'Beyond all dates : 2026-01-09, 9000000y',
  ])('says that it did not understand %j', (line) => {
    expect(draw([...source, line].join('\n')).isWhole).toBe(false);
  });

  it('without a task is not drawn', () => {
    expect(drawSource('gantt\ntitle Plan', colors)).toBeUndefined();
  });

  it('over thousands of years, or of no time, has an end', () => {
    const marks = draw('gantt\nA : 0001-01-01, 9999-12-31').svg.match(/stroke-dasharray/g);
    expect(marks?.length).toBe(1);
    expect(draw('gantt\nA : 2026-01-01, 0d').svg).not.toMatch(/NaN|Infinity/);
  });
});

describe('a mind map', () => {
  it('has its branches to the right, in their order', () => {
    const { words, svg, isWhole } = draw(
      'mindmap\n  root((Trip))\n    Pack\n      id["`Warm <br/> socks`"]\n      ::icon(fa fa-book)\n    {{Go}}\n',
    );
    expect(words).toEqual(['Trip', 'Pack', 'Warm   socks', 'Go']);
    expect(isWhole).toBe(true);
    expect(elements(svg)).toEqual(plain);
    const y = (word: string) => Number(new RegExp(`y="([\\d.]+)"[^>]*>${word}<`).exec(svg)?.[1]);
    expect(y('Pack')).toBeLessThan(y('Go'));
  });

  it('has one root', () => {
    const { words, isWhole } = draw('mindmap\nA\n  B\nC\n  D');
    expect([words, isWhole]).toEqual([['A', 'B', 'D'], false]);
  });

  it('keeps each node below its own, when one beside it says nothing', () => {
    const source = 'mindmap\nA\n  B\n    C\n    " "\n    D';
    const x = (word: string) =>
      Number(new RegExp(`x="([\\d.]+)"[^>]*>${word}<`).exec(draw(source).svg)?.[1]);
    expect(draw(source).isWhole).toBe(false);
    expect(x('D')).toBe(x('C'));
  });

  it('is as deep as its lines', () => {
    const deep = Array.from({ length: 390 }, (_one, at) => `${' '.repeat(at)}n${at}`);
    expect(draw(`mindmap\n${deep.join('\n')}`).words).toHaveLength(390);
    expect(drawSource('mindmap', colors)).toBeUndefined();
  });
});

it.each(['pie\n', 'gantt\n', 'mindmap\n'])('shows hostile text of a %j as text', (header) => {
  const text = '<script>x</script>"onload=\u001b';
  const lines = {
    'pie\n': `"${text.replaceAll('"', '')}" : 1`,
    'gantt\n': `section ${text}\n${text} : 2026-01-01, 1d`,
    'mindmap\n': `  [${text}]`,
  }[header];
  const { svg } = draw(`${header}${lines}`);
  expect(elements(svg)).toEqual(plain);
  expect(svg).toContain('&lt;script&gt;');
});

it('names a kind that it does not know', () => {
  expect(drawSource('journey\ntitle My day', colors)).toEqual({ kind: 'unknown', name: 'journey' });
  expect(drawSource('%% a note\nxychart-beta\nx-axis [a]', colors)).toEqual({
    kind: 'unknown',
    name: 'xychart-beta',
  });
  expect(drawSource('<b>\n', colors)).toBeUndefined();
  expect(draw('---\ntitle: x\n---\npie\n"A" : 1').words).toEqual(['A: 100 %']);
});
