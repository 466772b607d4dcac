/** A clock that people can set is for what people see; durations are measured by one that never runs backwards. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

/** Files that may ask what time it is, and for what. */
const dates: Readonly<Record<string, string>> = {
  'src/agent/changes/blobs.ts': 'age of files',
  'src/agent/changes/checkpoints/checkpoints.ts': 'shown to the user',
  'src/agent/changes/checkpoints/replacing.ts': 'shown to the user',
  'src/agent/changes/prune.ts': 'age of files',
  'src/agent/context/retryWaits.ts': 'shown to the user',
  'src/agent/conversations/conversations.ts': 'age of files',
  'src/agent/live/liveConversation.ts': 'shown to the user',
  'src/agent/models/editor/stream.ts': 'when an answer was written, as Pi keeps it',
  'src/mcp/catalog/metadataCache.ts': 'age of files, across restarts',
  'src/webview/agent/agentPage.ts': 'which of two drafts is newer, across restarts',
  'src/webview/agent/transcript/retryView.ts': 'shown to the user',
  'src/platform/clock.ts': 'the one clock',
  'src/platform/stores/drafts.ts': 'age of files',
  'src/platform/environment/loginShell.ts': 'a unique mark',
  'src/platform/npx/resolveNpx.ts': 'age of files',
  'src/platform/process/ledger.ts': 'start times of processes, as the system says them',
  'src/mcp/connection/protocolVerdicts.ts': 'age of files, across restarts',
  'src/mcp/connection/http/retryAfter.ts': 'dates that servers name',
  'src/mcp/service/runningServers.ts': 'shown to the user',
  'src/presentation/runTool/toolRun.ts': 'shown to the user',
  'src/presentation/start/startOverview.ts': 'shown to the user',
  'src/vscode/commands/changeCommands.ts': 'shown to the user',
  'src/vscode/commands/taskCommands.ts': 'shown to the user',
  'src/vscode/prompts/picks/rulePicker.ts': 'shown to the user',
  'src/agent/policy/rules/ruleUses.ts': 'dates of uses, across restarts',
  'src/vscode/documents/resourceFiles.ts': 'modification time of a document',
  'src/vscode/inspector/inspectorPanel.ts': 'shown to the user',
  'src/vscode/prompts/conversations/conversationList.ts': 'shown to the user',
};

function usesDate(text: string): boolean {
  return text.includes('Date.now');
}

it('measures no duration by a clock that can be set', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .map((file) => join('src', file).replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.ts'));
  const users = files.filter((file) => usesDate(readFileSync(file, 'utf8')));
  expect(users.filter((file) => !(file in dates))).toEqual([]);
  expect(Object.keys(dates).filter((file) => !users.includes(file))).toEqual([]);
});

it('would notice one', () => {
  expect(usesDate('const startedAt = Date.now();')).toBe(true);
});
