import { expect, it } from 'vitest';
import { SetAsideTools } from '../../../../src/agent/policy/setAsideTools.js';
import type { McpServerId } from '../../../../src/config/definition.js';

const a = 'global.a' as McpServerId;
const b = 'global.b' as McpServerId;

it('sets a tool aside for one conversation, until the user wants it back or the conversation is over', () => {
  const tools = new SetAsideTools();
  let changes = 0;
  tools.onDidChange(() => changes++);
  const [first, second] = [{}, {}];
  const refused = { serverId: a, tool: 't', signature: 's' };
  tools.add(first, { ...refused, reason: 'too long' });
  tools.add(first, { ...refused, tool: 'u', reason: 'too deep' });
  expect(changes).toBe(2);
  expect(tools.has(first, refused)).toBe(true);
  expect(tools.has(second, refused)).toBe(false);
  for (const other of [{ serverId: b }, { tool: 'v' }, { signature: 'x' }]) {
    expect(tools.has(first, { ...refused, ...other })).toBe(false);
  }
  expect(tools.reasonFor(a, 't')).toBe('too long');
  expect(tools.reasonFor(a, 'u')).toBe('too deep');
  expect(tools.reasonFor(b, 't')).toBeUndefined();
  // nothing changes where there is nothing to bring back
  tools.restore(b, 't');
  tools.forget(second);
  expect(changes).toBe(2);
  tools.restore(a, 't');
  expect(changes).toBe(3);
  expect(tools.has(first, refused)).toBe(false);
  expect(tools.reasonFor(a, 'u')).toBe('too deep');
  tools.forget(first);
  expect(changes).toBe(4);
  expect(tools.reasonFor(a, 'u')).toBeUndefined();
});
