import { expect, it } from 'vitest';
import { parseConfig } from '../../../src/config/parse/parseConfig.js';
import { stateText } from '../../../src/mcp/trouble/stateText.js';

it('names the problem that makes an entry invalid, not the first one', () => {
  const text = '{"mcpServers":{"a":{"description":"d","timeout":3,"nope":1}}}';
  const [entry] = parseConfig(text, { path: '/w/.mcp.json', layer: 'project' }).entries;
  const problems = entry?.problems ?? [];
  expect(problems.map(({ severity }) => severity)).toContain('info');
  const state = { kind: 'invalid', problems } as const;
  expect(stateText(state)).toMatchObject({
    sentence: 'Server a has neither "command" nor "url".',
    reason: 'No command or URL',
    fix: { kind: 'openLine', how: expect.stringMatching(/^Add "command"/) },
  });
});
