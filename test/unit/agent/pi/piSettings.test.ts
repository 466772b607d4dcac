import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readPiSettings, selectFolderSettings } from '../../../../src/agent/pi/piSettings.js';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'pi-mcp-settings-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

it.each([
  ['steeringMode', 'all'],
  ['followUpMode', 'one-at-a-time'],
  ['images', { autoResize: false }],
  ['images', { blockImages: true }],
])('takes %s of a folder', (key, value) => {
  expect(selectFolderSettings({ [key]: value })).toEqual({ taken: { [key]: value }, refused: [] });
});

it.each([
  ['shellPath', '/repository/sh'],
  ['shellCommandPrefix', 'touch ran'],
  ['externalEditor', 'touch ran'],
  ['npmCommand', ['touch', 'ran']],
  ['packages', ['npm:evil']],
  ['extensions', ['./evil.ts']],
  ['skills', ['/etc']],
  ['prompts', ['/etc']],
  ['themes', ['/etc']],
  ['sessionDir', '/repository/sessions'],
  ['defaultProvider', 'evil'],
  ['defaultModel', 'evil'],
  ['enabledModels', ['evil/*']],
  ['defaultThinkingLevel', 'max'],
  ['modelThinkingLevels', { 'evil/m': 'max' }],
  ['thinkingBudgets', { high: 1_000_000 }],
  ['compaction', { reserveTokens: 1_000_000_000 }],
  ['branchSummary', { reserveTokens: 1 }],
  ['cacheWarming', 'idle'],
  ['retry', { maxRetries: 1_000_000, baseDelayMs: 0 }],
  ['warnings', { anthropicExtraUsage: false }],
  ['transport', 'websocket'],
  ['httpProxy', 'http://evil.test'],
  ['httpIdleTimeoutMs', 0],
  ['websocketConnectTimeoutMs', 0],
  ['enableAnalytics', true],
  ['enableInstallTelemetry', true],
  ['trackingId', 'you'],
  ['defaultTools', ['bash']],
  ['defaultProjectTrust', 'always'],
  // the former names, which Pi would still take over
  ['queueMode', 'all'],
  ['websockets', true],
  ['aKeyOfALaterPi', true],
  // values that are none of the key
  ['steeringMode', 'never'],
  ['images', { blockImages: false }],
  ['images', 'all'],
])('refuses %s of a folder as %j', (key, value) => {
  expect(selectFolderSettings({ [key]: value })).toEqual({ taken: {}, refused: [key] });
});

it('passes over what concerns the terminal alone', () => {
  expect(selectFolderSettings({ theme: 'dark', terminal: { images: 'kitty' } })).toEqual({
    taken: {},
    refused: [],
  });
});

it('is not fooled by names that every object has', () => {
  const settings = JSON.parse('{"__proto__": {"shellPath": "/evil"}, "constructor": "x"}');
  const { taken, refused } = selectFolderSettings(settings);
  expect([Object.keys(taken), refused]).toEqual([[], ['__proto__', 'constructor']]);
});

async function write(path: string, settings: object): Promise<void> {
  await mkdir(join(root, path, '..'), { recursive: true });
  await writeFile(join(root, path), JSON.stringify(settings));
}

async function read(isFolderTrusted: boolean) {
  const pi = await import('../../../../src/agent/pi/piEntry.js');
  const places = { agentDir: join(root, 'agent'), cwd: join(root, 'app'), isFolderTrusted };
  return readPiSettings(pi, places);
}

it("keeps the user's own settings, and puts harmless ones of the folder over them", async () => {
  await write('agent/settings.json', { shellPath: '/bin/sh', steeringMode: 'one-at-a-time' });
  await write('app/.pi/settings.json', { shellPath: '/evil', steeringMode: 'all' });
  const { settings, userSettings, refusedKeys } = await read(true);
  expect([settings.getShellPath(), settings.getSteeringMode()]).toEqual(['/bin/sh', 'all']);
  expect(userSettings.getSteeringMode()).toBe('one-at-a-time');
  expect(refusedKeys).toEqual(['shellPath']);
});

it('takes nothing of a folder in Restricted Mode', async () => {
  await write('app/.pi/settings.json', { steeringMode: 'all', shellPath: '/evil' });
  const { settings, refusedKeys } = await read(false);
  expect(settings.getSteeringMode()).not.toBe('all');
  expect(refusedKeys).toEqual([]);
});
