import * as l10n from '@vscode/l10n';
import { raceWithSignal } from '../../base/async/cancellation.js';
import { DisposableStore } from '../../base/disposable.js';
import { Emitter, type Event } from '../../base/event.js';
import type { ResolvedHttpLaunch, ResolvedLaunch } from '../../config/definition.js';
import type { resolveTexts } from '../../config/launch/resolveLaunch.js';
import {
  createChangingMask,
  type MaskText,
  maskDocument,
} from '../../config/secrets/secretMask.js';
import { findProxy } from '../../platform/environment/proxy.js';
import type { Logger } from '../../platform/ports.js';
import { hasAuthorization, usesOAuth } from '../accountUse.js';
import type { ServerLogLevel, ServerLogMessage } from '../logTypes.js';
import type { McpServerFailure } from '../mcpTypes.js';
import { ConnectDeadline, remoteTimeout } from './connectDeadline.js';
import { classifyFailure } from './connectionErrors.js';
import { ConnectionFailedError } from './connectionFailure.js';
import type { ConnectionTap, OpenTap } from './connectionTap.js';
import {
  beginFirstInstall,
  type FirstInstall,
  type FirstInstallOptions,
  fetchPackage,
  longestInstallMs,
} from './firstInstall.js';
import { tapExchanges } from './http/exchangeTap.js';
import { limitLogRate } from './logRate.js';
import {
  type Log,
  type Opening,
  type ProcessOpeningOptions,
  prepareProcess,
} from './processOpening.js';
import { ProtocolVerdicts } from './protocolVerdicts.js';
import {
  type EngineConnectOptions,
  type EngineLoader,
  isEngineError,
  type McpSession,
} from './session/engine.js';
import {
  type HeardLogLine,
  isSevereEnough,
  type LogAudience,
  leastSevere,
  protocolLogLevel,
} from './session/serverLog.js';
import { describeTraffic } from './trafficTrace.js';

const logLevelTimeoutMs = 10_000;
/** Milliseconds after which a server that has not answered no longer keeps others from starting. */
const startMs = 2000;

type ResolveTexts = (
  written: Parameters<typeof resolveTexts>[1],
  signal?: AbortSignal,
) => ReturnType<typeof resolveTexts>;

/** One open connection to a server: a session and, for stdio, the process behind it. */
export interface McpConnection {
  readonly session: McpSession;
  /** Of the process that leads the server's group; undefined for remote servers. */
  readonly pid: number | undefined;
  /** Fires once: with the failure, or with undefined after {@link close}. */
  readonly onDidClose: Event<McpServerFailure | undefined>;
  /** Tells the server which of its log messages are wanted now, when that changed. */
  updateLogLevel(): void;
  /** Milliseconds since the last message of the server. */
  readonly silentMs: number;
  /** What an error of a request on this connection means. */
  describeError(error: unknown): McpServerFailure;
  /** Resolves the variables of texts of its entry. @throws {HumanError} where one has no value */
  resolveTexts: ResolveTexts;
  /** Masks these from now on wherever the connection is mentioned. */
  conceal(secrets: readonly string[]): void;
  /** Bounded; resolves when no process of the server is left. Never rejects. */
  close(): Promise<void>;
}

export interface OpenConnectionOptions
  extends ProcessOpeningOptions,
    FirstInstallOptions,
    Pick<EngineConnectOptions, 'clientInfo' | 'features' | 'protocolVerdict' | 'authorization'>,
    Partial<Pick<EngineConnectOptions, 'signal'>> {
  readonly engineLoader: EngineLoader;
  /** Gets lifecycle, stderr and protocol notices, secrets masked. */
  readonly logger: Logger;
  /** Whether the server is asked for everything it has to say. Default: no. */
  readonly isDebugged?: (() => boolean) | undefined;
  /** Who else hears what the server logs, secrets masked. Default: nobody. */
  readonly logAudience?: LogAudience | undefined;
  /** Sees what passes. Default: nobody looks. */
  readonly openTap?: OpenTap | undefined;
  /** Asked for every message: whether to log it, secrets masked. Default: no. */
  readonly isTrafficTraced?: (() => boolean) | undefined;
  /** See {@link McpConnection.resolveTexts}. Default: as they are written. */
  readonly resolveTexts?: ResolveTexts | undefined;
}

/**
 * Connects to a server. Consent must have been checked. A failed or cancelled attempt leaves no process behind.
 * @throws {ConnectionFailedError} or the signal's reason.
 */
export async function openConnection(
  launch: ResolvedLaunch,
  options: OpenConnectionOptions,
): Promise<McpConnection> {
  const protocolVerdict = options.protocolVerdict ?? new ProtocolVerdicts().for('');
  const attempt = { ...options, protocolVerdict };
  try {
    return await openOnce(launch, attempt);
  } catch (error) {
    const cause = (error as Error | undefined)?.cause;
    if (!isEngineError(cause) || cause.kind !== 'ended_by_probe') {
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
  const { connectTimeoutMs } = options;
  const proxy = launch.kind === 'http' ? findProxy(launch.url, options.environment) : undefined;
  const deadline = new ConnectDeadline(
    options.signal,
    launch.kind === 'http' ? (ms) => remoteTimeout(ms, proxy) : undefined,
  );
  deadline.allow(connectTimeoutMs);
  const { signal } = deadline;
  const concealed = new Set<string>();
  // tokens come and go, and a server may repeat them
  const mask = createChangingMask(() => [
    ...launch.secrets,
    ...concealed,
    ...(options.authorization?.credentials.secretValues ?? []),
  ]);
  const log: Log = (level, message) => options.logger.log(level, mask(message));
  const serverLog = limitLogRate(log);
  const hearing = { heardAt: performance.now() };
  const tap = options.openTap?.(launch.kind, mask);
  let opening: Opening | undefined;
  let started: ReturnType<typeof setTimeout> | undefined;
  let install: FirstInstall | undefined;
  try {
    if (launch.kind === 'stdio') {
      install = await beginFirstInstall(launch, options, deadline);
      if (install?.fetch) {
        await fetchPackage(install.fetch, options, {
          log: serverLog,
          mask,
          signal,
          willStart: () => options.engineLoader(launch),
        });
        install.settle();
      }
    }
    // nothing is started before `connect`, so preparations may be walked away from
    const preparation =
      launch.kind === 'stdio'
        ? prepareProcess(launch, options, { log: serverLog, mask, tap })
        : prepareRemote(launch, mask, proxy);
    opening = await raceWithSignal(preparation, signal);
    const engine = await raceWithSignal(options.engineLoader(launch), signal);
    signal.throwIfAborted();
    started = setTimeout(() => options.onDidStart?.(), startMs);
    if (!install) {
      options.onDidChangeNote?.('starting');
    }
    const session = await opening.connect(engine, {
      clientInfo: options.clientInfo,
      signal,
      // the deadline ends the attempt, not the SDK's own limit
      timeoutMs: connectTimeoutMs + (install ? longestInstallMs : 0),
      onNotice: serverLog,
      features: options.features,
      mask,
      protocolVersion: launch.protocolVersion,
      protocolVerdict: options.protocolVerdict,
      authorization: options.authorization,
      onTraffic: (direction, message, text) => {
        tap?.message(direction, message, text);
        if (direction === 'received') {
          hearing.heardAt = performance.now();
        }
        if (direction !== 'local' && options.isTrafficTraced?.()) {
          log('info', describeTraffic(direction, message));
        }
      },
      tapHttp: tap && tapExchanges((step) => tap.http(step)),
    });
    opening.onDidConnect();
    tap?.connected({ transport: session.transport, pid: opening.transport?.pid });
    return new OpenConnection(
      session,
      opening,
      { own: log, server: serverLog },
      { ...options, hearing, tap, concealed },
    );
  } catch (error) {
    await opening?.abandon();
    if (options.signal?.aborted) {
      tap?.closed(undefined);
      throw options.signal.reason;
    }
    const failure = classifyFailure(error, {
      mask,
      ...opening?.context(),
      account: options.authorization?.usedAccount,
      hasNoSignIn: options.authorization?.hasNoSignIn,
    });
    logFailure(failure, log);
    tap?.closed(failure.message);
    throw new ConnectionFailedError(failure, error);
  } finally {
    clearTimeout(started);
    install?.dispose();
    deadline.dispose();
  }
}

class OpenConnection implements McpConnection {
  private readonly _onDidClose = new Emitter<McpServerFailure | undefined>();
  readonly onDidClose = this._onDidClose.event;
  private readonly store = new DisposableStore();
  private isClosing = false;
  private logLevel: ServerLogLevel | undefined;

  constructor(
    readonly session: McpSession,
    private readonly opening: Opening,
    private readonly logs: { readonly own: Log; readonly server: Log },
    private readonly options: Pick<
      OpenConnectionOptions,
      'logger' | 'isDebugged' | 'logAudience' | 'resolveTexts'
    > & {
      /** When the last message of the server came, as `performance.now` measures. */
      readonly hearing: { readonly heardAt: number };
      /** Secrets beside those of the launch. */
      readonly concealed: Set<string>;
      readonly tap: ConnectionTap | undefined;
    },
  ) {
    const { logger } = options;
    session.onDidLog((line) => this.hear(line));
    if (logger.onDidChangeLevel) {
      this.store.add(logger.onDidChangeLevel(() => this.updateLogLevel()));
    }
    session.onDidClose(() => {
      this.store.dispose();
      const failure = this.isClosing ? undefined : this.describeError(session.closeError);
      if (failure) {
        logFailure(failure, logs.own);
      } else {
        logs.own('info', l10n.t('Disconnected'));
      }
      options.tap?.closed(failure?.message);
      this._onDidClose.fire(failure);
    });
    logs.own('info', l10n.t('Connected over {0}.', session.transport));
    this.updateLogLevel();
  }

  get pid(): number | undefined {
    return this.opening.transport?.pid;
  }

  get silentMs(): number {
    return performance.now() - this.options.hearing.heardAt;
  }

  updateLogLevel(): void {
    const watched = this.options.logAudience?.level;
    const level = leastSevere(watched ? [this.ownLogLevel, watched] : [this.ownLogLevel]);
    if (level !== undefined && level !== this.logLevel && !this.isClosing) {
      this.logLevel = level;
      void this.session
        .setLogLevel(level, { timeoutMs: logLevelTimeoutMs })
        .catch((error) => this.logs.own('debug', this.describeError(error).message));
    }
  }

  describeError(error: unknown): McpServerFailure {
    return classifyFailure(error, this.opening.context());
  }

  readonly resolveTexts: ResolveTexts = async (written, signal) =>
    (await this.options.resolveTexts?.(written, signal)) ?? {
      texts: written.map(({ text }) => text),
      secrets: [],
    };

  conceal(secrets: readonly string[]): void {
    for (const secret of secrets) {
      this.options.concealed.add(secret);
    }
  }

  private get ownLogLevel(): ServerLogLevel {
    const { logger, isDebugged } = this.options;
    return protocolLogLevel(isDebugged?.() ? 'debug' : logger.level);
  }

  private hear({ level, message, sent, cause }: HeardLogLine): void {
    const { isDebugged = () => false, logAudience } = this.options;
    if (logAudience?.level !== undefined) {
      const told = maskDocument(sent, this.opening.context().mask) as ServerLogMessage;
      logAudience.tell(told, cause);
      // what only others have asked for is not for our log
      if (!isSevereEnough(sent.level, this.ownLogLevel)) {
        return;
      }
    }
    // `debug` of the entry wants these lines in a log of any level
    this.logs.server(level === 'debug' && isDebugged() ? 'info' : level, message);
  }

  async close(): Promise<void> {
    this.isClosing = true;
    await this.session.close();
    await this.opening.abandon();
  }
}

async function prepareRemote(
  launch: ResolvedHttpLaunch,
  mask: MaskText,
  proxy: string | undefined,
): Promise<Opening> {
  return {
    context: () => ({
      mask,
      url: launch.url,
      proxy,
      maySignIn: usesOAuth(launch),
      hasToken: hasAuthorization(launch),
      isTransportNamed: launch.transport !== 'auto',
    }),
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

function logFailure({ message, ran }: McpServerFailure, log: Log): void {
  log('error', ran === undefined ? message : l10n.t('{0} It was run as: {1}', message, ran));
}
