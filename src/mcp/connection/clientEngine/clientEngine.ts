import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  Client,
  type ClientCapabilities,
  LOG_LEVEL_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  type Transport,
} from '@modelcontextprotocol/client';
import { briefly } from '../../../base/errors.js';
import { definedValues } from '../../../base/json.js';
import type { ResolvedHttpLaunch } from '../../../config/definition.js';
import { defaultProtocol } from '../../../config/schema/fields.js';
import { anyObject } from '../../validation/anyObject.js';
import type { McpTransport } from '../reading/transport.js';
import { FeatureHost } from '../session/clientFeatures.js';
import {
  type EngineConnectOptions,
  EngineError,
  type McpEngine,
  type McpSession,
} from '../session/engine.js';
import { noValidator, openSession } from '../session/openSession.js';
import { type InnerTransport, SessionWire } from '../session/sessionWire.js';
import { tasksExtension } from '../session/taskDialect.js';
import { ClientEngineAuth } from './auth/auth.js';
import { revokeTokens } from './auth/revocation.js';
import { fromSdk } from './errors.js';
import { baseFetch, type ClientWire, createHttpWire } from './http.js';
import { ChangeListener } from './listen.js';

/** Ways to authorize that a server may look for (ext-auth). */
const clientCredentialsExtension = 'io.modelcontextprotocol/oauth-client-credentials';
const enterpriseExtension = 'io.modelcontextprotocol/enterprise-managed-authorization';
const modernVersion = '2026-07-28';
/** Longest wait for a process to say which generation it speaks; silence means the older one. */
const stdioProbeTimeoutMs = 5000;
/** Its two properties make the SDK probe for the version as it does with a process. */
class ProcessWire extends SessionWire {
  readonly stderr = undefined;
  readonly pid = undefined;
}

/** MCP of both generations through `@modelcontextprotocol/client`. */
export function createClientEngine(): McpEngine {
  return {
    connect,
    connectHttp,
    signIn: (launch, { authorization, signal, onNotice }) =>
      new ClientEngineAuth(authorization, baseFetch(launch), onNotice).signIn(signal),
    revokeTokens: (launch, { authorization, onNotice }) =>
      revokeTokens(authorization, baseFetch(launch), onNotice),
  };
}

async function connect(
  transport: McpTransport,
  options: EngineConnectOptions,
): Promise<McpSession> {
  const wire = new ProcessWire(transport as InnerTransport, {
    ...options,
    isBounded: true,
  });
  return open({ transport: 'stdio', wire, toError: fromSdk }, options);
}

async function connectHttp(
  launch: ResolvedHttpLaunch,
  options: EngineConnectOptions,
): Promise<McpSession> {
  if (launch.transport !== 'auto') {
    return open(createHttpWire(launch.transport, launch, options), options);
  }
  try {
    return await open(createHttpWire('streamable-http', launch, options), options);
  } catch (error) {
    if (options.signal.aborted || !isFallbackWorthwhile(error)) {
      throw error;
    }
    options.onNotice('debug', `Streamable HTTP: ${briefly(error)}`);
    // that transport is older than the newer generation
    const legacy: EngineConnectOptions = { ...options, protocolVersion: 'legacy' };
    try {
      return await open(createHttpWire('sse', launch, legacy), legacy);
    } catch (fallbackError) {
      options.signal.throwIfAborted();
      options.onNotice('debug', `SSE: ${briefly(fallbackError)}`);
      // the first transport is the likelier one, so its error is the one that helps
      throw error;
    }
  }
}

/** Old servers refuse the POST; authorization and overload would be refused by any transport. */
function isFallbackWorthwhile(error: unknown): boolean {
  const status = error instanceof EngineError ? error.httpStatus : undefined;
  return (
    status !== undefined && status >= 400 && status < 500 && ![401, 403, 408, 429].includes(status)
  );
}

async function open(parts: ClientWire, options: EngineConnectOptions): Promise<McpSession> {
  const { onNotice } = options;
  const { wire } = parts;
  const features = new FeatureHost(options.features, onNotice, options.mask);
  const capabilities = capabilitiesOf(features, options);
  const client = createClient(parts, capabilities, options);
  for (const [method, handle] of features.handlers) {
    client.setRequestHandler(method, { params: anyObject }, (params, context) =>
      handle(params, context.mcpReq.signal, features.relays.take(context.mcpReq.id)),
    );
  }
  let listener: ChangeListener | undefined;
  return openSession(client, options, {
    ...parts,
    features,
    isWaitingForUser: () => options.authorization?.isWaitingForUser === true,
    watchResource: (uri, isWatched) => listener?.watch(uri, isWatched),
    connect: async (session, lifetime) => {
      await negotiate(client, parts, options);
      if (client.getProtocolEra() === 'modern') {
        wire.requests.modern = {
          hasOwnStreams: wire.hasPerRequestStream,
          respond: (...asked) => session.respond(...asked),
          meta: () => ({
            [PROTOCOL_VERSION_META_KEY]: wire.protocolVersion,
            [CLIENT_INFO_META_KEY]: options.clientInfo,
            [CLIENT_CAPABILITIES_META_KEY]: capabilities,
            ...(session.logLevel === undefined ? {} : { [LOG_LEVEL_META_KEY]: session.logLevel }),
          }),
        };
        listener = new ChangeListener(client, lifetime, onNotice);
        listener.start();
      }
      parts.isOpen = true;
    },
  });
}

function capabilitiesOf(
  { capabilities }: FeatureHost,
  { protocolVersion = defaultProtocol, authorization }: EngineConnectOptions,
): ClientCapabilities {
  const grant = authorization?.settings.grant;
  const extensions = {
    ...capabilities.extensions,
    ...definedValues({
      [clientCredentialsExtension]: grant === 'client_credentials' ? {} : undefined,
      [enterpriseExtension]: grant === 'cross_app_access' ? {} : undefined,
      [tasksExtension]: protocolVersion === 'legacy' ? undefined : {},
    }),
  };
  return {
    ...capabilities,
    ...definedValues({ extensions: Object.keys(extensions).length > 0 ? extensions : undefined }),
  };
}

function createClient(
  { transport }: ClientWire,
  capabilities: ClientCapabilities,
  { clientInfo, protocolVersion = defaultProtocol, timeoutMs }: EngineConnectOptions,
): Client {
  // who is told to speak the newer generation may take as long as a start does
  const isAsked = transport === 'stdio' && protocolVersion === 'auto';
  return new Client(
    { ...clientInfo },
    {
      jsonSchemaValidator: noValidator,
      capabilities,
      versionNegotiation: {
        mode: protocolVersion === modernVersion ? { pin: modernVersion } : protocolVersion,
        probe: isAsked ? { timeoutMs: Math.min(stdioProbeTimeoutMs, timeoutMs) } : {},
      },
    },
  );
}

/** Connects in the generation that the server is known to speak, or asks it. */
async function negotiate(
  client: Client,
  { transport, wire }: ClientWire,
  options: EngineConnectOptions,
): Promise<void> {
  const {
    protocolVersion = defaultProtocol,
    protocolVerdict,
    timeoutMs: timeout,
    signal,
  } = options;
  if (protocolVersion !== 'auto') {
    await client.connect(wire as Transport, { signal, timeout });
    return;
  }
  const known = await protocolVerdict?.read();
  signal.throwIfAborted();
  let isEnded = false;
  wire.onclose = () => {
    isEnded = true;
  };
  try {
    await client.connect(wire as Transport, {
      signal,
      timeout,
      prior: known && { kind: known },
    });
  } catch (error) {
    await recordFailedProbe(known, transport === 'stdio' && isEnded, options);
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
    throw new EngineError('ended_by_probe', 'The process ended when it was asked for its version');
  }
}
