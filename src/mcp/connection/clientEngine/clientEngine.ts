import {
  Client,
  type JsonSchemaValidator,
  type jsonSchemaValidator,
} from '@modelcontextprotocol/client';
import { raceWithSignal } from '../../../base/async/cancellation.js';
import type { ResolvedHttpLaunch } from '../../../config/definition.js';
import { defaultProtocol } from '../../../config/schema/fields.js';
import type { McpTransport } from '../reading/transport.js';
import { FeatureHost } from '../session/clientFeatures.js';
import {
  EndedByProbeError,
  type EngineConnectOptions,
  type McpEngine,
  type McpSession,
  type SignInOptions,
} from '../session/engine.js';
import { EngineSession } from '../session/engineSession.js';
import { tasksExtension } from '../session/taskDialect.js';
import { ClientEngineAuth } from './auth/auth.js';
import { revokeTokens as revoke } from './auth/revocation.js';
import { ClientEngineClient } from './client.js';
import { briefly, httpStatusOf, toEngineError } from './errors.js';
import { registerFeatures } from './features.js';
import { baseFetch, createHttpWire, type Wire } from './http.js';
import { ChangeListener } from './listen.js';
import { ClientEngineStdioWire, type InnerTransport } from './wire.js';

const modernVersion = '2026-07-28';
/** Longest wait for a process to say which generation it speaks; silence means the older one. */
const stdioProbeTimeoutMs = 5000;
/** The SDK's validator compiles a schema before its tool is called; ours compiles on use and only warns. */
const noValidator: jsonSchemaValidator = {
  getValidator:
    <T>(): JsonSchemaValidator<T> =>
    (input) => ({ valid: true, data: input as T, errorMessage: undefined }),
};

/** MCP of both generations through `@modelcontextprotocol/client`. */
export function createClientEngine(): McpEngine {
  return { connect, connectHttp, signIn, revokeTokens };
}

async function connect(
  transport: McpTransport,
  options: EngineConnectOptions,
): Promise<McpSession> {
  const wire: Wire = {
    kind: 'stdio',
    transport: new ClientEngineStdioWire(transport as InnerTransport, options),
    closeError: undefined,
    isOpen: false,
    terminate: async () => undefined,
    onTrouble: () => undefined,
  };
  return openSession(wire, options);
}

async function connectHttp(
  launch: ResolvedHttpLaunch,
  options: EngineConnectOptions,
): Promise<McpSession> {
  if (launch.transport !== 'auto') {
    return openSession(createHttpWire(launch.transport, launch, options), options);
  }
  try {
    return await openSession(createHttpWire('streamable-http', launch, options), options);
  } catch (error) {
    if (options.signal.aborted || !isFallbackWorthwhile(error)) {
      throw error;
    }
    options.onNotice('debug', `Streamable HTTP: ${briefly(error)}`);
    // that transport is older than the newer generation
    const legacy: EngineConnectOptions = { ...options, protocolVersion: 'legacy' };
    try {
      return await openSession(createHttpWire('sse', launch, legacy), legacy);
    } catch (fallbackError) {
      options.signal.throwIfAborted();
      options.onNotice('debug', `SSE: ${briefly(fallbackError)}`);
      // the first transport is the likelier one, so its error is the one that helps
      throw error;
    }
  }
}

async function signIn(
  launch: ResolvedHttpLaunch,
  { authorization, signal, onNotice }: SignInOptions,
): Promise<void> {
  await new ClientEngineAuth(authorization, baseFetch(launch), onNotice).signIn(signal);
}

async function revokeTokens(
  launch: ResolvedHttpLaunch,
  { authorization, onNotice }: SignInOptions,
): Promise<void> {
  await revoke(authorization, baseFetch(launch), onNotice);
}

/** Old servers refuse the POST; authorization and overload would be refused by any transport. */
function isFallbackWorthwhile(error: unknown): boolean {
  const status = httpStatusOf(error);
  return (
    status !== undefined && status >= 400 && status < 500 && ![401, 403, 408, 429].includes(status)
  );
}

async function openSession(wire: Wire, options: EngineConnectOptions): Promise<McpSession> {
  const { signal, onNotice } = options;
  const features = options.features ? new FeatureHost(options.features, onNotice) : undefined;
  const client = createClient(features, options);
  const lifetime = new AbortController();
  client.onerror = (error) => {
    wire.onTrouble(error);
    onNotice('debug', briefly(error));
  };
  const session = new EngineSession(
    new ClientEngineClient(client, {
      transport: wire.kind,
      onNotice,
      closeError: () => wire.closeError,
      features,
      isWaitingForUser: () =>
        features?.isWaitingForUser === true || options.authorization?.isWaitingForUser === true,
      watchResource: (uri, isWatched) => listener.watch(uri, isWatched),
      readIcon: wire.readIcon,
      close: async () => {
        lifetime.abort();
        await wire.terminate();
        await wire.transport.close();
      },
    }),
  );
  const listener = new ChangeListener(client, lifetime.signal, onNotice);
  wire.transport.onTaskProgress = (notification) => session.receive(notification);
  client.fallbackNotificationHandler = async (notification) => {
    if (!features?.receive(notification)) {
      session.receive(notification);
    }
  };
  client.onclose = () => {
    lifetime.abort();
    session.markClosed();
  };
  if (features) {
    registerFeatures(client, features, lifetime.signal);
  }
  try {
    await raceWithSignal(negotiate(client, wire, options), signal);
  } catch (error) {
    await wire.transport.close();
    throw signal.aborted ? signal.reason : wire.transport.handshake.explain(toEngineError(error));
  }
  wire.isOpen = true;
  if (client.getProtocolEra() === 'modern') {
    listener.start();
  }
  return session;
}

function createClient(features: FeatureHost | undefined, options: EngineConnectOptions): Client {
  const { protocolVersion = defaultProtocol } = options;
  const capabilities = features?.capabilities;
  return new Client(
    { ...options.clientInfo },
    {
      jsonSchemaValidator: noValidator,
      capabilities: {
        ...capabilities,
        ...(protocolVersion === 'legacy'
          ? {}
          : {
              extensions: {
                ...capabilities?.extensions,
                [tasksExtension]: {},
              },
            }),
      },
      versionNegotiation: {
        mode: protocolVersion === modernVersion ? { pin: modernVersion } : protocolVersion,
        probe: {},
      },
    },
  );
}

/** Connects in the generation that the server is known to speak, or asks it. */
async function negotiate(client: Client, wire: Wire, options: EngineConnectOptions): Promise<void> {
  const {
    protocolVersion = defaultProtocol,
    protocolVerdict,
    timeoutMs: timeout,
    signal,
  } = options;
  if (protocolVersion !== 'auto') {
    await client.connect(wire.transport, { signal, timeout });
    return;
  }
  const known = await protocolVerdict?.read();
  signal.throwIfAborted();
  const isProcess = wire.kind === 'stdio';
  if (!known) {
    client.setVersionNegotiation({
      mode: 'auto',
      probe: isProcess ? { timeoutMs: Math.min(stdioProbeTimeoutMs, timeout) } : {},
    });
  }
  let isEnded = false;
  wire.transport.onclose = () => {
    isEnded = true;
  };
  try {
    await client.connect(wire.transport, {
      signal,
      timeout,
      ...(known ? { prior: { kind: known } } : {}),
    });
  } catch (error) {
    await recordFailedProbe(known, isProcess && isEnded, options);
    throw error;
  }
  if (!known && client.getProtocolEra() === 'legacy') {
    await protocolVerdict?.write('legacy');
  }
}

async function recordFailedProbe(
  known: 'legacy' | undefined,
  hasProcessEnded: boolean,
  { protocolVerdict, signal }: EngineConnectOptions,
): Promise<void> {
  if (known) {
    // it may speak another generation since then
    await protocolVerdict?.write(undefined);
  } else if (hasProcessEnded && protocolVerdict && !signal.aborted) {
    await protocolVerdict.write('legacy');
    throw new EndedByProbeError('The process ended when it was asked for its version');
  }
}
