import { stat } from 'node:fs/promises';
import * as l10n from '@vscode/l10n';
import { raceWithSignal } from '../../base/cancellation.js';
import { Emitter, type Event } from '../../base/event.js';
import type { JsonObject } from '../../base/json.js';
import { commandLine } from '../commandLine.js';
import { maskSecrets } from '../config/redact.js';
import { redactArgs } from '../config/secretArgs.js';
import { isSecretName } from '../config/secretShapes.js';
import { redactedSentinel } from '../mcpApi.js';
import type {
  McpServerFailure,
  ResolvedHttpLaunch,
  ResolvedLaunch,
  ResolvedStdioLaunch,
} from '../mcpTypes.js';
import type { HostEnvironment, Logger, LogLevel } from '../ports.js';
import { createChildEnvironment, readVariable } from './childEnvironment.js';
import {
  ConnectionFailedError,
  ConnectTimeoutError,
  classifyFailure,
  executableForbidden,
  executableNotFound,
  type FailureContext,
  folderMissing,
} from './connectionErrors.js';
import {
  EndedByProbeError,
  type EngineConnectOptions,
  type EngineLoader,
  type McpEngine,
  type McpSession,
  type ProtocolVerdictStore,
} from './engine.js';
import { type ExecutableResolution, resolveExecutable } from './executable.js';
import { resolveNpx } from './npx/resolveNpx.js';
import type { ProcessLedger } from './processLedger.js';
import { createProcessTree } from './processTree.js';
import { MemoryVerdict } from './protocolVerdicts.js';
import { type ProcessExit, StdioTransport } from './stdioTransport.js';

type Log = (level: LogLevel, message: string) => void;

/** Characters of a message that a traced log shows. */
const maxFrameLength = 10_000;

/** One open connection to a server: a session and, for stdio, the process behind it. */
export interface McpConnection {
  readonly session: McpSession;
  /** Of the process that leads the server's group; undefined for remote servers. */
  readonly pid: number | undefined;
  /** Last lines of stderr, oldest first, secrets masked. */
  stderrTail(): readonly string[];
  /** How the process ended; undefined while it runs and for remote servers. */
  readonly exit: ProcessExit | undefined;
  /** Fires once: with the failure, or with undefined after {@link close}. */
  readonly onDidClose: Event<McpServerFailure | undefined>;
  /** What an error of a request on this connection means. */
  describeError(error: unknown): McpServerFailure;
  /** Bounded; resolves when no process of the server is left. Never rejects. */
  close(): Promise<void>;
}

export interface OpenConnectionOptions {
  readonly engineLoader: EngineLoader;
  readonly environment: HostEnvironment;
  readonly clientInfo: EngineConnectOptions['clientInfo'];
  /** Gets lifecycle, stderr and protocol notices, secrets masked. */
  readonly logger: Logger;
  /** Milliseconds from start to the end of `initialize`. */
  readonly connectTimeoutMs: number;
  /** Milliseconds between closing stdin and SIGTERM. Default 2 000. */
  readonly stopGraceMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Asked for every message: whether to log it, secrets masked. Default: no. */
  readonly isTrafficTraced?: (() => boolean) | undefined;
  /** Remembers the process for the sweep after a crash of ours. */
  readonly ledger?: ProcessLedger | undefined;
  /** What the server may ask of us. Default: nothing. */
  readonly features?: EngineConnectOptions['features'];
  /** Default: forgotten with this call. */
  readonly protocolVerdict?: ProtocolVerdictStore | undefined;
  /** Default: requests go out as the launch says. */
  readonly authorization?: EngineConnectOptions['authorization'];
}

/** What the two kinds of launch have in common from here on. */
interface Opening {
  readonly context: () => FailureContext;
  readonly connect: (engine: McpEngine, options: EngineConnectOptions) => Promise<McpSession>;
  /** The session is initialized. */
  readonly onDidConnect: () => void;
  /** Ends whatever was started; bounded, never rejects. */
  readonly abandon: () => Promise<void>;
  readonly transport: StdioTransport | undefined;
}

/**
 * Connects to a server. Consent must have been checked. A failed or cancelled attempt leaves no process behind.
 * @throws {ConnectionFailedError} or the signal's reason.
 */
export async function openConnection(
  launch: ResolvedLaunch,
  options: OpenConnectionOptions,
): Promise<McpConnection> {
  const protocolVerdict = options.protocolVerdict ?? new MemoryVerdict();
  const attempt = { ...options, protocolVerdict };
  try {
    return await openOnce(launch, attempt);
  } catch (error) {
    if (!isEndedByProbe(error)) {
      throw error;
    }
    options.signal?.throwIfAborted();
    return openOnce(launch, attempt);
  }
}

async function openOnce(
  launch: ResolvedLaunch,
  options: OpenConnectionOptions,
): Promise<McpConnection> {
  const limit = new AbortController();
  const { connectTimeoutMs } = options;
  const timer = setTimeout(
    () => limit.abort(new ConnectTimeoutError(connectTimeoutMs)),
    connectTimeoutMs,
  );
  const { signal } = limit;
  // not `AbortSignal.any`: the SDKs keep listening to what they get, and Node would keep such a signal for ever
  const onAbort = () => limit.abort(options.signal?.reason);
  options.signal?.addEventListener('abort', onAbort, { once: true });
  if (options.signal?.aborted) {
    onAbort();
  }
  // tokens come and go, and a server may repeat them
  const secrets = () => [
    ...launch.secrets,
    ...(options.authorization?.credentials.secretValues ?? []),
  ];
  const log = maskedLogger(options.logger, secrets);
  let opening: Opening | undefined;
  try {
    // nothing is started before `connect`, so preparations may be walked away from
    const preparation =
      launch.kind === 'stdio'
        ? prepareProcess(launch, options, log)
        : prepareRemote(launch, secrets);
    opening = await raceWithSignal(preparation, signal);
    const engine = await raceWithSignal(options.engineLoader(launch), signal);
    signal.throwIfAborted();
    const session = await opening.connect(engine, {
      clientInfo: options.clientInfo,
      signal,
      timeoutMs: connectTimeoutMs,
      onNotice: log,
      features: options.features,
      protocolVersion: launch.protocolVersion,
      protocolVerdict: options.protocolVerdict,
      authorization: options.authorization,
      ...trafficTrace(options, log),
    });
    opening.onDidConnect();
    return new OpenConnection(session, opening, log);
  } catch (error) {
    await opening?.abandon();
    options.signal?.throwIfAborted();
    const failure = toFailure(error, launch, opening);
    logFailure(failure, log);
    throw new ConnectionFailedError(failure, error);
  } finally {
    clearTimeout(timer);
    options.signal?.removeEventListener('abort', onAbort);
  }
}

/** By name: engines are bundles of their own, with classes of their own. */
function isEndedByProbe(error: unknown): boolean {
  const { cause } = error instanceof ConnectionFailedError ? error : { cause: undefined };
  return cause instanceof Error && cause.name === EndedByProbeError.name;
}

class OpenConnection implements McpConnection {
  private readonly _onDidClose = new Emitter<McpServerFailure | undefined>();
  readonly onDidClose = this._onDidClose.event;
  private isClosing = false;

  constructor(
    readonly session: McpSession,
    private readonly opening: Opening,
    log: Log,
  ) {
    session.onDidLog(({ level, message }) => log(level, message));
    session.onDidClose(() => {
      const failure = this.isClosing ? undefined : this.describeError(session.closeError);
      if (failure) {
        logFailure(failure, log);
      } else {
        log('info', l10n.t('Disconnected.'));
      }
      this._onDidClose.fire(failure);
    });
    log('info', l10n.t('Connected over {0}.', session.transport));
  }

  get pid(): number | undefined {
    return this.opening.transport?.pid;
  }

  get exit(): ProcessExit | undefined {
    return this.opening.transport?.exit;
  }

  stderrTail(): readonly string[] {
    const { stderrTail = [], secrets } = this.opening.context();
    return stderrTail.map((line) => maskSecrets(line, secrets));
  }

  describeError(error: unknown): McpServerFailure {
    return classifyFailure(error, this.opening.context());
  }

  async close(): Promise<void> {
    this.isClosing = true;
    await this.session.close();
    await this.opening.abandon();
  }
}

async function prepareRemote(
  launch: ResolvedHttpLaunch,
  secrets: () => readonly string[],
): Promise<Opening> {
  return {
    context: () => ({ secrets: secrets(), url: launch.url }),
    connect: async (engine, options) => {
      if (!engine.connectHttp) {
        throw new Error('The engine speaks to processes only');
      }
      return engine.connectHttp(launch, options);
    },
    onDidConnect: () => undefined,
    abandon: async () => undefined,
    transport: undefined,
  };
}

async function prepareProcess(
  written: ResolvedStdioLaunch,
  options: OpenConnectionOptions,
  log: Log,
): Promise<Opening> {
  const { environment, ledger } = options;
  const env = await createChildEnvironment(environment, written);
  await assertFolder(written);
  const { launch, executable } = await chooseProgram(written, env, environment, log);
  const commandText = commandLine([executable, ...redactArgs(launch.args)]);
  log('info', l10n.t('Starting {0} in {1}.', commandText, launch.cwd));
  const transport = new StdioTransport({
    executable,
    args: launch.args,
    cwd: launch.cwd,
    env,
    tree: createProcessTree(environment.platform),
    ...(options.stopGraceMs === undefined ? {} : { stopGraceMs: options.stopGraceMs }),
    onStderrLine: (line) => log('info', `[stderr] ${line}`),
    onNotice: log,
    onDidSpawn: (pid) => ledger?.record(pid),
    onDidVanish: (pid) => ledger?.forget(pid),
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

function toFailure(
  error: unknown,
  launch: ResolvedLaunch,
  opening: Opening | undefined,
): McpServerFailure {
  if (error instanceof ConnectionFailedError) {
    return error.failure;
  }
  return classifyFailure(error, opening?.context() ?? { secrets: launch.secrets });
}

function logFailure({ message, ran }: McpServerFailure, log: Log): void {
  log('error', ran === undefined ? message : l10n.t('{0} It was run as: {1}', message, ran));
}

/** Every message passes; only what is wanted when it does is written out. */
function trafficTrace(
  { isTrafficTraced }: OpenConnectionOptions,
  log: Log,
): Pick<EngineConnectOptions, 'onTraffic'> {
  return isTrafficTraced
    ? {
        onTraffic: (direction, message) => {
          if (isTrafficTraced()) {
            log('info', describeTraffic(direction, message));
          }
        },
      }
    : {};
}

function describeTraffic(direction: 'sent' | 'received', message: JsonObject): string {
  const text = JSON.stringify(message, maskSecretFields);
  const shown = text.length > maxFrameLength ? `${text.slice(0, maxFrameLength)}…` : text;
  return `${direction === 'sent' ? '→' : '←'} ${shown}`;
}

/** Also hides what is secret by its name, such as a password among the arguments of a tool. */
function maskSecretFields(name: string, value: unknown): unknown {
  return typeof value === 'string' && isSecretName(name) ? redactedSentinel : value;
}

function maskedLogger(logger: Logger, secrets: () => readonly string[]): Log {
  return (level, message) => logger.log(level, maskSecrets(message, secrets()));
}
