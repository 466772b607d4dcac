import { type ChildProcess, spawn } from 'node:child_process';
import * as l10n from '@vscode/l10n';
import { HumanError } from '../../base/errors.js';
import { quotedName } from '../../base/text/nameToken.js';
import type { HostEnvironment } from '../../platform/ports.js';

const timeLimitMs = 10_000;
// what is in the pipe when the command ends is there at once
const drainMs = 300;
const maxOutputBytes = 1024 * 1024;

export interface CommandOptions {
  readonly cwd: string;
  readonly environment: HostEnvironment;
  /** For messages. */
  readonly place: { readonly server: string; readonly field: string };
  readonly signal: AbortSignal | undefined;
  /** Milliseconds. Default 10 000. */
  readonly timeLimitMs?: number;
}

/**
 * Runs the command of a `!command` value in a shell and returns what it prints, without the final line break.
 * @throws {HumanError} when it fails, takes too long or prints too much; the signal's reason when aborted.
 */
export async function runSecretCommand(command: string, options: CommandOptions): Promise<string> {
  const { environment, signal } = options;
  const path = await environment.loginShellPath();
  signal?.throwIfAborted();
  let child: ChildProcess;
  try {
    child = spawn(command, {
      shell: true,
      cwd: options.cwd,
      env: { ...environment.allVariables(), PATH: path },
      stdio: ['ignore', 'pipe', 'ignore'],
      // a group of its own, so that what the shell started ends with it
      detached: environment.platform !== 'win32',
      windowsHide: true,
    });
  } catch {
    // an empty one, or one with a null character
    throw failure(options.place, l10n.t('could not be started'));
  }
  return collectOutput(child, options);
}

function collectOutput(child: ChildProcess, options: CommandOptions): Promise<string> {
  const { signal, place } = options;
  return new Promise<string>((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const finish = (settle: () => void) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      settle();
    };
    const stop = (reason: unknown) => {
      killGroup(child, options.environment.platform);
      finish(() => reject(reason));
    };
    const onAbort = () => stop(signal?.reason);
    const timer = setTimeout(
      () => stop(failure(place, l10n.t('took too long'))),
      options.timeLimitMs ?? timeLimitMs,
    );
    signal?.addEventListener('abort', onAbort, { once: true });
    child.stdout?.on('data', (chunk: Buffer) => {
      size += chunk.byteLength;
      if (size > maxOutputBytes) {
        stop(failure(place, l10n.t('printed more than 1 MiB')));
      } else {
        chunks.push(chunk);
      }
    });
    child.on('error', () => stop(failure(place, l10n.t('could not be started'))));
    // something left in the background may hold the pipe open for ever
    child.on('exit', () => {
      killGroup(child, options.environment.platform);
      setTimeout(() => child.stdout?.destroy(), drainMs).unref();
    });
    child.on('close', (code) => {
      const text = Buffer.concat(chunks)
        .toString('utf8')
        .replace(/\r?\n$/, '');
      finish(() =>
        code === 0
          ? resolve(text)
          : reject(failure(place, l10n.t('ended with exit status {0}', code ?? 'unknown'))),
      );
    });
  });
}

function failure(place: CommandOptions['place'], cause: string): HumanError {
  return new HumanError(
    'command_failed',
    l10n.t('The command for {0} of server {1} {2}.', place.field, quotedName(place.server), cause),
    { remedy: l10n.t('Run the command in a terminal and correct it.') },
  );
}

function killGroup(child: ChildProcess, platform: NodeJS.Platform): void {
  if (child.pid === undefined) {
    return;
  }
  try {
    if (platform === 'win32') {
      child.kill();
    } else {
      process.kill(-child.pid, 'SIGKILL');
    }
  } catch {
    // it has ended meanwhile
  }
}
