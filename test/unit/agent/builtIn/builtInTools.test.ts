import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { builtInToolNames } from '../../../../src/agent/builtIn/builtInTools.js';
import { withoutEditorVariables } from '../../../../src/agent/builtIn/shellCalls.js';
import { piNeedsNewerNode } from '../../../../src/agent/live/problem.js';
import { createNodeHostEnvironment } from '../../../../src/platform/environment/nodeHostEnvironment.js';

const folder = mkdtempSync(join(tmpdir(), 'pi-mcp-path-'));

afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('offers grep and find only where their program is, and writes only in a trusted workspace', () => {
  const environment = createNodeHostEnvironment({ env: { PATH: folder }, platform: 'linux' });
  expect(builtInToolNames(environment, true)).toEqual([
    'read',
    'ls',
    'bash',
    'edit',
    'write',
    'todo',
    'present_plan',
  ]);
  writeFileSync(join(folder, 'rg'), '');
  chmodSync(join(folder, 'rg'), 0o755);
  const later = createNodeHostEnvironment({ env: { PATH: folder }, platform: 'linux' });
  expect(builtInToolNames(later, false)).toEqual(['read', 'ls', 'grep', 'find', 'todo']);
});

it('drops the variables of the editor', () => {
  expect(withoutEditorVariables({ PATH: 'a', VSCODE_PID: '1', ELECTRON_RUN_AS_NODE: '1' })).toEqual(
    { PATH: 'a' },
  );
});

it.each([
  ['20.20.0', true],
  ['22.14.9', true],
  ['22.15.0', false],
  ['24.1.0', false],
])('Node %s is too old: %s', (version, isTooOld) => {
  expect(piNeedsNewerNode(version) !== undefined).toBe(isTooOld);
});
