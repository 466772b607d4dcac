import { realpath, stat } from 'node:fs/promises';
import * as l10n from '@vscode/l10n';
import { HumanError } from '../../base/errors.js';
import { nameToken } from '../../base/text/nameToken.js';
import type { ResolvedStdioLaunch } from '../../config/definition.js';
import type { LaunchFacts } from '../../config/launch/launchDescription.js';
import { isContainerClient } from '../../config/lint/packageSpec.js';
import { redactArgs } from '../../config/secrets/redact.js';
import type { MaskText } from '../../config/secrets/secretMask.js';
import { commandLine } from '../../platform/commandLine.js';
import { createChildEnvironment } from '../../platform/environment/childEnvironment.js';
import { findProgram, type Program } from '../../platform/environment/program.js';
import { isWindowsProgram } from '../../platform/executable.js';
import type { HostEnvironment, LogLevel } from '../../platform/ports.js';
import { setInheritedLimit } from '../../platform/process/inheritedLimit.js';
import type { ProcessLedger } from '../../platform/process/ledger.js';
import { createMarker, markerVariable } from '../../platform/process/marker.js';
import type { StopOutcome } from '../../platform/process/stopTree.js';
import { createProcessTree, type ProcessTree } from '../../platform/process/tree.js';
import { programFacts } from '../trust/findLaunchFacts.js';
import {
  executableForbidden,
  executableNotFound,
  type FailureContext,
  folderMissing,
} from './connectionErrors.js';
import { ConnectionFailedError } from './connectionFailure.js';
import type { ConnectionTap } from './connectionTap.js';
import type { EngineConnectOptions, McpEngine, McpSession } from './session/engine.js';
import { type ProcessLife, type StdioProgram, StdioTransport } from './stdio/stdioTransport.js';

/** Gets texts in which secrets are masked. */
export type Log = (level: LogLevel, message: string) => void;

/** What the two kinds of launch have in common from here on. */
export interface Opening {
  readonly context: () => FailureContext;
  readonly connect: (engine: McpEngine, options: EngineConnectOptions) => Promise<McpSession>;
  /** The session is initialized. */
  readonly onDidConnect: () => void;
  /** Ends whatever was started; bounded, never rejects. */
  readonly abandon: () => Promise<void>;
  readonly transport: StdioTransport | undefined;
}

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
  /** The folder that the entry belongs to. Default: none. */
  readonly folder?: string | undefined;
  /** Gets what is about to run. @throws when that may not run. Default: everything may. */
  readonly assertDescribed?: ((facts: LaunchFacts) => void) | undefined;
}

/** Who gets to know what becomes of it. */
export interface ProcessWatch {
  readonly log: Log;
  /** For what is told of a failure. */
  readonly mask: MaskText;
  /** Default: nobody looks. */
  readonly tap?: ConnectionTap | undefined;
}

/** Finds what to run; starts nothing. @throws {ConnectionFailedError} when it cannot be run. */
export async function prepareProcess(
  written: ResolvedStdioLaunch,
  options: ProcessOpeningOptions,
  { log, mask, tap }: ProcessWatch,
): Promise<Opening> {
  const { environment, ledger } = options;
  const { command, args: writtenArgs } = written;
  const writtenContext = {
    mask,
    command,
    commandLine: commandLine([command, ...redactArgs(writtenArgs)]),
  };
  const cwd = await realFolder(written, writtenContext);
  const isLeft = options.mayLeaveProcesses !== false && written.env[markerVariable] !== undefined;
  const marker = isLeft ? undefined : ((await ledger?.newMarker()) ?? createMarker(undefined));
  const look = async () => {
    const plainEnv = await createChildEnvironment(environment, written);
    const env = marker === undefined ? plainEnv : { ...plainEnv, [markerVariable]: marker };
    const request = { command, args: writtenArgs, cwd };
    return { env, program: await findProgram(request, { environment, env }) };
  };
  let { env, program } = await look();
  if (program.executable.kind === 'not_found') {
    // the shell may have been too slow to say where programs are
    await environment.loginShellPath(true);
    ({ env, program } = await look());
  }
  options.assertDescribed?.(await programFacts(program, written, options.folder));
  const executable = await executableOf(program, writtenContext, env, environment);
  const { args } = program.request;
  assertPassable({ executable, args, env }, environment.platform);
  if (program.npx) {
    const { packageName, version, file } = program.npx;
    log('info', l10n.t('{0} runs as {1} {2}: {3}.', command, packageName, version, file));
  }
  const commandText = commandLine([executable, ...redactArgs(args)]);
  log('info', l10n.t('Starting {0} in {1}.', commandText, cwd));
  const life: ProcessLife = {
    onWillSpawn: async () => marker !== undefined && ledger?.intend(marker, executable),
    onDidNotSpawn: () => marker !== undefined && ledger?.giveUp(marker),
    onDidSpawn: (pid) => {
      if (marker !== undefined) {
        setInheritedLimit(pid, marker);
      }
      ledger?.record(pid, marker);
    },
    onDidVanish: (pid, outcome) => {
      const trouble = stopTrouble(outcome, executable, args);
      if (trouble) {
        log('warn', trouble);
      }
      // the next window tries again
      if (outcome !== 'alive') {
        ledger?.forget(pid);
      }
    },
  };
  const transport = new StdioTransport(
    { executable, args, cwd, env },
    {
      tree: options.tree ?? createProcessTree(),
      marker,
      stopGraceMs: options.stopGraceMs,
      onStderrLine: (line) => {
        tap?.stderr(line);
        log('info', `[stderr] ${line}`);
      },
      onNotice: log,
      life,
    },
  );
  const context = { ...writtenContext, commandLine: commandText };
  return {
    context: () => {
      const { stderrTail, exit, end } = transport;
      return { ...context, stderrTail, exit, end };
    },
    connect: (engine, engineOptions) => engine.connect(transport, engineOptions),
    onDidConnect: () => transport.pid !== undefined && ledger?.recordMembers(transport.pid),
    abandon: () => transport.close(),
    transport,
  };
}

/**
 * A batch file of Windows reads its arguments once more, so that a quotation mark in one of them lets the shell run what
 * stands in any of them. Before that, its shell puts in what stands between percent signs, each of which has a caret
 * before it by then: that is of no help where a name ends with one, or a colon ends the name.
 * @throws {HumanError} where the shell would read more than arguments in them
 */
export function assertPassable(
  { executable, args, env }: Omit<StdioProgram, 'cwd'>,
  platform: NodeJS.Platform,
): void {
  // what is no program by its name is handed to the shell, whatever its name ends with
  const isBatch = platform === 'win32' && !isWindowsProgram(executable);
  const text = args.join(' ');
  const isRun = /[\r\n]/.test(text) || (text.includes('"') && /[&|<>^]/.test(text));
  if (isBatch && (isRun || namesVariable([executable, ...args].join(' '), Object.keys(env)))) {
    throw new HumanError(
      'invalid_entry',
      l10n.t('A batch file cannot be given these arguments safely: {0}', nameToken(executable)),
      {
        remedy: l10n.t(
          'Start the program itself in its place, or leave out quotation marks, line breaks and the signs % & | < > ^.',
        ),
      },
    );
  }
}

function namesVariable(text: string, variables: readonly string[]): boolean {
  const between = text.split('%').slice(1, -1);
  return (
    (between.length > 0 && variables.some((name) => /[%^]/.test(name))) ||
    between.some((part) => /^[^\s()[\]!^"`<>&|;,*?:]+:/.test(part))
  );
}

/** Behind all links, so that nothing that they lead to can change before the process is there. */
async function realFolder(launch: ResolvedStdioLaunch, context: FailureContext): Promise<string> {
  const real = await realpath(launch.cwd).catch(() => undefined);
  if (real === undefined || !(await stat(real)).isDirectory()) {
    throw new ConnectionFailedError(folderMissing(launch.cwd, context));
  }
  return real;
}

async function executableOf(
  { executable, request }: Program,
  context: FailureContext & { readonly command: string },
  env: Readonly<Record<string, string>>,
  environment: HostEnvironment,
): Promise<string> {
  switch (executable.kind) {
    case 'found':
      return executable.path;
    case 'not_executable':
    case 'hidden':
      throw new ConnectionFailedError(executableForbidden(executable.path, context));
    case 'not_found': {
      const PATH = await environment.loginShellPath(true);
      const inShell = await findProgram(request, { environment, env: { ...env, PATH } });
      const found = inShell.executable.kind === 'found' ? inShell.executable.path : undefined;
      const { command } = context;
      const { searched } = executable;
      throw new ConnectionFailedError(
        executableNotFound({ command, searched, inLoginShell: found }, context),
      );
    }
  }
}

/** What the user should know about how a server was stopped, as a sentence or two; undefined when all went well. */
function stopTrouble(
  outcome: StopOutcome,
  executable: string,
  args: readonly string[],
): string | undefined {
  switch (outcome) {
    case 'exited':
    case 'terminated':
      return undefined;
    case 'walked':
    case 'killed':
      // its client passes SIGTERM on to the container, but cannot pass on SIGKILL
      return outcome === 'killed' && isContainerClient(executable) && args.includes('run')
        ? l10n.t(
            'The container client ignored SIGTERM and was killed. Its container may still run: add "--init" and "--rm" to "args", so that it ends when it is told.',
          )
        : l10n.t('The server did not stop by itself and was killed.');
    case 'alive':
      return l10n.t('A process did not stop; trying again.');
  }
}
