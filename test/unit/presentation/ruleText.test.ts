import { expect, it } from 'vitest';
import { isRuleFor, type ListedRule } from '../../../src/agent/policy/listRules.js';
import { ruleAge, ruleLabel, rulePlace } from '../../../src/presentation/consent/ruleText.js';
import type { RuleSubject } from '../../../src/protocol/tools/approvalRules.js';

const listed = (subject: RuleSubject, more: Partial<ListedRule> = {}): ListedRule => ({
  id: 'x',
  subject,
  place: { kind: 'everywhere' },
  since: '2026-11-22T08:00:00.000Z',
  remove: () => Promise.resolve(undefined),
  ...more,
});
const tool = { kind: 'tool', server: 'demo', tool: 'echo' } as const;

it.each<[RuleSubject, string]>([
  [tool, 'demo/echo'],
  [{ kind: 'builtIn', tool: 'write' }, 'write'],
  [{ kind: 'command', words: ['git', 'log'], isPrefix: true }, 'git log *'],
  [{ kind: 'call', tool: 'bash', text: 'ls\u202e' }, 'bash ls\\u202e'],
])('names what %j covers', (subject, label) => {
  expect(ruleLabel(listed(subject))).toBe(label);
});

it('says where it holds, since when, and when it was used last', () => {
  const name = (uri: string) => `<${uri}>`;
  const at = (place: ListedRule['place']) => rulePlace({ place }, name);
  expect(at({ kind: 'everywhere' })).toBe('in every folder');
  expect(at({ kind: 'folder', uri: 'a' })).toBe('in <a>');
  expect(at({ kind: 'conversation', title: 'Hello' })).toBe('in the conversation “Hello”');
  expect(at({ kind: 'conversation', title: undefined })).toContain('no title yet');
  const now = Date.parse('2026-11-22T10:00:00.000Z');
  expect(ruleAge(listed(tool), now, 'en')).toBe('Allowed 2 hours ago · not used yet');
  expect(ruleAge(listed(tool, { usedAt: '2026-11-22T09:55:00.000Z' }), now, 'en')).toBe(
    'Allowed 2 hours ago · last used 5 minutes ago',
  );
  expect(ruleAge(listed(tool, { since: '?' }), now, 'en')).toBe('not used yet');
});

it('finds the rules of one tool, in conversations by the name that the user saw', () => {
  const folder = { name: 'a', uri: 'file:///a', fsPath: '/a' };
  const server = { name: 'demo', scope: 'folder', folder } as const;
  const inConversation = (name: string) =>
    listed({ ...tool, server: name }, { place: { kind: 'conversation', title: 'x' } });
  const folders = [folder, { name: 'b' }];
  expect(isRuleFor(listed(tool, { scope: 'folder' }), server, 'echo', folders)).toBe(true);
  expect(isRuleFor(listed(tool, { scope: 'global' }), server, 'echo', folders)).toBe(false);
  expect(isRuleFor(inConversation('demo'), server, 'echo', [folder])).toBe(true);
  expect(isRuleFor(inConversation('demo'), server, 'echo', folders)).toBe(false);
  expect(isRuleFor(inConversation('demo (folder a)'), server, 'echo', folders)).toBe(true);
  expect(isRuleFor(inConversation('demo'), server, 'other', [folder])).toBe(false);
});
