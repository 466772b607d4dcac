import type { ImportSource } from '../definition.js';

/** Names as their makers write them. */
export const importLabels: Readonly<Record<ImportSource, string>> = {
  cursor: 'Cursor',
  'claude-code': 'Claude Code',
  'claude-desktop': 'Claude Desktop',
  codex: 'Codex',
  windsurf: 'Windsurf',
  vscode: 'VS Code',
  opencode: 'opencode',
  copilot: 'Copilot CLI',
  cline: 'Cline',
  gemini: 'Gemini CLI',
  zed: 'Zed',
  pi: 'Pi',
};
