/**
 * A package that npm fetches before its server can run. Several at once take all of the machine and the network, and
 * the last of them would be late; so they come one after another, and their time does not count as that of a start.
 */
import { raceWithSignal } from '../../base/async/cancellation.js';
import type { Disposable } from '../../base/disposable.js';
import { errorMessage } from '../../base/errors.js';
import type { ResolvedStdioLaunch } from '../../config/definition.js';
import {
  findMissingPackage,
  type MissingPackage,
  untilInstalled,
} from '../../platform/npx/missingPackage.js';
import type { HostEnvironment } from '../../platform/ports.js';
import type { ConnectingNote } from '../mcpTypes.js';
import type { ConnectDeadline } from './connectDeadline.js';
import { type ProcessOpeningOptions, type ProcessWatch, prepareProcess } from './processOpening.js';
import type { StartSlot, StartSlots } from './startSlots.js';

/** Milliseconds that a server may wait for its turn and for its package, both together. */
export const longestInstallMs = 10 * 60_000;

export interface FirstInstallOptions {
  readonly environment: HostEnvironment;
  /** Milliseconds from start to the end of `initialize`, without those in which its package is fetched. */
  readonly connectTimeoutMs: number;
  /** The server is up, or takes its time; others may start. */
  readonly onDidStart?: (() => void) | undefined;
  /** Queue of the starts whose package has to be fetched. Default: none. */
  readonly installs?: StartSlots | undefined;
  /** What connecting waits for now. */
  readonly onDidChangeNote?: ((note: ConnectingNote) => void) | undefined;
}

/** To be disposed when the server is up or gone. */
export interface FirstInstall extends Disposable {
  /** What fetches the package and runs nothing of it; `undefined` where npm is needed to start its program anyway. */
  readonly fetch: ResolvedStdioLaunch | undefined;
  /** The package is there: the turn is over, and the time of the start begins. */
  settle(): void;
}

/**
 * Waits for the server's turn when its package has to be fetched. The turn ends when the package is there, or with the
 * result; `undefined`: nothing has to be fetched.
 */
export async function beginFirstInstall(
  launch: ResolvedStdioLaunch,
  options: FirstInstallOptions,
  deadline: ConnectDeadline,
): Promise<FirstInstall | undefined> {
  const environment = asSeenBy(launch, options.environment);
  const { signal } = deadline;
  if (!(await raceWithSignal(findMissingPackage(launch, environment), signal))) {
    return undefined;
  }
  deadline.allow(longestInstallMs, true);
  options.onDidStart?.();
  options.onDidChangeNote?.('waiting');
  const turn = options.installs?.request();
  await turn?.take(signal);
  try {
    // whoever came before may have brought it
    const missing = await raceWithSignal(findMissingPackage(launch, environment), signal);
    if (missing) {
      const found = await raceWithSignal(findMissingPackage(launch, options.environment), signal);
      const isDirect =
        options.environment.platform !== 'win32' && found?.nodeModules === missing.nodeModules;
      const fetch = isDirect ? { ...launch, args: missing.fetchArgs } : undefined;
      return { fetch, ...startFetching(missing, options, deadline, turn) };
    }
  } catch (error) {
    turn?.release();
    throw error;
  }
  turn?.release();
  deadline.allow(options.connectTimeoutMs);
  return undefined;
}

/**
 * Has npm fetch the package and nothing else, so that its program can be started without npm around it. What goes wrong
 * is left for npm to say when the server is started as it is written.
 */
export async function fetchPackage(
  fetch: ResolvedStdioLaunch,
  options: ProcessOpeningOptions,
  attempt: ProcessWatch & {
    readonly signal: AbortSignal;
    /** The last wait before npm is started. Throws when it may not be. */
    readonly willStart: () => Promise<unknown>;
  },
): Promise<void> {
  const { log, signal, willStart } = attempt;
  const { transport, abandon } = await raceWithSignal(
    prepareProcess(fetch, options, attempt),
    signal,
  );
  if (!transport) {
    return;
  }
  await raceWithSignal(willStart(), signal);
  signal.throwIfAborted();
  try {
    const exited = new Promise((resolve) => transport.onDidExit(resolve));
    await transport.start();
    await raceWithSignal(exited, signal);
  } catch (error) {
    signal.throwIfAborted();
    log('warn', errorMessage(error));
  } finally {
    await abandon();
  }
}

/** What the entry sets tells npm where it keeps packages. */
function asSeenBy({ env }: ResolvedStdioLaunch, host: HostEnvironment): HostEnvironment {
  return { ...host, getVariable: (name) => env[name] ?? host.getVariable(name) };
}

function startFetching(
  missing: MissingPackage,
  options: FirstInstallOptions,
  deadline: ConnectDeadline,
  turn: StartSlot | undefined,
): Omit<FirstInstall, 'fetch'> {
  options.onDidChangeNote?.('fetching');
  const ended = new AbortController();
  const end = () => {
    if (!ended.signal.aborted) {
      ended.abort();
      turn?.release();
    }
  };
  const settle = () => {
    if (!ended.signal.aborted) {
      end();
      options.onDidChangeNote?.('starting');
      deadline.allow(options.connectTimeoutMs);
    }
  };
  // rejects when the turn ended otherwise
  untilInstalled(missing, ended.signal).then(settle, () => undefined);
  return { settle, dispose: end };
}
