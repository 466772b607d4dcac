/** Lends the connections of a folder to other programs of this machine, until it is stopped. */
import { randomUUID } from 'node:crypto';
import { delay } from '../base/async/cancellation.js';
import { Coalescer } from '../base/async/coalescer.js';
import { DisposableStore } from '../base/disposable.js';
import { Emitter, type Event } from '../base/event.js';
import { isJsonObject, type JsonObject } from '../base/json.js';
import type { McpServerDefinition, McpServerId } from '../config/definition.js';
import { hashOf } from '../config/launch/launchHash.js';
import type { McpServer } from '../mcp/mcpApi.js';
import type { Surface } from '../mcp/trouble/trouble.js';
import { type Clock, systemClock } from '../platform/clock.js';
import { AccessTokens } from './http/accessTokens.js';
import { decodeSegment, docsPaths } from './http/guards.js';
import { answer, answerText, type GuardedRequest, HttpDoor, refuse } from './http/httpDoor.js';
import { UnreadAnswers } from './http/unread.js';
import { Endpoint, type EndpointOptions } from './lending/endpoint.js';
import { LentCalls } from './lending/lentCalls.js';
import { type LendingRules, LentServers } from './lending/lentServers.js';
import { docsPage, docsPolicy } from './rest/docsPage.js';
import { RestApi, type RestOptions } from './rest/restApi.js';
import { ServerEvents } from './rest/serverEvents.js';
import { SocketDoor } from './socket/socketDoor.js';
import { acceptMessage, passMessage } from './wire/httpMessages.js';
import { loadWire } from './wire/loadWire.js';
import { SessionBook } from './wire/sessionBook.js';
import type { ChangedList, EndpointWire } from './wire/wireTypes.js';

export interface GatewayOptions
  extends Pick<EndpointOptions, 'approve' | 'statistics'>,
    Omit<RestOptions, 'listTools' | 'ending'> {
  /** Default 0: any that is free. */
  readonly port?: number | undefined;
  /** What narrows what is lent. Default: nothing does. */
  readonly rules?: LendingRules | undefined;
  /** Where the user is who started it. Default: the editor. */
  readonly surface?: Surface | undefined;
  /** Default: the system's. */
  readonly clock?: Clock | undefined;
}

/** `revoked`: consent to a lent server was withdrawn, which ends everything that was begun under it. */
export type GatewayEnd = 'stopped' | 'revoked';

/** Of the addresses that speak MCP. */
const root = '/mcp';
const changeDelayMs = 300;
const changedLists: readonly ChangedList[] = ['tools', 'resources', 'prompts'];

interface OpenEndpoint {
  readonly endpoint: Endpoint;
  readonly wire: EndpointWire;
  basis: Endpoint['basis'];
}

export class Gateway {
  readonly tokens = new AccessTokens();
  readonly calls = new LentCalls();
  private readonly store = new DisposableStore();
  private readonly endEmitter = this.store.add(new Emitter<GatewayEnd>());
  readonly onDidEnd: Event<GatewayEnd> = this.endEmitter.event;
  private readonly willEndEmitter = this.store.add(new Emitter<void>());
  /** Before anything of it ends. */
  readonly onWillEnd: Event<void> = this.willEndEmitter.event;
  private readonly instanceId = randomUUID().slice(0, 8);
  private readonly ending = new AbortController();
  private readonly sessions: SessionBook;
  private readonly unread = new UnreadAnswers();
  private readonly lent: LentServers;
  private readonly rest: RestApi;
  private readonly endpoints = new Map<
    /* server name */ string | undefined,
    Promise<OpenEndpoint>
  >();
  /** Those of the others that are there. */
  private readonly opened = new Map</* server name */ string | undefined, OpenEndpoint>();
  /** As it was when it was last lent. */
  private readonly allowed = new Map<McpServerId, McpServerDefinition>();
  private door: HttpDoor | undefined;
  private socketDoor: SocketDoor | undefined;
  private stopping = Promise.resolve();
  /** It is stopping, or has stopped. */
  isEnding = false;

  private constructor(private readonly options: GatewayOptions) {
    const { service, folderUri, rules, surface = 'editor', clock = systemClock } = options;
    this.sessions = new SessionBook(clock);
    this.lent = new LentServers({
      service,
      folderUri,
      rules,
      surface,
      port: () => this.port,
    });
    this.rest = new RestApi({
      ...options,
      listTools: (signal) => this.listTools(signal),
      ending: this.ending.signal,
    });
  }

  /** @throws {HumanError} with code `port_taken`. */
  static async start(options: GatewayOptions): Promise<Gateway> {
    const gateway = new Gateway(options);
    const { port = 0, onError, clock = systemClock } = options;
    const { tokens } = gateway;
    gateway.door = await HttpDoor.open({
      port,
      tokens,
      serve: (request) => gateway.serve(request),
      onError,
      clock,
    });
    try {
      gateway.socketDoor = await SocketDoor.open({
        serve: async (socket) => (await gateway.open(undefined)).wire.serveStream(socket),
        onError,
      });
    } catch (error) {
      await gateway.stop();
      throw error;
    }
    gateway.follow();
    return gateway;
  }

  get port(): number {
    return this.door?.port ?? 0;
  }

  /** Of all servers; `/<server>` behind it leads to one. */
  get url(): string {
    return `http://127.0.0.1:${this.port}/mcp`;
  }

  /** Unix socket or named pipe to the same servers as {@link url}: JSON-RPC, a message on each line, no token. */
  get socket(): string {
    return this.socketDoor?.path ?? '';
  }

  get sessionCount(): number {
    return this.sessions.size;
  }

  /** Ends every session and call at once; resolves when nothing listens any more. Never rejects. */
  stop(reason: GatewayEnd = 'stopped'): Promise<void> {
    if (!this.isEnding) {
      this.isEnding = true;
      this.willEndEmitter.fire();
      this.stopping = this.end(reason);
    }
    return this.stopping;
  }

  private async end(reason: GatewayEnd): Promise<void> {
    const { onError } = this.options;
    this.ending.abort(new DOMException('The gateway has stopped.', 'AbortError'));
    const closing = this.door?.close();
    // clients wait for ever for an answer to which only the stream ends, so each call is told first
    await delay(0);
    const endpoints = [...this.endpoints.values()];
    await Promise.all([
      this.sessions.endAll(),
      ...endpoints.map(async (opening) => {
        const { endpoint, wire } = await opening;
        endpoint.logs.dispose();
        await wire.close();
      }),
      closing,
      this.socketDoor?.close(),
    ]).catch(onError);
    this.endEmitter.fire(reason);
    this.calls.dispose();
    this.store.dispose();
  }

  /** Tells clients what changes, and ends when consent is withdrawn. */
  private follow(): void {
    const { service, rules } = this.options;
    const telling = this.store.add(
      new Coalescer(() => this.tellChanges(), {
        delayMs: changeDelayMs,
        onError: this.options.onError,
      }),
    );
    const look = () => {
      this.rememberAllowed();
      telling.request();
    };
    this.store.add(service.onDidChangeServer(look));
    this.store.add(service.onDidChangePools(look));
    this.store.add(service.trust.onDidChange(() => this.endIfRevoked()));
    if (rules?.onDidChange) {
      this.store.add(
        rules.onDidChange(() => {
          for (const opening of this.endpoints.values()) {
            void opening.then(({ endpoint }) => endpoint.names.forget()).catch(() => undefined);
          }
          telling.request();
        }),
      );
    }
    this.rememberAllowed();
  }

  private rememberAllowed(): void {
    const { trust } = this.options.service;
    for (const { id, definition } of this.lent.all) {
      // one that has just changed is there before it is blocked
      if (trust.reasonToWait(definition) === undefined) {
        this.allowed.set(id, definition);
      }
    }
  }

  private endIfRevoked(): void {
    const { service, folderUri } = this.options;
    const isRevoked = ({ id, definition }: McpServer): boolean => {
      const lent = this.allowed.get(id);
      // what starts something else waits for consent of its own
      const isSame = lent !== undefined && hashOf(lent) === hashOf(definition);
      return isSame && service.trust.reasonToWait(definition) !== undefined;
    };
    if (service.serversFor(folderUri).some(isRevoked)) {
      void this.stop('revoked');
    }
  }

  private async tellChanges(): Promise<void> {
    for (const opening of this.endpoints.values()) {
      const open = await opening;
      open.endpoint.logs.refresh();
      const before = open.basis;
      open.basis = open.endpoint.basis;
      const changed = changedLists.filter((list) => !isSame(before[list], open.basis[list]));
      if (changed.length > 0) {
        open.wire.tellChanged(changed);
      }
    }
  }

  private serve(guarded: GuardedRequest): Promise<void> | undefined {
    const { path, response } = guarded;
    if (this.isEnding) {
      // its body came meanwhile
      refuse(response, 503, 'The gateway has stopped.');
      return undefined;
    }
    if (path !== root && !path.startsWith(`${root}/`)) {
      return this.serveOthers(guarded);
    }
    // some clients write the slash in a name as it is
    const segment = path.slice(root.length + 1);
    const name = segment === '' ? undefined : decodeSegment(segment);
    if (segment !== '' && (name === undefined || !this.lent.has(name))) {
      refuse(response, 404, 'No such server.');
      return undefined;
    }
    return this.speak(guarded, name);
  }

  private async serveOthers(guarded: GuardedRequest): Promise<void> {
    const { path, response } = guarded;
    if (path !== '/api' && !path.startsWith('/api/')) {
      refuse(response, 404, 'There is nothing at this address.');
      return;
    }
    if (guarded.method === 'GET' && docsPaths.has(path)) {
      const headers = { 'content-security-policy': docsPolicy };
      answerText(response, 'text/html', docsPage(this.options), headers);
      return;
    }
    const { status, document } = await this.rest.answer(guarded);
    if (document instanceof ServerEvents) {
      document.sendTo(response);
    } else {
      answer(response, status, document);
    }
  }

  private speak(guarded: GuardedRequest, name: string | undefined): Promise<void> | undefined {
    const accepted = acceptMessage(guarded);
    if (!accepted) {
      return undefined;
    }
    const { request, response } = guarded;
    const { message } = accepted;
    const isAnswered = this.opened.get(name)?.wire.answerPlainly(request, response, message);
    return isAnswered ? undefined : this.handle(guarded, name, message);
  }

  private async handle(
    guarded: GuardedRequest,
    name: string | undefined,
    message: unknown,
  ): Promise<void> {
    const { wire } = await this.open(name);
    await passMessage(guarded, message, wire, this.unread);
  }

  /** @throws {RpcError} */
  private async listTools(signal: AbortSignal): Promise<readonly JsonObject[]> {
    const { endpoint } = await this.open(undefined);
    const { tools } = await endpoint.answer('tools/list', {}, { client: { name: 'REST' }, signal });
    return Array.isArray(tools) ? tools.filter(isJsonObject) : [];
  }

  private open(name: string | undefined): Promise<OpenEndpoint> {
    const known = this.endpoints.get(name);
    if (known) {
      return known;
    }
    const opening = this.create(name);
    this.endpoints.set(name, opening);
    opening.then(
      (open) => this.opened.set(name, open),
      () => this.endpoints.delete(name),
    );
    return opening;
  }

  private async create(name: string | undefined): Promise<OpenEndpoint> {
    const { lent, calls, sessions, unread, instanceId } = this;
    const { approve, statistics, version, onError } = this.options;
    const endpoint = new Endpoint({ lent, calls, approve, statistics, only: name });
    const { createWire } = await loadWire();
    const wire = createWire({
      endpoint,
      sessions,
      unread,
      version: `${version}+${instanceId}`,
      signal: this.ending.signal,
      onError,
    });
    return { endpoint, wire, basis: endpoint.basis };
  }
}

function isSame(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((one, index) => one === b[index]);
}
