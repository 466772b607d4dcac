import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../../../src/config/parse/parseConfig.js';
import {
  isReadByVsCode,
  leaveFileQuestion,
} from '../../../../src/presentation/language/sharedFile.js';

const options = { path: '/work/api/.mcp.json', scope: 'folder', layer: 'project' } as const;
const read = (text: string, layer: 'project' | 'pi-project' = 'project') =>
  isReadByVsCode(parseConfig(text, { ...options, layer }));

describe('a file that VS Code reads too', () => {
  it.each([
    ['{"mcpServers": {"a": {"command": "x"}}}', true],
    ['{"a": {"url": "https://a"}}', true],
    ['{"servers": {"a": {"command": "x"}}}', false],
    ['{"mcpServers": {}}', false],
    ['{"mcpServers": {"a": {"enabled": false}}}', false],
    ['{"mcpServers": ', false],
  ])('%s', (text, expected) => {
    expect(read(text)).toBe(expected);
  });

  it('is the project file alone', () => {
    expect(read('{"mcpServers": {"a": {"command": "x"}}}', 'pi-project')).toBe(false);
  });
});

it('names setting, value and file before anything is written, and what else it costs', () => {
  const { message, detail } = leaveFileQuestion({
    setting: 'chat.mcp.access',
    value: 'none',
    path: '/work/api/.vscode/settings.json',
  });
  expect(message).toBe('Leave the ".mcp.json" of this workspace to Pi MCP?');
  expect(detail).toContain('"chat.mcp.access": "none" to /work/api/.vscode/settings.json');
  expect(detail).toContain('nor those that you set up in VS Code');
});
