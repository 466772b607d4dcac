import * as l10n from '@vscode/l10n';
import { delay } from '../../../base/async/cancellation.js';
import { errorMessage } from '../../../base/errors.js';
import { asString, defined, isJsonObject, type JsonObject } from '../../../base/json.js';
import { rpcCode } from '../../../base/jsonRpc.js';
import type { McpProgress } from '../../mcpTypes.js';
import type { RequestOrigin } from '../../originTypes.js';
import { parseProgress } from '../reading/parseItems.js';
import { notValid, type RequestId, repairResponse } from '../reading/repairResponse.js';
import { type BoundedRequest, RequestBounds } from './boundedRequest.js';
import { type RequestOptions, serverError, type TaskRequest } from './engine.js';
import { parseInputs } from './taskDialect.js';

/** SDKs count their own requests from 0. */
const firstId = 1_000_000_000;
/** How often a server may ask before it answers one request. */
const maxRounds = 10;
/** Before a request is repeated of which the server only wants to see its own state again. */
const repeatMs = 250;

/** How a message is sent; transports with one channel for all ignore it. */
export interface SendOptions {
  /** Ends what carries this one message, and with it the request. */
  readonly requestSignal?: AbortSignal | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Rejects, with what the domain knows, when the wire is down or the message is refused. */
type SendMessage = (message: JsonObject, options: SendOptions) => Promise<void>;

/** What is different for servers of 2026-07-28. */
export interface ModernWire {
  /** What each message says about us. */
  readonly meta: () => JsonObject;
  /** A request is taken back by ending what carries it. */
  readonly hasOwnStreams: boolean;
  /** Answers what a server wants to know before it answers. */
  readonly respond: (
    input: TaskRequest,
    signal: AbortSignal,
    origin: RequestOrigin | undefined,
  ) => Promise<JsonObject>;
}

/** What a request shares with others of its session. */
export interface RequestContext {
  /** While true, the time-out does not strike. */
  readonly isWaitingForUser: (options: RequestOptions) => boolean;
  readonly headers?: SendOptions['headers'];
  /** The request was answered or given up. */
  readonly onEnd?: (options: RequestOptions) => void;
}

/** A result, and with it whom to tell when it is not one. */
export interface Answer {
  readonly result: JsonObject;
  /** Whoever reads it cannot take it, or not all of it. @param sentence why */
  fault(sentence: string): void;
}

interface Ask {
  readonly method: string;
  readonly params: JsonObject | undefined;
  readonly options: RequestOptions;
  readonly context: RequestContext;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Requests over a wire that an SDK's client has opened, past that client: it would check what is checked already, refuse
 * lists and results whole for one malformed part, and know no server that answers with a task.
 */
export class DirectRequests {
  /** Set when the handshake has found such a server. */
  modern: ModernWire | undefined;
  private readonly requests = new Map<RequestId, DirectRequest>();
  /** Of those whose carrier asked for one. */
  private readonly ends = new Map<RequestId, AbortController>();
  private nextId = firstId;
  private closeError: unknown;

  constructor(
    readonly send: SendMessage,
    /** Told of answers that came, but cannot be taken, or not as a whole. */
    readonly onFault?: (id: RequestId, sentence: string) => void,
  ) {}

  /**
   * Rejects with an {@link EngineError} of the server or of the time-out, with why the wire went down, or with the reason
   * of the caller's signal; the server is told of what nobody waits for any more.
   */
  ask(
    method: string,
    params: JsonObject | undefined,
    options: RequestOptions,
    context: RequestContext,
  ): Promise<Answer> {
    if (this.closeError !== undefined || options.signal?.aborted) {
      context.onEnd?.(options);
      return Promise.reject(this.closeError ?? options.signal?.reason);
    }
    return new Promise((resolve, reject) => {
      new DirectRequest(this, { method, params, options, context, resolve, reject }).send({});
    });
  }

  /** @returns false when the message is somebody else's. */
  receive(message: JsonObject): boolean {
    if (message.method !== undefined) {
      return message.method === 'notifications/progress' && this.receiveProgress(message.params);
    }
    const request = this.find(message.id);
    request?.receive(message);
    return request !== undefined;
  }

  isPending(id: RequestId): boolean {
    return this.requests.get(id)?.isSent === true;
  }

  /** Aborts when nobody waits for the answer any more; `undefined` for a request that is none of these. */
  endOf(id: RequestId): AbortSignal | undefined {
    if (!this.requests.has(id)) {
      return undefined;
    }
    const end = this.ends.get(id) ?? new AbortController();
    this.ends.set(id, end);
    return end.signal;
  }

  /** No effect on an id that is not {@link isPending}. */
  fail(id: RequestId, error: unknown): void {
    if (this.isPending(id)) {
      this.requests.get(id)?.fail(error);
    }
  }

  /** The wire is down. */
  close(error: unknown): void {
    this.closeError = error;
    for (const request of [...this.requests.values()]) {
      request.fail(error);
    }
  }

  /** @returns the id under which `request` is sent now. */
  enter(request: DirectRequest): RequestId {
    const id = this.nextId++;
    this.requests.set(id, request);
    return id;
  }

  leave(id: RequestId): void {
    this.requests.delete(id);
    // of next to no request, and every call comes by here
    if (this.ends.size > 0) {
      this.ends.get(id)?.abort();
      this.ends.delete(id);
    }
  }

  private receiveProgress(params: unknown): boolean {
    const request = isJsonObject(params) ? this.find(params.progressToken) : undefined;
    const progress = request && parseProgress(params);
    if (progress) {
      request.progress(progress);
    }
    return request !== undefined;
  }

  /** Some servers send numbers back as text. */
  private find(id: unknown): DirectRequest | undefined {
    return typeof id === 'number' || typeof id === 'string'
      ? this.requests.get(Number(id))
      : undefined;
  }
}

/** One request, which a server of the newer generation may want again, with more that it has to know. */
class DirectRequest implements BoundedRequest, Answer {
  result: JsonObject = {};
  /** The server has to say something, not we. */
  isSent = false;
  private id: RequestId = '';
  private rounds = 0;
  private isOver = false;
  /** Of what carries the request, and of questions of the server. */
  private readonly cancellation: AbortController | undefined;
  private readonly bounds: RequestBounds;

  constructor(
    private readonly owner: DirectRequests,
    private readonly ask: Ask,
  ) {
    this.cancellation = owner.modern && new AbortController();
    this.bounds = new RequestBounds(ask.options, this);
  }

  /** @param more parameters than the caller gave. */
  send(more: JsonObject): void {
    if (this.isOver) {
      return;
    }
    const { owner, cancellation } = this;
    const { modern } = owner;
    const { method, params, context } = this.ask;
    const own = isJsonObject(params?._meta) ? params._meta : {};
    if (this.rounds > 0) {
      owner.leave(this.id);
    }
    const id = owner.enter(this);
    this.id = id;
    this.isSent = true;
    // without a token the server sends no progress, which could not reset the time-out then; progress under a token of
    // the caller's own is not this request's alone
    const _meta = { progressToken: id, ...modern?.meta(), ...own };
    const message = { method, params: { ...params, ...more, _meta }, jsonrpc: '2.0', id };
    const requestSignal = modern?.hasOwnStreams ? cancellation?.signal : undefined;
    owner
      .send(message, { requestSignal, headers: context.headers })
      .catch((error) => id === this.id && this.fail(error));
  }

  receive(response: JsonObject): void {
    if (!this.isSent) {
      return;
    }
    const { result, error } = repairResponse(this.id, response);
    if (!isJsonObject(result)) {
      const { code, message, data } = error as { code: number; message: string; data?: unknown };
      if (!isJsonObject(response.error)) {
        this.fault(message);
      }
      this.fail(serverError(code, message, { data }));
      return;
    }
    const { modern } = this.owner;
    if (modern && !isFinal(result)) {
      this.isSent = false;
      this.answer(modern, result).then(
        (more) => this.send(more),
        (reason) => {
          this.fault(errorMessage(reason));
          this.fail(reason);
        },
      );
    } else if (this.end()) {
      this.result = result;
      this.ask.resolve(this);
    }
  }

  fault(sentence: string): void {
    this.owner.onFault?.(this.id, sentence);
  }

  progress(progress: McpProgress): void {
    this.bounds.touch();
    this.ask.options.onProgress?.(progress);
  }

  fail(reason: unknown): void {
    if (this.end()) {
      this.ask.reject(reason);
      this.cancellation?.abort(reason);
    }
  }

  isWaitingForUser(): boolean {
    return this.ask.context.isWaitingForUser(this.ask.options);
  }

  /** The server is told. */
  onBound(reason: unknown): void {
    const { owner, id } = this;
    const { modern } = owner;
    this.fail(reason);
    if (this.isSent && !modern?.hasOwnStreams) {
      const _meta = modern && { _meta: modern.meta() };
      const params = { requestId: id, reason: String(reason), ..._meta };
      const message = { jsonrpc: '2.0', method: 'notifications/cancelled', params };
      // on a wire that is down there is nobody to tell
      owner.send(message, {}).catch(() => undefined);
    }
  }

  /** @returns what the server wants to have with the request. */
  private async answer(modern: ModernWire, result: JsonObject): Promise<JsonObject> {
    const { method, options } = this.ask;
    const { requestState } = result;
    const inputs = parseInputs(result.inputRequests);
    const isQuestion = inputs.length > 0 || typeof requestState === 'string';
    if (result.resultType !== 'input_required' || !isQuestion) {
      throw serverError(rpcCode.internalError, notValid(method, 'result'));
    }
    if (++this.rounds > maxRounds) {
      throw serverError(
        rpcCode.internalError,
        l10n.t('The server asked for more than {0} times before it answered.', maxRounds),
      );
    }
    const { signal } = this.cancellation ?? new AbortController();
    this.bounds.touch();
    if (inputs.length === 0) {
      await delay(repeatMs, signal);
    }
    const responses = await Promise.all(
      inputs.map(
        async (input) => [input.key, await modern.respond(input, signal, options.origin)] as const,
      ),
    );
    return defined({
      inputResponses: responses.length > 0 ? Object.fromEntries(responses) : undefined,
      requestState: asString(requestState),
    });
  }

  private end(): boolean {
    if (this.isOver) {
      return false;
    }
    this.isOver = true;
    this.bounds.dispose();
    this.owner.leave(this.id);
    this.ask.context.onEnd?.(this.ask.options);
    return true;
  }
}

/** A result that does not say is complete; one that says so is what became of a tool call. */
function isFinal({ resultType }: JsonObject): boolean {
  return resultType === undefined || resultType === 'complete' || resultType === 'task';
}
