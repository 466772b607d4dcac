/** The routes of pi-forge: reads what runs, and changes the user's own file for whoever has the manage token. */
import { whenAborted } from '../../base/async/cancellation.js';
import { Sequencer } from '../../base/async/sequencer.js';
import { isHumanError } from '../../base/errors.js';
import { isDeeperThan, isJsonObject, type JsonObject, parseJsonObject } from '../../base/json.js';
import type { McpServerEntry } from '../../config/configuration.js';
import { globalPoolId, serverId } from '../../config/definition.js';
import { assertUsable, folderUnknown, serverUnknown } from '../../config/errors.js';
import type { McpPool, McpServer, McpService } from '../../mcp/mcpApi.js';
import type { GuardedRequest } from '../http/httpDoor.js';
import { gatewayLimits } from '../http/limits.js';
import { RpcError } from '../lending/rpcError.js';
import { openApi } from './openApi.js';
import { type RestAnswer, RestError, refusal, refusedAs } from './restError.js';
import { matchRoute, type RouteId } from './restRoutes.js';
import {
  entriesView,
  isFolderTrusted,
  settingsView,
  statusesView,
  statusView,
} from './restViews.js';
import { ServerEvents } from './serverEvents.js';

export interface RestOptions {
  readonly service: McpService;
  /** The only project; `undefined`: there is none. */
  readonly folderUri: string | undefined;
  readonly version: string;
  /** Consent covers whatever the files hold, so that they must not be read again. Default: it does not. */
  readonly readsOnce?: boolean | undefined;
  /** The tools that clients may call. @throws {RpcError} when no server could be asked. */
  readonly listTools: (signal: AbortSignal) => Promise<readonly JsonObject[]>;
  /** The gateway ends. */
  readonly ending: AbortSignal;
  readonly onError: (error: unknown) => void;
}

export type RestRequest = Pick<
  GuardedRequest,
  'method' | 'path' | 'query' | 'grant' | 'body' | 'gone'
>;

interface Call {
  readonly name: string;
  readonly projectId: string | undefined;
  readonly request: RestRequest;
}

const maxNameLength = 64;
const maxDepth = 32;
/** What pi-forge's form has: one that it leaves out is removed. Other fields of an entry stay. */
const formFields = ['command', 'args', 'env', 'cwd', 'url', 'headers', 'transport'];

export class RestApi {
  private readonly changes = new Sequencer();
  /** Of events. */
  private listeners = 0;
  private readonly handlers: Readonly<Record<RouteId, (call: Call) => Promise<unknown>>> = {
    readDocument: async () => openApi(this.options),
    readSettings: async () => settingsView(this.options.service),
    changeSettings: (call) => this.changes.queue(() => this.changeSettings(call)),
    listServers: (call) => this.listServers(call),
    putServer: (call) => this.changes.queue(() => this.putServer(call)),
    removeServer: (call) => this.changes.queue(() => this.removeServer(call)),
    probeServer: (call) => this.probeServer(call),
    startServer: (call) => this.startServer(call),
    stopServer: (call) => this.stopServer(call),
    followServers: async () => this.followServers(),
    listTools: (call) => this.listTools(call),
    askTrust: (call) => this.askTrust(call),
    revokeTrust: (call) => this.revokeTrust(call),
  };

  constructor(private readonly options: RestOptions) {}

  /** Rejects with what is nobody's business outside. */
  async answer(request: RestRequest): Promise<RestAnswer> {
    const match = matchRoute(request.method, request.path);
    if (match === 'nothing') {
      return refusal(404, 'not_found', 'There is nothing at this address.');
    }
    if (match === 'wrong_method') {
      return refusal(405, 'method_not_allowed', 'The method is not served here.');
    }
    const { route, parameters } = match;
    if (route.grant === 'manage' && request.grant !== 'manage') {
      return refusal(403, 'manage_token_required', 'Changes need the manage token of the gateway.');
    }
    if (this.options.readsOnce && route.errors?.includes('mcp_read_once')) {
      return new RestError(
        'mcp_read_once',
        'This gateway was started with consent to whatever its files hold, so they are not read again.',
        'Start it without that consent to change anything through it.',
      ).answer;
    }
    const { name = '', projectId = request.query.get('projectId') ?? undefined } = parameters;
    try {
      const document = await this.handlers[route.id]({ name, projectId, request });
      return { status: 200, document };
    } catch (error) {
      if (error instanceof RestError) {
        return error.answer;
      }
      throw error;
    }
  }

  private async changeSettings({ request }: Call): Promise<JsonObject> {
    const { service } = this.options;
    const { configuration } = service;
    const { enabled, truncation } = settingsChange(request.body);
    await refusedAs('mcp_invalid_config', async () => {
      if (truncation) {
        const { truncation: stored } = await configuration.readSettings(globalPoolId);
        const now = isJsonObject(stored) ? stored : {};
        await configuration.updateSettings(globalPoolId, { truncation: { ...now, ...truncation } });
      }
      if (enabled !== undefined) {
        await configuration.setMasterDisabled(globalPoolId, !enabled);
      }
    });
    await service.reload();
    return settingsView(service);
  }

  private async listServers({ projectId }: Call): Promise<JsonObject> {
    const { service } = this.options;
    const own = service.getPool(globalPoolId)?.servers ?? [];
    const pool = this.projectPool(projectId);
    return {
      servers: await entriesView(service, own),
      status: await statusesView(service, [...own, ...(pool?.servers ?? [])]),
      stdioTrust: pool && { trusted: isFolderTrusted(service, pool) },
    };
  }

  private async putServer({ name, request }: Call): Promise<JsonObject> {
    const { service } = this.options;
    const { configuration } = service;
    const entry = bodyOf(request.body);
    if (name.length > maxNameLength) {
      throw invalid(`The name has more than ${maxNameLength} characters.`);
    }
    await refusedAs('mcp_invalid_config', async () => {
      assertUsable(configuration.validate(name, entry));
      await service.reload();
      const known = service.getServer(serverId(globalPoolId, name));
      if (known && isOwn(known)) {
        const stored = (await configuration.read(known.id)).entry;
        await configuration.updateServer(known.id, { entry: replacing(stored, entry) });
      } else {
        await configuration.addServer(globalPoolId, name, entry);
      }
    });
    await service.reload();
    return { ok: true };
  }

  private async removeServer({ name }: Call): Promise<JsonObject> {
    const { service } = this.options;
    await service.reload();
    const known = service.getServer(serverId(globalPoolId, name));
    if (!known || !isOwn(known)) {
      throw unknownServer(name);
    }
    await refusedAs('mcp_invalid_config', () => service.configuration.removeServer(known.id));
    await service.reload();
    return { removed: true };
  }

  private async probeServer(call: Call): Promise<JsonObject> {
    const server = await this.serverNow(call);
    await server.restart(call.request.gone);
    return this.statusNow(server);
  }

  private async startServer(call: Call): Promise<JsonObject> {
    const server = await this.serverNow(call);
    await server.ensureConnected(call.request.gone).catch((error: unknown) => {
      // the state says it
      if (!isHumanError(error)) {
        throw error;
      }
    });
    return this.statusNow(server);
  }

  private async stopServer(call: Call): Promise<JsonObject> {
    const server = await this.serverNow(call);
    await server.stop();
    return this.statusNow(server);
  }

  private async statusNow(server: McpServer): Promise<JsonObject> {
    return { status: await statusView(this.options.service, server) };
  }

  /** By the files as they are now. @throws {RestError} */
  private async serverNow({ name, projectId }: Call): Promise<McpServer> {
    const { service } = this.options;
    if (!this.options.readsOnce) {
      // what was written a moment ago counts
      await service.reload();
    }
    const poolId = projectId === undefined ? globalPoolId : this.requireProject(projectId).id;
    const server = service.getServer(serverId(poolId, name));
    if (!server) {
      throw unknownServer(name);
    }
    return server;
  }

  private followServers(): ServerEvents {
    if (this.listeners >= gatewayLimits.eventStreams) {
      throw new RestError('too_many_listeners', 'Too many clients listen to events.');
    }
    this.listeners += 1;
    return new ServerEvents(this.options, () => {
      this.listeners -= 1;
    });
  }

  private async listTools({ projectId, request }: Call): Promise<JsonObject> {
    if (projectId === undefined) {
      throw invalid('The address needs a "projectId".');
    }
    this.requireProject(projectId);
    try {
      const tools = await this.options.listTools(request.gone);
      return { tools: tools.map(({ name, description = '' }) => ({ name, description })) };
    } catch (error) {
      throw error instanceof RpcError ? new RestError('mcp_unreachable', error.message) : error;
    }
  }

  private async askTrust({ projectId }: Call): Promise<JsonObject> {
    const { service } = this.options;
    const pool = this.requireProject(projectId);
    if (!isFolderTrusted(service, pool)) {
      throw new RestError(
        'mcp_consent_required',
        'Only a person can consent to the servers of a folder, in the window where it is open.',
        'Review the servers of the folder there.',
      );
    }
    return { trusted: true, status: await statusesView(service, pool.servers) };
  }

  private async revokeTrust({ projectId }: Call): Promise<JsonObject> {
    const { service, ending, onError } = this.options;
    const { id } = this.requireProject(projectId);
    const revoking = service.trust.revoke(id);
    // consent is gone at once, which may end the gateway before the last process has ended
    const isEnding = await Promise.race([
      revoking.then(() => false),
      whenAborted(ending).then(() => true),
    ]);
    if (isEnding) {
      revoking.catch(onError);
    }
    return { trusted: false };
  }

  private projectPool(projectId: string | undefined): McpPool | undefined {
    const { service, folderUri } = this.options;
    return projectId !== undefined && projectId === folderUri
      ? service.getPool(folderUri)
      : undefined;
  }

  private requireProject(projectId: string | undefined): McpPool {
    const pool = this.projectPool(projectId);
    if (!pool) {
      throw new RestError('project_not_found', folderUnknown().message);
    }
    return pool;
  }
}

/** A file of the user's holds it, and not that of a program that servers are imported from. */
function isOwn({ definition }: McpServer): boolean {
  return definition.origin.layer !== 'import';
}

function bodyOf(body: Buffer): JsonObject {
  const document = parseJsonObject(body.toString('utf8'));
  if (!document || isDeeperThan(document, maxDepth)) {
    throw invalid('The body is not a JSON object, or is nested too deeply.');
  }
  return document;
}

function settingsChange(body: Buffer): {
  readonly enabled?: boolean | undefined;
  readonly truncation?: JsonObject | undefined;
} {
  const { enabled, truncation, ...others } = bodyOf(body);
  if (Object.keys(others).length > 0 || (enabled === undefined && truncation === undefined)) {
    throw invalid('Only "enabled" and "truncation" can be set, and one of them has to be.');
  }
  if (enabled !== undefined && typeof enabled !== 'boolean') {
    throw invalid('"enabled" has to be true or false.');
  }
  if (truncation === undefined) {
    return { enabled };
  }
  const known = ['enabled', 'maxChars'];
  if (!isJsonObject(truncation) || Object.keys(truncation).some((key) => !known.includes(key))) {
    throw invalid('"truncation" can only have "enabled" and "maxChars".');
  }
  return { enabled, truncation };
}

function replacing(stored: McpServerEntry, entry: McpServerEntry): McpServerEntry {
  const left = formFields.filter(
    (field) => Object.hasOwn(stored, field) && !Object.hasOwn(entry, field),
  );
  const isSwitched = Object.hasOwn(entry, 'enabled') || Object.hasOwn(entry, 'disabled');
  return {
    ...Object.fromEntries(left.map((field) => [field, null])),
    ...(!isSwitched && { enabled: true }),
    ...entry,
  };
}

function unknownServer(name: string): RestError {
  const { message, remedy } = serverUnknown(name);
  return new RestError('mcp_server_not_found', message, remedy);
}

function invalid(message: string): RestError {
  return new RestError('mcp_invalid_config', message);
}
