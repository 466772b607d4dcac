import { expect, it } from 'vitest';
import type { ToolPrefix } from '../../../../src/config/definition.js';
import { askingRule } from '../../../../src/mcp/catalog/toolGlob.js';
import { nameTools } from '../../../../src/mcp/catalog/toolNames.js';

const prefixes: readonly ToolPrefix[] = ['server', 'short', 'none', 'mcp'];

it.each(['git-hub/delete repo', 'git_hub__delete_*', 'mcp__git_hub__*', 'delete_repo', '*delete*'])(
  'asks by %s whatever prefix a file of the project chooses',
  (pattern) => {
    const tools = [{ name: 'delete repo' }];
    const asks = prefixes.map((prefix) => {
      const [tool] = nameTools([{ id: 'x', name: 'git-hub', tools, prefix }]);
      return tool && askingRule([pattern], tool);
    });
    expect(asks).toEqual([pattern, pattern, pattern, pattern]);
  },
);

it('does not ask for other tools', () => {
  const tool = { name: 'files__read', server: 'files', tool: 'read' };
  expect(askingRule(['git*', 'files/write', 'read_all'], tool)).toBeUndefined();
});
