import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readlinkSync } from 'node:fs';
import { chmod, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createNodeHostEnvironment } from '../../../src/platform/environment/nodeHostEnvironment.js';
import { readProcArguments, readProcStat } from '../../../src/platform/process/identity.js';
import {
  callForText,
  failureOf,
  misbehaveScript,
  nextFailure,
  stdioLaunch,
  TestConnections,
} from '../../fixtures/connections.js';
import { untilSuspended, waitForProcesses } from '../../fixtures/processes.js';

let connections: TestConnections;

beforeEach(() => {
  connections = new TestConnections();
});

afterEach(async () => {
  await connections.closeAll();
  expect(await connections.processes()).toEqual([]);
});

describe('closing', () => {
  it('ends a well-behaved server without a signal', async () => {
    const connection = await connections.openMisbehaving();
    await connection.close();
    expect(connection.describeError(undefined)).toMatchObject({ exitCode: 0, signal: undefined });
  });

  it('ends a server that ignores the end of stdin', async () => {
    const connection = await connections.openMisbehaving('--ignore-eof');
    await connection.close();
    expect(connection.describeError(undefined).signal).toBe('SIGTERM');
  });

  it('ends a server that ignores the end of stdin and SIGTERM', async () => {
    const connection = await connections.openMisbehaving('--ignore-eof', '--ignore-sigterm');
    await connection.close();
    expect(connection.describeError(undefined).signal).toBe('SIGKILL');
  });

  it.each([[[]], [['--ignore-eof']]])('ends a wrapped server: %s', async (faults) => {
    const command = ['node', misbehaveScript, ...faults, connections.marker].join(' ');
    const connection = await connections.open(stdioLaunch('sh', ['-c', `${command}; true`]));
    expect(await connections.processes()).toHaveLength(2);
    await connection.close();
    expect(await connections.processes()).toEqual([]);
  });

  it.each(['--helper', '--helper-stubborn'])('ends the helper of a server: %s', async (fault) => {
    const connection = await connections.openMisbehaving(fault);
    await waitForProcesses(connections.marker, 2);
    await connection.close();
    expect(await connections.processes()).toEqual([]);
  });

  it.each([
    [['--helper-detached']],
    [['--helper-detached', '--helper-stubborn']],
    [['--helper-bare']],
  ])('ends a helper that left the group of its server: %s', async (faults) => {
    const connection = await connections.openMisbehaving(...faults);
    await waitForProcesses(connections.marker, 2);
    await connection.close();
    expect(await connections.processes()).toEqual([]);
  });

  describe.skipIf(process.platform !== 'linux')('a daemon without environment or parents', () => {
    /** A server, and a daemon that it started when it was called. */
    async function openWithDaemon(env: Record<string, string>, ...faults: readonly string[]) {
      const launch = connections.misbehaving(...faults);
      const connection = await connections.open({ ...launch, env });
      await callForText(connection, 'daemon');
      const running = await waitForProcesses(connections.marker, 2);
      const daemon = running.find((pid) => pid !== connection.pid) ?? 0;
      await expect.poll(() => readProcArguments(daemon)[0]).toBe(process.execPath);
      expect(readProcStat(daemon)?.parent).not.toBe(connection.pid);
      return { connection, daemon };
    }

    it('ends with its server, while one that only looks like it stays', async () => {
      const { connection, daemon } = await openWithDaemon({});
      const alike = spawn('setsid', ['env', '-i', ...readProcArguments(daemon)], {
        cwd: readlinkSync(`/proc/${daemon}/cwd`),
        stdio: 'ignore',
      });
      try {
        await waitForProcesses(connections.marker, 3);
        await connection.close();
        expect(await connections.processes()).toEqual([alike.pid]);
      } finally {
        alike.kill('SIGKILL');
      }
      await waitForProcesses(connections.marker, 0);
    });

    it('ends when its server crashes', async () => {
      const { connection, daemon } = await openWithDaemon({});
      const failure = nextFailure(connection);
      process.kill(connection.pid ?? 0, 'SIGKILL');
      await failure;
      await expect.poll(() => readProcStat(daemon)).toBeUndefined();
      await connection.close();
    });

    it('stays where the entry wants it, so that nothing else than the mark finds it', async () => {
      const { connection, daemon } = await openWithDaemon({ PI_MCP_RUN: '' });
      await connection.close();
      expect(await connections.processes()).toEqual([daemon]);
      process.kill(daemon, 'SIGKILL');
      await waitForProcesses(connections.marker, 0);
    });
  });

  it('leaves a helper alone that the entry wants to outlive its server', async () => {
    const launch = connections.misbehaving('--helper-detached');
    const connection = await connections.open({ ...launch, env: { PI_MCP_RUN: '' } });
    await waitForProcesses(connections.marker, 2);
    await connection.close();
    const left = await connections.processes();
    expect(left).toHaveLength(1);
    process.kill(left[0] ?? 0, 'SIGKILL');
    await waitForProcesses(connections.marker, 0);
  });

  it('ends the helper of an entry that may not leave one behind, whatever it asks for', async () => {
    const launch = connections.misbehaving('--helper-detached');
    const env = { PI_MCP_RUN: '' };
    const connection = await connections.open({ ...launch, env }, { mayLeaveProcesses: false });
    await waitForProcesses(connections.marker, 2);
    await connection.close();
    expect(await connections.processes()).toEqual([]);
  });

  it('wakes a suspended server to end it, without waiting for what it cannot do', async () => {
    const connection = await connections.open(connections.misbehaving('--ignore-eof'), {
      // longer than any test may take
      stopGraceMs: () => 600_000,
    });
    process.kill(connection.pid ?? 0, 'SIGSTOP');
    await untilSuspended(connection.pid);
    await connection.close();
    expect(connection.describeError(undefined).signal).toBe('SIGTERM');
  });

  it('gives a server the time that its entry asks for, and less when that becomes less', async () => {
    let graceMs = 600_000;
    const connection = await connections.open(connections.misbehaving('--ignore-eof'), {
      stopGraceMs: () => graceMs,
    });
    const closing = connection.close();
    graceMs = 0;
    await closing;
    expect(connection.describeError(undefined).signal).toBe('SIGTERM');
  });

  it('says that a server had to be killed', async () => {
    const connection = await connections.openMisbehaving('--ignore-eof', '--ignore-sigterm');
    await connection.close();
    expect(connections.log).toContain('warn The server did not stop by itself and was killed.');
  });

  it('reports no failure and may be asked twice', async () => {
    const connection = await connections.openMisbehaving();
    const closed = nextFailure(connection);
    await Promise.all([connection.close(), connection.close()]);
    expect(await closed).toBeUndefined();
  });

  it('rejects the calls under way', async () => {
    const connection = await connections.openMisbehaving();
    const call = failureOf(connection, callForText(connection, 'hang'));
    await connection.close();
    expect(await call).toMatchObject({ code: 'closed' });
  });
});

describe('a process that dies', () => {
  it('while a call runs is reported with exit code and last words', async () => {
    const connection = await connections.openMisbehaving();
    const closed = nextFailure(connection);
    const call = await failureOf(connection, callForText(connection, 'crash'));
    const expected = {
      code: 'exited',
      exitCode: 7,
      stderrTail: ['about to crash', 'fatal: out of cheese'],
    };
    expect(call).toMatchObject(expected);
    expect(await closed).toMatchObject(expected);
  });

  it('takes along a helper that left its group', async () => {
    const connection = await connections.openMisbehaving('--helper-detached');
    await waitForProcesses(connections.marker, 2);
    await failureOf(connection, callForText(connection, 'crash'));
    await waitForProcesses(connections.marker, 0);
  });

  it('is noticed although a helper holds its stdout, and the helper ends too', async () => {
    const connection = await connections.openMisbehaving('--helper-stubborn');
    await waitForProcesses(connections.marker, 2);
    const closed = nextFailure(connection);
    const call = failureOf(connection, callForText(connection, 'hang'));
    // what is written to a process that is gone is another failure
    await callForText(connection, 'echo', { message: 'the other one was read' });
    process.kill(connection.pid ?? 0, 'SIGKILL');
    expect(await call).toMatchObject({ code: 'exited', signal: 'SIGKILL' });
    expect(await closed).toMatchObject({ code: 'exited', signal: 'SIGKILL' });
    await waitForProcesses(connections.marker, 0);
  });

  it('still delivers the answer that it wrote last', async () => {
    const connection = await connections.openMisbehaving();
    expect(await callForText(connection, 'crash_after_answer')).toBe('last words');
  });

  it('makes later calls fail at once', async () => {
    const connection = await connections.openMisbehaving();
    await failureOf(connection, callForText(connection, 'crash'));
    await expect(callForText(connection, 'echo')).rejects.toThrow();
  });
});

describe('a wrapper', () => {
  it.each([[[]], [['--ignore-eof']], [['--ignore-eof', '--ignore-sigterm']]])(
    'that runs the server as a child, as uvx does, ends with it: %s',
    async (faults) => {
      const folder = await mkdtemp(path.join(tmpdir(), 'wrapper-'));
      // the shell forks, and waits without passing on anything
      const script = '#!/bin/sh\nexec 3<&0\nnode "$@" <&3 &\nwait $!\n';
      const uvx = path.join(folder, 'uvx');
      await writeFile(uvx, script, { mode: 0o755 });
      const args = [misbehaveScript, ...faults, connections.marker];
      const connection = await connections.open(stdioLaunch(uvx, args));
      expect(await connections.processes()).toHaveLength(2);
      await connection.close();
      expect(await connections.processes()).toEqual([]);
      await rm(folder, { recursive: true });
    },
  );
});

describe('a container', () => {
  let folder: string;
  let engine: ChildProcess;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'containers-'));
    const script = path.resolve('test/fixtures/servers/containers.mjs');
    engine = spawn(process.execPath, [script, 'serve', path.join(folder, 'socket')], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(engine.stdout ?? engine, 'data');
    const client = `#!/bin/sh\nexec node ${script} "$@"\n`;
    await writeFile(path.join(folder, 'docker'), client, { mode: 0o755 });
  });

  afterEach(async () => {
    engine.kill('SIGKILL');
    await rm(folder, { recursive: true });
  });

  function openContainer(...faults: readonly string[]) {
    const command = ['node', misbehaveScript, ...faults, connections.marker];
    const args = ['run', '-i', '--rm', 'image', ...command];
    const env = { CONTAINER_SOCKET: path.join(folder, 'socket') };
    return connections.open(stdioLaunch(path.join(folder, 'docker'), args, { env }));
  }

  it('ends when its stdin ends, without a signal to its client', async () => {
    const connection = await openContainer();
    expect(await callForText(connection, 'echo', { message: 'hi' })).toBe('hi');
    await connection.close();
    expect(connection.describeError(undefined)).toMatchObject({ exitCode: 0, signal: undefined });
    expect(await connections.processes()).toEqual([]);
  });

  it('that ignores the end of stdin ends by the SIGTERM that its client passes on', async () => {
    const connection = await openContainer('--ignore-eof');
    await connection.close();
    expect(connection.describeError(undefined)).toMatchObject({ exitCode: 143, signal: undefined });
    expect(await connections.processes()).toEqual([]);
  });

  it('that ignores SIGTERM too is beyond reach, and the log says what to do', async () => {
    const connection = await openContainer('--ignore-eof', '--ignore-sigterm');
    await connection.close();
    expect(connection.describeError(undefined).signal).toBe('SIGKILL');
    expect(connections.log.join('\n')).toContain('add "--init" and "--rm" to "args"');
    const [container = 0] = await connections.processes();
    process.kill(container, 'SIGKILL');
    await waitForProcesses(connections.marker, 0);
  });
});

describe('a version of the protocol', () => {
  it.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
    'is spoken with a server that knows no other: %s',
    async (version) => {
      const launch = connections.misbehaving(`--protocol-version=${version}`);
      const connection = await connections.open(launch);
      expect(connection.session.protocolVersion).toBe(version);
      expect(await callForText(connection, 'echo', { message: 'hi' })).toBe('hi');
    },
  );
});

describe('a connect that fails', () => {
  it('names exit code and last words of a server that exits early', async () => {
    const failure = await connections.failToOpen(connections.misbehaving('--exit-early=3'));
    expect(failure).toMatchObject({
      code: 'exited',
      exitCode: 3,
      stderrTail: ['reading settings', 'error: DATABASE_URL is not set'],
    });
    expect(await connections.processes()).toEqual([]);
  });

  it.each([[['--hang-initialize']], [['--hang-initialize', '--ignore-eof', '--ignore-sigterm']]])(
    'ends a server that hangs in initialize: %s',
    async (faults) => {
      const failure = await connections.failToOpen(connections.misbehaving(...faults), {
        connectTimeoutMs: 700,
      });
      expect(failure).toMatchObject({ code: 'initialize_timeout' });
      expect(await connections.processes()).toEqual([]);
    },
  );

  it('repeats what a server says that refuses initialize', async () => {
    const failure = await connections.failToOpen(connections.misbehaving('--initialize-error'));
    expect(failure).toMatchObject({ code: 'server_error' });
    expect(failure.message).toContain('license expired');
    expect(await connections.processes()).toEqual([]);
  });

  it('names a protocol version that is not supported', async () => {
    const failure = await connections.failToOpen(
      connections.misbehaving('--protocol-version=1999-01-01', '--ignore-eof'),
    );
    expect(failure).toMatchObject({ code: 'protocol_version' });
    expect(await connections.processes()).toEqual([]);
  });

  it('leaves no process when it is cancelled', async () => {
    const cancellation = new AbortController();
    const reason = new Error('the user changed their mind');
    const opening = connections.open(
      connections.misbehaving('--hang-initialize', '--ignore-eof', '--helper-stubborn'),
      { signal: cancellation.signal },
    );
    await waitForProcesses(connections.marker, 2);
    cancellation.abort(reason);
    await expect(opening).rejects.toBe(reason);
    expect(await connections.processes()).toEqual([]);
  });

  it('starts nothing when it is cancelled beforehand', async () => {
    const opening = connections.open(connections.misbehaving(), {
      signal: AbortSignal.abort(new Error('too late')),
    });
    await expect(opening).rejects.toThrow('too late');
    expect(connections.log.filter((line) => line.includes('[stderr]'))).toEqual([]);
  });
});

describe('a launch that cannot start', () => {
  it('names the command and the number of folders that were searched', async () => {
    const failure = await connections.failToOpen(
      stdioLaunch('no-such-command-here', [], { env: { PATH: '/usr/bin:/bin:/nowhere' } }),
    );
    expect(failure).toMatchObject({ code: 'spawn_enoent' });
    expect(failure.message).toBe(
      'The command "no-such-command-here" was not found in any of the 3 folders of PATH.',
    );
    expect(failure.remedy).toContain('Searched: /usr/bin, /bin, /nowhere.');
  });

  it.skipIf(process.platform === 'win32')(
    'is looked for again where the login shell was too slow to say where programs are',
    async () => {
      const folder = await mkdtemp(path.join(tmpdir(), 'slow-shell-'));
      try {
        const shell = path.join(folder, 'shell');
        const slowOnce =
          'if [ ! -e "$0.warm" ]; then : > "$0.warm"; sleep 600; fi; PATH=${0%/*}:$PATH; eval "$2"';
        await writeFile(shell, `#!/bin/sh\n${slowOnce}\n`, { mode: 0o755 });
        await symlink(process.execPath, path.join(folder, 'own-node'));
        const launch = connections.misbehaving();
        const connection = await connections.open(
          { ...launch, command: 'own-node' },
          {
            environment: createNodeHostEnvironment({
              env: { PATH: '/usr/bin:/bin', SHELL: shell, HOME: folder },
              loginShellTimeoutMs: 300,
            }),
          },
        );
        expect(await callForText(connection, 'echo', { message: 'hi' })).toBe('hi');
        await connection.close();
      } finally {
        await rm(folder, { recursive: true });
      }
    },
  );

  it('names where a login shell finds the command', async () => {
    const failure = await connections.failToOpen(
      stdioLaunch('node', [], { env: { PATH: '/nowhere' } }),
    );
    expect(failure).toMatchObject({ code: 'spawn_enoent', ran: 'node' });
    expect(failure.remedy).toMatch(/It was found at \/.*\/node;/);
  });

  it('names a folder that does not exist instead of the command', async () => {
    const failure = await connections.failToOpen(
      stdioLaunch('node', ['-v'], { cwd: '/no/such/folder' }),
    );
    expect(failure).toMatchObject({ code: 'spawn_cwd' });
    expect(failure.message).toContain('/no/such/folder');
  });

  it('says what the system has against starting it', async () => {
    const failure = await connections.failToOpen(stdioLaunch('node', ['x'.repeat(4_000_000)]));
    expect(failure).toMatchObject({
      code: 'spawn_e2big',
      message: 'The command "node" could not be started: E2BIG.',
    });
  });

  it('names a file that may not be executed or is no program', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'launch-'));
    const file = path.join(folder, 'server');
    await writeFile(file, 'not a program');
    try {
      await chmod(file, 0o644);
      expect(await connections.failToOpen(stdioLaunch(file, []))).toMatchObject({
        code: 'spawn_eacces',
      });
      await writeFile(file, Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0, 0]));
      await chmod(file, 0o755);
      const failure = await connections.failToOpen(stdioLaunch(file, []));
      expect(failure.code).toMatch(/^spawn_|^exited$/);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

describe('in a row', () => {
  it('connects and closes wrapped, stubborn servers ten times', async () => {
    const command = `node ${misbehaveScript} --ignore-eof ${connections.marker}; true`;
    for (let round = 0; round < 10; round++) {
      const connection = await connections.open(stdioLaunch('sh', ['-c', command]), {
        stopGraceMs: () => 20,
      });
      expect(await callForText(connection, 'echo', { message: round })).toBe(String(round));
      await connection.close();
      expect(await connections.processes()).toEqual([]);
    }
  });
});
