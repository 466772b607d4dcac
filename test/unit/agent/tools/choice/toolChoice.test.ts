import { expect, it } from 'vitest';
import {
  applyChange,
  everyTool,
  isChanged,
  isChosen,
  readChoice,
  storeChoice,
  type ToolChoice,
  takesNew,
} from '../../../../../src/agent/tools/choice/toolChoice.js';
import type { ToolChange } from '../../../../../src/protocol/tools/toolChoice.js';

const choose = (...changes: readonly ToolChange[]): ToolChoice =>
  changes.reduce(applyChange, everyTool);
const isOn = (choice: ToolChoice, server: string, tool: string, reads = false) =>
  isChosen(choice, server, tool, () => reads);

it('takes a tool away, and all that a server has or gets', () => {
  const one = choose({ kind: 'switch', server: 'git', tools: ['push'], isOn: false });
  expect([isOn(one, 'git', 'push'), isOn(one, 'git', 'new'), isOn(one, 'docs', 'push')]).toEqual([
    false,
    true,
    true,
  ]);
  const all = applyChange(one, { kind: 'switch', server: 'git', isOn: false });
  expect([isOn(all, 'git', 'new'), takesNew(all, 'git'), takesNew(all, 'docs')]).toEqual([
    false,
    false,
    true,
  ]);
  const back = applyChange(all, { kind: 'switch', server: 'git', tools: ['log'], isOn: true });
  expect([isOn(back, 'git', 'log'), isOn(back, 'git', 'new')]).toEqual([true, false]);
  // switching the server forgets what was said of its tools
  const again = applyChange(back, { kind: 'switch', server: 'git', isOn: true });
  expect(isOn(again, 'git', 'push')).toBe(true);
});

it('takes what reads, as long as nothing was switched by hand', () => {
  const choice = choose({ kind: 'profile', profile: 'readOnly' });
  expect([isOn(choice, 'git', 'log', true), isOn(choice, 'git', 'push')]).toEqual([true, false]);
  expect(isChanged(choice)).toBe(false);
  const more = applyChange(choice, { kind: 'switch', server: 'git', tools: ['push'], isOn: true });
  expect([isOn(more, 'git', 'push'), isChanged(more)]).toEqual([true, true]);
  expect(applyChange(more, { kind: 'reset' })).toEqual(everyTool);
});

it('is read as it was stored, whatever servers and tools are called', () => {
  const choice = choose(
    { kind: 'profile', profile: 'readOnly' },
    { kind: 'switch', server: '__proto__', isOn: true },
    { kind: 'switch', server: 'a', tools: ['constructor', 'b'], isOn: false },
    { kind: 'switch', server: '', tools: ['bash'], isOn: false },
  );
  expect(readChoice(JSON.parse(JSON.stringify(storeChoice(choice))))).toEqual(choice);
});

it.each([
  undefined,
  'all',
  { profile: 'everything', servers: [], tools: [] },
  { profile: 'all', servers: {}, tools: [] },
])('is not read from %j', (data) => {
  expect(readChoice(data)).toBeUndefined();
});

it('leaves out entries that are none', () => {
  const data = { profile: 'all', servers: [['a'], [1, true], 'b'], tools: [['a', 'b', 'c', true]] };
  expect(readChoice(data)).toEqual(everyTool);
});
