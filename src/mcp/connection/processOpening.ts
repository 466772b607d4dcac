import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import * as l10n from '@vscode/l10n';
import { commandLine } from '../commandLine.js';
import { redactArgs } from '../config/secretArgs.js';
import type { ResolvedStdioLaunch } from '../mcpTypes.js';
import type { HostEnvironment } from '../ports.js';
import { createChildEnvironment, readVariable } from './childEnvironment.js';
import {
  ConnectionFailedError,
  executableForbidden,
  executableNotFound,
  type FailureContext,
  folderMissing,
} from './connectionErrors.js';
import { type ExecutableResolution, resolveExecutable } from './executable.js';
import { resolveNpx } from './npx/resolveNpx.js';
import type { Log, Opening } from './opening.js';
import type { ProcessLedger } from './processLedger.js';
import { markerVariable } from './processMarker.js';
import { createProcessTree, type ProcessTree } from './processTree.js';
import { StdioTransport } from './stdioTransport.js';
import { stopTrouble } from './stopTrouble.js';

export interface ProcessOpeningOptions {
  readonly environment: HostEnvironment;
  /** Milliseconds between closing stdin and SIGTERM, asked again while they pass. Default 2 000. */
  readonly stopGraceMs?: (() => number) | undefined;
  /** Default: one of its own. */
  readonly tree?: ProcessTree | undefined;
  /** Remembers the process for the sweep after a crash of ours. */
  readonly ledger?: ProcessLedger | undefined;
  /**
   * Whether the launch may ask, with a variable of its environment, that what it starts outlives it. Not for a launch
   * that a repository wrote: nothing of it may run on when consent is revoked. Default: yes.
   */
  readonly mayLeaveProcesses?: boolean | undefined;
}

/** Finds what to run; starts nothing. @throws {ConnectionFailedError} when it cannot be run. */
export async function prepareProcess(
  written: ResolvedStdioLaunch,
  options: ProcessOpeningOptions,
  log: Log,
): Promise<Opening> {
  const { environment, ledger } = options;
  const plainEnv = await createChildEnvironment(environment, written);
  await assertFolder(written);
  const isLeft = options.mayLeaveProcesses !== false && written.env[markerVariable] !== undefined;
  const marker = isLeft ? undefined : randomUUID();
  const env = marker === undefined ? plainEnv : { ...plainEnv, [markerVariable]: marker };
  const { launch, executable } = await chooseProgram(written, env, environment, log);
  const commandText = commandLine([executable, ...redactArgs(launch.args)]);
  log('info', l10n.t('Starting {0} in {1}.', commandText, launch.cwd));
  const transport = new StdioTransport({
    executable,
    args: launch.args,
    cwd: launch.cwd,
    env,
    tree: options.tree ?? createProcessTree(environment.platform),
    marker,
    stopGraceMs: options.stopGraceMs,
    onStderrLine: (line) => log('info', `[stderr] ${line}`),
    onNotice: log,
    onDidSpawn: (pid) => ledger?.record(pid, marker),
    onDidVanish: (pid, outcome) => {
      const trouble = stopTrouble(outcome, executable, launch.args);
      if (trouble) {
        log('warn', trouble);
      }
      // the next window tries again
      if (outcome !== 'alive') {
        ledger?.forget(pid);
      }
    },
  });
  const context = { ...stdioContext(written), commandLine: commandText };
  return {
    context: () => ({ ...context, ...readState(transport) }),
    connect: (engine, engineOptions) => engine.connect(transport, engineOptions),
    onDidConnect: () => transport.pid !== undefined && ledger?.recordMembers(transport.pid),
    abandon: () => transport.close(),
    transport,
  };
}

/** The program behind `npx` when it is known and can start, else what the launch says. */
async function chooseProgram(
  launch: ResolvedStdioLaunch,
  env: Readonly<Record<string, string>>,
  environment: HostEnvironment,
  log: Log,
): Promise<{ readonly launch: ResolvedStdioLaunch; readonly executable: string }> {
  const npx = await resolveNpx(launch, environment);
  const direct = npx && (await searchExecutable(npx.launch, env, environment));
  if (npx && direct?.kind === 'found') {
    const { packageName, version, file } = npx;
    log('info', l10n.t('{0} runs as {1} {2}: {3}.', launch.command, packageName, version, file));
    return { launch: npx.launch, executable: direct.path };
  }
  return { launch, executable: await findExecutable(launch, env, environment) };
}

function readState({ stderrTail, exit, end }: StdioTransport): Partial<FailureContext> {
  return { stderrTail, exit, end };
}

function stdioContext({ secrets, command, args }: ResolvedStdioLaunch): FailureContext {
  return { secrets, command, commandLine: commandLine([command, ...redactArgs(args)]) };
}

async function assertFolder(launch: ResolvedStdioLaunch): Promise<void> {
  const isFolder = await stat(launch.cwd).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder) {
    throw new ConnectionFailedError(folderMissing(launch.cwd, stdioContext(launch)));
  }
}

function searchExecutable(
  { command, cwd }: ResolvedStdioLaunch,
  env: Readonly<Record<string, string>>,
  { platform }: HostEnvironment,
): Promise<ExecutableResolution> {
  const path = readVariable(env, 'PATH', platform) ?? '';
  const pathExt = readVariable(env, 'PATHEXT', platform);
  return resolveExecutable(command, { path, cwd, platform, pathExt });
}

async function findExecutable(
  launch: ResolvedStdioLaunch,
  env: Readonly<Record<string, string>>,
  environment: HostEnvironment,
): Promise<string> {
  const { command } = launch;
  const found = await searchExecutable(launch, env, environment);
  const context = stdioContext(launch);
  switch (found.kind) {
    case 'found':
      return found.path;
    case 'not_executable':
      throw new ConnectionFailedError(executableForbidden(found.path, context));
    case 'not_found': {
      const PATH = await environment.loginShellPath();
      const inShell = await searchExecutable(launch, { ...env, PATH }, environment);
      const inLoginShell = inShell.kind === 'found' ? inShell.path : undefined;
      const { searched } = found;
      throw new ConnectionFailedError(
        executableNotFound({ command, searched, inLoginShell }, context),
      );
    }
  }
}
