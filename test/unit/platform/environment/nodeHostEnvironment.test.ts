import { chmod, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LoginShellPath } from '../../../../src/platform/environment/loginShell.js';
import { createNodeHostEnvironment } from '../../../../src/platform/environment/nodeHostEnvironment.js';
import { processMarker, waitForProcesses } from '../../../fixtures/processes.js';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'shell-'));
});

afterEach(() => rm(folder, { recursive: true }));

/** A host whose login shell is this script; `$2` is the command that it is asked to run. */
async function hostWithShell(script: string, loginShellTimeoutMs = 5000, HOME?: string) {
  const shell = path.join(folder, 'shell');
  await writeFile(shell, `#!/bin/sh\n${script}\n`);
  await chmod(shell, 0o755);
  return createNodeHostEnvironment({
    env: { PATH: '/usr/bin:/bin', SHELL: shell, HOME },
    loginShellTimeoutMs,
    loginShellRetryMs: 0,
  });
}

it('reads a copy of the environment of Windows in any case, and asks no shell there', async () => {
  const env = { Path: 'C:\\bin', SHELL: '/bin/sh' };
  const host = createNodeHostEnvironment({ env, platform: 'win32' });
  expect(host.getVariable('PATH')).toBe('C:\\bin');
  expect(await host.loginShellPath()).toBe('C:\\bin');
  const other = createNodeHostEnvironment({ env: { Path: 'x' }, platform: 'darwin' });
  expect(other.getVariable('PATH')).toBeUndefined();
});

describe('the PATH of the login shell', () => {
  it('is found between greetings and keeps the folders of our own', async () => {
    const host = await hostWithShell(
      'echo "Welcome! PATH=/no"; PATH=/login/bin:$PATH; eval "$2"; echo bye',
    );
    expect(await host.loginShellPath()).toBe('/login/bin:/usr/bin:/bin');
  });

  it('keeps a letter whole that comes in two parts', async () => {
    const mark = "$(echo \"$2\" | cut -d ' ' -f 2 | cut -d ';' -f 1)";
    const host = await hostWithShell(
      `printf '%s\\n/caf\\303' "${mark}"; sleep 0.2; printf '\\251\\n%s\\n' "${mark}"`,
    );
    expect(await host.loginShellPath()).toBe('/café:/usr/bin:/bin');
  });

  it('is asked for once', async () => {
    const host = await hostWithShell('echo x >> "$0.calls"; eval "$2"');
    await Promise.all([host.loginShellPath(), host.loginShellPath()]);
    await host.loginShellPath();
    const { readFile } = await import('node:fs/promises');
    expect(await readFile(path.join(folder, 'shell.calls'), 'utf8')).toBe('x\n');
  });

  it('is our own when the shell hangs, and the shell is ended', async () => {
    const marker = processMarker();
    const host = await hostWithShell(`sh -c 'sleep 600; true' ${marker}`, 200);
    expect(await host.loginShellPath()).toBe('/usr/bin:/bin');
    await waitForProcesses(marker, 0);
  });

  it.each(['exit 3', 'echo nothing useful'])(
    'is our own when the shell fails: %s',
    async (script) => {
      expect(await (await hostWithShell(script)).loginShellPath()).toBe('/usr/bin:/bin');
    },
  );

  it('is asked for again after a shell that was slow once', async () => {
    const script =
      'if [ ! -e "$0.warm" ]; then : > "$0.warm"; sleep 600; fi; PATH=/login:$PATH; eval "$2"';
    const host = await hostWithShell(script, 300);
    expect(await host.loginShellPath()).toBe('/usr/bin:/bin');
    expect(await host.loginShellPath()).toBe('/login:/usr/bin:/bin');
  });

  it('is not asked for at every turn while the shell fails, and gets more time then', async () => {
    const timeouts: number[] = [];
    const read = async (retryMs: number) => {
      const path = new LoginShellPath(
        async (timeoutMs) => {
          timeouts.push(timeoutMs);
          return undefined;
        },
        { retryMs },
      );
      for (let turn = 0; turn < 4; turn++) {
        await Promise.all([path.read(), path.read()]);
      }
    };
    await read(30_000);
    expect(timeouts.splice(0)).toEqual([5000]);
    await read(0);
    expect(timeouts).toEqual([5000, 10_000, 20_000, 20_000]);
  });

  it('is asked for again at once, but once, when something was missed on it', async () => {
    let turns = 0;
    const path = new LoginShellPath(async () => (++turns < 3 ? undefined : '/late'), {
      retryMs: 30_000,
    });
    expect(await path.read()).toBeUndefined();
    expect(await path.read()).toBeUndefined();
    expect(turns).toBe(1);
    expect(await Promise.all([path.read(true), path.read(true)])).toEqual([undefined, undefined]);
    expect(turns).toBe(2);
    expect(await path.read(true)).toBeUndefined();
    expect(turns).toBe(2);
  });

  it('is our own without a shell', async () => {
    const host = createNodeHostEnvironment({ env: { PATH: '/bin', SHELL: '/no/such/shell' } });
    expect(await host.loginShellPath()).toBe('/bin');
  });

  it('is asked for in the home of the user, not where the editor or the CLI was started', async () => {
    const home = await realpath(folder);
    const script = 'PATH="/at:$(pwd -P):/says:$PWD:/was:$OLDPWD:$PATH"; eval "$2"';
    const host = await hostWithShell(script, 5000, home);
    expect(await host.loginShellPath()).toBe(`/at:${home}:/says:/was:/usr/bin:/bin`);
    expect(process.cwd()).not.toBe(home);
  });

  it('comes from a real shell', async () => {
    const host = createNodeHostEnvironment({
      env: { PATH: '/usr/bin:/bin:/ours', SHELL: '/bin/bash', HOME: folder },
    });
    expect((await host.loginShellPath()).split(':')).toContain('/ours');
  });
});
