/**
 * A clock that people can set is for what people see; durations are measured by one that never runs backwards. No test
 * waits for a time.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

/** Files that may ask what time it is, and for what. */
const dates: Readonly<Record<string, string>> = {
  'src/agent/changes/blobs.ts': 'age of files',
  'src/config/launch/commandValue.ts': 'start times of processes, as the system says them',
  'src/agent/changes/checkpoints/checkpoints.ts': 'shown to the user',
  'src/agent/changes/checkpoints/replacing.ts': 'shown to the user',
  'src/agent/changes/prune.ts': 'age of files',
  'src/agent/context/activity.ts': 'shown to the user',
  'src/agent/context/retryWaits.ts': 'shown to the user',
  'src/agent/conversations/conversations.ts': 'age of files',
  'src/agent/live/liveConversation.ts': 'shown to the user',
  'src/agent/session/sessionTranscript.ts': 'shown to the user',
  'src/mcp/bundles/bundleDownloads.ts': 'age of files',
  'src/mcp/catalog/metadataCache.ts': 'age of files, across restarts',
  'src/webview/agent/agentPage.ts': 'which of two drafts is newer, across restarts',
  'src/vscode/statusBar/activityStatusItem.ts': 'shown to the user',
  'src/webview/agent/composer/sending.ts': 'shown to the user',
  'src/webview/agent/statusLine.ts': 'shown to the user',
  'src/webview/agent/transcript/retryView.ts': 'shown to the user',
  'src/platform/clock.ts': 'the one clock',
  'src/platform/stores/drafts.ts': 'age of files',
  'src/platform/environment/loginShell.ts': 'a unique mark',
  'src/platform/npx/resolveNpx.ts': 'age of files',
  'src/platform/process/ledger.ts': 'start times of processes, as the system says them',
  'src/mcp/connection/stdio/stdioTransport.ts': 'start times of processes, as the system says them',
  'src/mcp/connection/protocolVerdicts.ts': 'age of files, across restarts',
  'src/mcp/connection/http/retryAfter.ts': 'dates that servers name',
  'src/cli/arguments.ts': 'since when calls of the log are shown',
  'src/mcp/service/runningServers.ts': 'shown to the user',
  'src/presentation/runTool/toolRun.ts': 'shown to the user',
  'src/presentation/start/startOverview.ts': 'shown to the user',
  'src/vscode/commands/changeCommands.ts': 'shown to the user',
  'src/vscode/commands/taskCommands.ts': 'shown to the user',
  'src/vscode/prompts/picks/rulePicker.ts': 'shown to the user',
  'src/agent/policy/rules/ruleUses.ts': 'dates of uses, across restarts',
  'src/agent/context/answers.ts': 'when an answer was made, as Pi keeps it',
  'src/vscode/documents/resourceFiles.ts': 'modification time of a document',
  'src/vscode/server/trafficTab.ts': 'shown to the user',
  'src/vscode/prompts/conversations/conversationList.ts': 'shown to the user',
};

function usesDate(text: string): boolean {
  return text.includes('Date.now');
}

function filesBelow(dir: string, end: RegExp): readonly string[] {
  return readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .map((file) => join(dir, file).replaceAll('\\', '/'))
    .filter((file) => end.test(file));
}

it('measures no duration by a clock that can be set', () => {
  const files = filesBelow('src', /\.ts$/);
  const users = files.filter((file) => usesDate(readFileSync(file, 'utf8')));
  expect(users.filter((file) => !(file in dates))).toEqual([]);
  expect(Object.keys(dates).filter((file) => !users.includes(file))).toEqual([]);
});

it('would notice one', () => {
  expect(usesDate('const startedAt = Date.now();')).toBe(true);
});

/** Tests and helpers that let time pass, and for what. Fixtures play servers, which take their time. */
const waits: Readonly<Record<string, string>> = {
  'test/accounts/device.test.ts': 'a hundredth of the time between two questions',
  'test/e2e/promises.slow.test.ts': 'what is measured: that nothing comes by itself',
  'test/helpers/breaks/brokenCopy.ts': 'a limit',
  'test/helpers/fakes/agentHarness.ts': 'a limit',
  'test/helpers/fastClock.ts': 'time that passes faster',
  'test/helpers/until.ts': 'between two looks',
  'test/integration/agentPanel.test.ts': 'a model that never answers',
  'test/integration/clientFeatures.test.ts': 'messages that come again and again',
  'test/integration/modernWire.test.ts': 'messages that come again and again',
  'test/pages/keptPages.test.ts': 'what a test leaves behind',
  'test/unit/agent/queue/messageQueue.test.ts': 'turns of the event loop, which take no time',
  'test/unit/base/async/sharedRun.test.ts': 'ends that come again and again',
  'test/unit/clocks.test.ts': 'what is looked for',
  'test/unit/mcp/connection/session/boundedRequest.test.ts': 'an event loop that stands still',
};

function letsTimePass(text: string): boolean {
  // not what a process does that a test starts
  const own = text.replaceAll(/(?<!from )'[^'\n]*'|`[^`]*`/g, '');
  return /\b(?:setTimeout|setInterval|delay|sleep|waitForTimeout)\(|timers\/promises/.test(own);
}

it('waits in tests for events, not for a time', () => {
  const files = filesBelow('test', /\.(?:ts|mts|mjs)$/).filter(
    (file) => !/^test\/(?:bench|fixtures|mutation|servers|soak|workbench)\//.test(file),
  );
  const found = files.filter((file) => letsTimePass(readFileSync(file, 'utf8')));
  expect(found.filter((file) => !(file in waits))).toEqual([]);
  expect(Object.keys(waits).filter((file) => !found.includes(file))).toEqual([]);
});

it('waits in tests as long as the ring allows, which a busy machine may need', () => {
  // a hook can use nothing else
  const files = filesBelow('test', /\.test\.ts$/).filter(
    (file) => file !== 'test/unit/clocks.test.ts',
  );
  const hasty = files.filter((file) =>
    /\bvi\.wait(?:For|Until)\(/.test(readFileSync(file, 'utf8')),
  );
  expect(hasty).toEqual([]);
});

it.each([
  ['await new Promise((resolve) => setTimeout(resolve, 500));', true],
  ["import { setTimeout as pause } from 'node:timers/promises';", true],
  ['await page.waitForTimeout(500);', true],
  ["spawn(node, ['-e', 'setInterval(() => undefined, 1000)']);", false],
])('tells what lets time pass: %s', (text, isWait) => {
  expect(letsTimePass(text)).toBe(isWait);
});

it('has no time limit that Node 20 forgets when it collects memory', () => {
  const files = filesBelow('src', /\.ts$/).filter((file) => {
    const text = readFileSync(file, 'utf8');
    return text.includes('AbortSignal.any(') && text.includes('AbortSignal.timeout(');
  });
  expect(files).toEqual([]);
});
