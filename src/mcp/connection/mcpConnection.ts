import { stat } from 'node:fs/promises';
import * as l10n from '@vscode/l10n';
import { raceWithSignal } from '../../base/cancellation.js';
import { Emitter, type Event } from '../../base/event.js';
import type { JsonObject } from '../../base/json.js';
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
import type { EngineConnectOptions, EngineLoader, McpEngine, McpSession } from './engine.js';
import { resolveExecutable } from './executable.js';
import { maskSecrets } from './maskSecrets.js';
import type { ProcessLedger } from './processLedger.js';
import { createProcessTree } from './processTree.js';
import { type ProcessExit, StdioTransport } from './stdioTransport.js';

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
  /** Log every message at level `trace`, secrets masked. Default false. */
  readonly traceTraffic?: boolean | undefined;
  /** Remembers the process for the sweep after a crash of ours. */
  readonly ledger?: ProcessLedger | undefined;
}

/** What the two kinds of launch have in common from here on. */
interface Opening {
  readonly context: () => FailureContext;
  readonly connect: (engine: McpEngine, options: EngineConnectOptions) => Promise<McpSession>;
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
  const limit = new AbortController();
  const { connectTimeoutMs } = options;
  const timer = setTimeout(
    () => limit.abort(new ConnectTimeoutError(connectTimeoutMs)),
    connectTimeoutMs,
  );
  const signal = options.signal ? AbortSignal.any([options.signal, limit.signal]) : limit.signal;
  const log = maskedLogger(options.logger, launch.secrets);
  let opening: Opening | undefined;
  try {
    // nothing is started before `connect`, so preparations may be walked away from
    const preparation =
      launch.kind === 'stdio' ? prepareProcess(launch, options, log) : prepareRemote(launch);
    opening = await raceWithSignal(preparation, signal);
    const engine = await raceWithSignal(options.engineLoader(), signal);
    signal.throwIfAborted();
    const session = await opening.connect(engine, {
      clientInfo: options.clientInfo,
      signal,
      timeoutMs: connectTimeoutMs,
      onNotice: log,
      ...(options.traceTraffic
        ? { onTraffic: (...event) => log('trace', describeTraffic(...event)) }
        : {}),
    });
    return new OpenConnection(session, opening, log);
  } catch (error) {
    await opening?.abandon();
    options.signal?.throwIfAborted();
    const failure = toFailure(error, launch, opening);
    log('error', failure.message);
    throw new ConnectionFailedError(failure, error);
  } finally {
    clearTimeout(timer);
  }
}

class OpenConnection implements McpConnection {
  private readonly _onDidClose = new Emitter<McpServerFailure | undefined>();
  readonly onDidClose = this._onDidClose.event;
  private isClosing = false;

  constructor(
    readonly session: McpSession,
    private readonly opening: Opening,
    log: (level: LogLevel, message: string) => void,
  ) {
    session.onDidLog(({ level, message }) => log(level, message));
    session.onDidClose(() => {
      const failure = this.isClosing ? undefined : this.describeError(session.closeError);
      log(failure ? 'error' : 'info', failure?.message ?? l10n.t('Disconnected.'));
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

async function prepareRemote(launch: ResolvedHttpLaunch): Promise<Opening> {
  return {
    context: () => ({ secrets: launch.secrets, url: launch.url }),
    connect: (engine, options) => engine.connectHttp(launch, options),
    abandon: async () => undefined,
    transport: undefined,
  };
}

async function prepareProcess(
  launch: ResolvedStdioLaunch,
  options: OpenConnectionOptions,
  log: (level: LogLevel, message: string) => void,
): Promise<Opening> {
  const { environment, ledger } = options;
  const env = await createChildEnvironment(environment, launch);
  await assertFolder(launch);
  const executable = await findExecutable(launch, env, environment);
  log('info', l10n.t('Starting {0} in {1}.', executable, launch.cwd));
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
  return {
    context: () => ({ ...stdioContext(launch), ...readState(transport) }),
    connect: (engine, engineOptions) => engine.connect(transport, engineOptions),
    abandon: () => transport.close(),
    transport,
  };
}

function readState({ stderrTail, exit, end }: StdioTransport): Partial<FailureContext> {
  return { stderrTail, exit, end };
}

function stdioContext({ secrets, command }: ResolvedStdioLaunch): FailureContext {
  return { secrets, command };
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

async function findExecutable(
  launch: ResolvedStdioLaunch,
  env: Readonly<Record<string, string>>,
  { platform }: HostEnvironment,
): Promise<string> {
  const found = await resolveExecutable(launch.command, {
    path: readVariable(env, 'PATH', platform) ?? '',
    cwd: launch.cwd,
    platform,
    pathExt: readVariable(env, 'PATHEXT', platform),
  });
  const context = stdioContext(launch);
  switch (found.kind) {
    case 'found':
      return found.path;
    case 'not_executable':
      throw new ConnectionFailedError(executableForbidden(found.path, context));
    case 'not_found':
      throw new ConnectionFailedError(executableNotFound(launch.command, found.searched, context));
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

function describeTraffic(direction: 'sent' | 'received', message: JsonObject): string {
  const text = JSON.stringify(message);
  const shown = text.length > maxFrameLength ? `${text.slice(0, maxFrameLength)}…` : text;
  return `${direction === 'sent' ? '→' : '←'} ${shown}`;
}

function maskedLogger(
  logger: Logger,
  secrets: readonly string[],
): (level: LogLevel, message: string) => void {
  return (level, message) => logger.log(level, maskSecrets(message, secrets));
}
