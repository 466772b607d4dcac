/** `.mcp.json` as a language, and what happens when it changes. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { connectSample } from '../helpers/e2e/steps.js';
import { useWorkbench } from '../helpers/e2e/useWorkbench.js';

const workbench = useWorkbench({}, async (workbench) => {
  await connectSample(workbench);
  await workbench.servers.show();
});

it('completes fields and explains them', async () => {
  const { editor } = workbench;
  await editor.open('.mcp.json');
  await editor.placeCursorAfter('"memory": {');
  await editor.type('"life');
  await editor.suggest('lifecycle');
  await workbench.page.keyboard.press('Escape');
  await workbench.page.keyboard.press('Control+Z');
  await editor.placeCursorAfter('"comm');
  await editor.showHover('Command of a stdio server');
  await workbench.page.keyboard.press('Escape');
});

it('reports a wrong entry in the editor and keeps the other servers running', async () => {
  const { editor, servers } = workbench;
  const before = pids();
  await editor.placeCursorAfter('"memory": {');
  await editor.type('"url": "http://127.0.0.1:9/mcp",');
  await editor.save();
  await editor.showProblems();
  await editor
    .problem(/command.*url|url.*command/)
    .first()
    .waitFor();
  await servers.waitForServer('memory', 'Both command and URL');
  await workbench.screenshot('diagnostics');
  expect(pids()).toEqual(before.filter(([name]) => name !== 'memory'));
});

it('picks up a save from outside and restarts only what changed', async () => {
  const { servers } = workbench;
  const before = pids();
  const text = readFileSync(configPath(), 'utf8').replace('"url": "http://127.0.0.1:9/mcp",', '');
  replaceFile(text);
  await servers.waitForServer('memory', 'Connected');
  expect(pids().filter(([name]) => name !== 'memory')).toEqual(before);
  replaceFile(text.replace('"stdio"', '"stdio", "--changed"'));
  await expect
    .poll(() => pids().find(([name]) => name === 'everything')?.[1], { timeout: 20_000 })
    .not.toBe(before.find(([name]) => name === 'everything')?.[1]);
  await servers.waitForServer('everything', 'Connected');
  expect(pids().find(([name]) => name === 'filesystem')).toEqual(
    before.find(([name]) => name === 'filesystem'),
  );
});

it('marks a syntax error once, says what to do about it, and mends it', async () => {
  const { editor, page, servers, shell } = workbench;
  const saved = readFileSync(configPath(), 'utf8');
  await editor.placeCursorAfter('"memory": {');
  await editor.type('"lifecycle": "lazy" "debug": false,');
  await editor.showProblems();
  await editor.problem('Expected comma').waitFor();
  await expect.poll(() => editor.problem('syntax error').count()).toBe(0);
  await editor.placeCursorAfter('"deb');
  await editor.showHover(/a\scomma\sis\smissing.*last\sgood\sstate/);
  await workbench.screenshot('syntax-error');
  await page.keyboard.press('Escape');
  await editor.applyFix('Insert the Missing ,');
  await editor.line('"lifecycle": "lazy", "debug": false').waitFor();
  await editor.problem('Expected comma').waitFor({ state: 'detached' });
  // the editor may have saved the error by itself: all of it is taken back on the disk
  replaceFile(saved);
  await shell.runCommand('File: Revert File');
  await servers.rows.filter({ hasText: /sample.*file problem/ }).waitFor({ state: 'detached' });
  await shell.connectedItem(4, 4).waitFor();
});

it('keeps the last good state of a file with a syntax error and writes nothing to it', async () => {
  const { servers, shell } = workbench;
  const before = pids();
  const broken = `${readFileSync(configPath(), 'utf8').trimEnd().slice(0, -1)}\n`;
  replaceFile(broken);
  await servers.rows.filter({ hasText: /sample.*file problem/ }).waitFor();
  await shell.connectedItem(4, 4).waitFor();
  expect(pids()).toEqual(before);
  expect(readFileSync(configPath(), 'utf8')).toBe(broken);
  replaceFile(`${broken}}\n`);
  await servers.rows.filter({ hasText: /sample.*file problem/ }).waitFor({ state: 'detached' });
  expect(pids()).toEqual(before);
});

/** Server name and pid of every stdio server, sorted. */
function pids(): readonly (readonly [string, number])[] {
  return workbench
    .serverProcesses()
    .map(({ pid, command }) => [/server-(\w+)/.exec(command)?.[1] ?? command, pid] as const)
    .sort(([a], [b]) => a.localeCompare(b));
}

/** As many editors save: a new file takes the old one's place. */
function replaceFile(text: string): void {
  writeFileSync(`${configPath()}.new`, text);
  renameSync(`${configPath()}.new`, configPath());
}

function configPath(): string {
  return join(workbench.workspaceDir, '.mcp.json');
}
