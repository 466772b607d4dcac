import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { machineFacts } from '../../../../src/presentation/doctor/machineFacts.js';

let bin: string;
beforeEach(async () => {
  bin = await mkdtemp(join(tmpdir(), 'machine-facts-'));
  await writeFile(join(bin, 'uvx'), '');
  await chmod(join(bin, 'uvx'), 0o755);
});
afterEach(() => rm(bin, { recursive: true }));

function environment(loginPath: string) {
  return {
    platform: 'linux' as const,
    homeDir: bin,
    getVariable: (name: string) => ({ PATH: '/none', SHELL: '/bin/zsh' })[name],
    allVariables: () => ({}),
    loginShellPath: async () => loginPath,
  };
}

it('tells shell, both PATHs and where programs are that most entries name', async () => {
  expect(await machineFacts(environment(`${bin}:/none`))).toEqual([
    { label: 'shell', text: '/bin/zsh' },
    { label: 'PATH of this process', text: '/none' },
    { label: 'PATH of servers', text: `${bin}:/none` },
    { label: 'node', text: 'not found' },
    { label: 'npx', text: 'not found' },
    { label: 'uvx', text: join(bin, 'uvx') },
    { label: 'docker', text: 'not found' },
  ]);
});

it('says when the login shell adds nothing', async () => {
  const facts = await machineFacts(environment('/none'));
  expect(facts[2]?.text).toBe('same as the editor');
});
