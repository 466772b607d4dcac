import { raceWithSignal } from '../../../base/async/cancellation.js';
import { briefly, errorCode, errorMessage } from '../../../base/errors.js';
import { type EngineConnectOptions, EngineError } from './engine.js';
import { EngineSession } from './engineSession.js';
import type { HandshakeResult, SessionClient, SessionClientOptions } from './sessionClient.js';

const rootsAsked = 'roots/list';
const rootsChanged = 'notifications/roots/list_changed';

/** SDKs compile the schemas of a whole list, or before a call; ours are compiled on use, and only warn. */
export const noValidator = {
  getValidator: () => (input: unknown) => ({
    valid: true as const,
    data: input as never,
    errorMessage: undefined,
  }),
};

/** What opening a session needs of the client of either SDK. */
interface SdkClient extends HandshakeResult {
  onerror?: ((error: Error) => void) | undefined;
  onclose?: (() => void) | undefined;
  fallbackNotificationHandler?(notification: {
    readonly method: string;
    readonly params?: unknown;
  }): Promise<void>;
  notification(notification: { method: typeof rootsChanged }): Promise<void>;
}

interface SessionParts extends Omit<SessionClientOptions, 'close'> {
  /** Shakes hands over the wire. What it starts beside ends with `lifetime`. */
  readonly connect: (client: SessionClient, lifetime: AbortSignal) => Promise<void>;
  /** Says goodbye to the server before the wire is cut. Bounded, never rejects. */
  readonly terminate?: (() => Promise<void>) | undefined;
  readonly onTrouble?: ((error: Error) => void) | undefined;
  /** What an error of the SDK is to the rest of the domain. */
  readonly toError: (error: unknown) => unknown;
}

/** A session over a wire and a client that are not connected yet; closes the wire when that fails. */
export async function openSession(
  sdk: SdkClient,
  { signal, onNotice }: EngineConnectOptions,
  parts: SessionParts,
): Promise<EngineSession> {
  const { wire, features } = parts;
  const lifetime = new AbortController();
  const session = new EngineSession(sdk, {
    ...parts,
    close: async () => {
      lifetime.abort();
      await parts.terminate?.();
      await wire.close();
    },
  });
  const roots = features.features.roots?.onDidChange(() => {
    // servers of the newer generation ask for roots when they need them
    if (!wire.requests.modern) {
      features.givenRoots.announce();
      // a server that is going away does not need to know
      void sdk.notification({ method: rootsChanged }).catch(() => undefined);
    }
  });
  lifetime.signal.addEventListener('abort', () => roots?.dispose(), { once: true });
  sdk.onerror = (error) => {
    parts.onTrouble?.(error);
    onNotice('debug', briefly(error));
  };
  sdk.fallbackNotificationHandler = async (notification) => {
    if (!features.receive(notification)) {
      session.receive(notification);
    }
  };
  wire.onNotification = (notification) => session.receive(notification);
  wire.onQuestion = (id, method) => {
    features.relays.expect(id);
    if (method === rootsAsked && features.features.roots && !wire.requests.modern) {
      features.givenRoots.ask(() => session.quietPing());
    }
  };
  sdk.onclose = () => {
    lifetime.abort();
    session.markClosed();
  };
  try {
    await raceWithSignal(parts.connect(session, lifetime.signal), signal);
    return session;
  } catch (error) {
    lifetime.abort();
    const { answeredId } = wire.handshake;
    const reason = wire.handshake.explain(openError(parts.toError(error)));
    if (answeredId !== undefined && !signal.aborted) {
      wire.noteFault(answeredId, errorMessage(reason));
    }
    await wire.close();
    throw signal.aborted ? signal.reason : reason;
  }
}

/** Two failures for which neither SDK has an error of its own. */
function openError(error: unknown): unknown {
  const text = errorMessage(error);
  if (text.includes('protocol version is not supported')) {
    return new EngineError('protocol_version', text, { cause: error });
  }
  const { syscall } = error as NodeJS.ErrnoException;
  return syscall?.startsWith('spawn')
    ? new EngineError('not_spawned', text, { systemCode: errorCode(error), cause: error })
    : error;
}
