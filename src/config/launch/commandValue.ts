import { type ChildProcess, spawn } from 'node:child_process';
import * as l10n from '@vscode/l10n';
import { errorCode, HumanError } from '../../base/errors.js';
import type { HostEnvironment } from '../../platform/ports.js';
import { createProcessTree, type ProcessTree } from '../../platform/process/tree.js';
import { ofServer } from '../sentences.js';

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
  /** Default: that of this machine. */
  readonly tree?: ProcessTree;
}

/**
 * Runs the command of a `!command` value in a shell and returns what it prints, without the final line break.
 * @throws {HumanError} when it fails, takes too long or prints too much; the signal's reason when aborted.
 */
export async function runSecretCommand(command: string, options: CommandOptions): Promise<string> {
  const { environment, signal, tree = createProcessTree() } = options;
  if (command === '') {
    throw failure(options.place, l10n.t('{0} needs something after it.', '!'));
  }
  const path = await environment.loginShellPath();
  signal?.throwIfAborted();
  const from = Date.now();
  let child: ChildProcess;
  try {
    child = spawn(command, {
      shell: true,
      cwd: options.cwd,
      env: { ...environment.allVariables(), PATH: path },
      stdio: ['ignore', 'pipe', 'ignore'],
      // what the shell started ends with it
      detached: tree.detached,
      windowsHide: true,
    });
  } catch (error) {
    // such as one with a null character
    throw failure(options.place, errorCode(error));
  }
  return collectOutput({ child, from, tree }, options);
}

function collectOutput(
  { child, from, tree }: { child: ChildProcess; from: number; tree: ProcessTree },
  options: CommandOptions,
): Promise<string> {
  const { signal, place } = options;
  let exitedAt: number | undefined;
  const { pid } = child;
  const root = pid && { pid, span: { from, until: () => exitedAt } };
  const endTree = () => root && void tree.signal(root, 'SIGKILL');
  return new Promise<string>((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const finish = (settle: () => void) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      settle();
    };
    const stop = (reason: unknown) => {
      endTree();
      finish(() => reject(reason));
    };
    const onAbort = () => stop(signal?.reason);
    const timer = setTimeout(
      () => stop(failure(place, l10n.t('it does not answer in time'))),
      options.timeLimitMs ?? timeLimitMs,
    );
    signal?.addEventListener('abort', onAbort, { once: true });
    child.stdout?.on('data', (chunk: Buffer) => {
      size += chunk.byteLength;
      if (size > maxOutputBytes) {
        stop(failure(place, l10n.t('more than {0} MB', 1)));
      } else {
        chunks.push(chunk);
      }
    });
    child.on('error', (error) => stop(failure(place, errorCode(error))));
    child.on('exit', () => {
      exitedAt = Date.now();
      if (!tree.endsAtOnce) {
        endTree();
      }
      // something left in the background may hold the pipe open for ever
      setTimeout(() => {
        if (!child.stdout?.destroyed) {
          endTree();
          child.stdout?.destroy();
        }
      }, drainMs).unref();
    });
    child.on('close', (code) => {
      const text = Buffer.concat(chunks)
        .toString('utf8')
        .replace(/\r?\n$/, '');
      finish(() =>
        code === 0 ? resolve(text) : reject(failure(place, l10n.t('Exit code {0}', code ?? '?'))),
      );
    });
  });
}

function failure({ server, field }: CommandOptions['place'], cause = ''): HumanError {
  return new HumanError(
    'command_failed',
    ofServer(server, l10n.t('The command failed: {0}', cause), field),
    { remedy: l10n.t('Run the command in a terminal and correct it.') },
  );
}
