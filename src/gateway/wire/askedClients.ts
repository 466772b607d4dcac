/** What a client of the gateway is asked for servers that its own requests keep waiting. */
import { randomUUID } from 'node:crypto';
import type { ServerContext } from '@modelcontextprotocol/server';
import { CancellationError, delay } from '../../base/async/cancellation.js';
import type { Disposable } from '../../base/disposable.js';
import { asObject, isJsonObject, type JsonObject } from '../../base/json.js';
import { rpcCode } from '../../base/jsonRpc.js';
import type { McpProgress } from '../../mcp/mcpTypes.js';
import type { RequestOrigin } from '../../mcp/originTypes.js';
import { anyObject } from '../../mcp/validation/anyObject.js';
import { invalidParams, RpcError } from '../lending/rpcError.js';

/** Milliseconds that a client has for an answer. */
const questionMs = 10 * 60_000;
/** Requests that wait for their clients; the oldest makes room. */
const maxHeld = 64;

/** By what the client has declared. */
function answersTo(capabilities: unknown, method: string, params: JsonObject): boolean {
  const { elicitation, sampling } = asObject(capabilities);
  if (method === 'elicitation/create' && isJsonObject(elicitation)) {
    const { form, url } = elicitation;
    // of before there were two kinds, who names none takes forms
    return params.mode === 'url' ? url !== undefined : form !== undefined || url === undefined;
  }
  if (method === 'sampling/createMessage' && isJsonObject(sampling)) {
    const { tools } = params;
    const hasTools = Array.isArray(tools) && tools.length > 0;
    return !hasTools || sampling.tools !== undefined;
  }
  return false;
}

/** Whether the client may be asked anything. */
export function mayBeAsked(capabilities: unknown): boolean {
  return (
    isJsonObject(capabilities) &&
    (capabilities.elicitation !== undefined || capabilities.sampling !== undefined)
  );
}

/** Of a client that is asked nothing. @param client the same for all of its requests */
export function silentOrigin(client: object): RequestOrigin {
  return {
    client,
    answers: () => false,
    ask: () => Promise.reject(new RpcError(rpcCode.methodNotFound, 'Method not found')),
    tell: () => undefined,
  };
}

/** Of a client of 2025, which is asked on the stream of its request. */
export function pushingOrigin(
  client: object,
  capabilities: unknown,
  { mcpReq }: ServerContext,
): RequestOrigin {
  return {
    client,
    answers: (method, params) => answersTo(capabilities, method, params),
    ask: (method, params, signal) =>
      mcpReq.send({ method, params: { ...params } }, anyObject, { signal, timeout: questionMs }),
    tell: (method, params) =>
      // the client is gone
      void mcpReq.notify({ method, params: { ...params } }).catch(() => undefined),
  };
}

/** One request of a client of 2026-07-28, which sends it again with its answers. */
export interface Round {
  /** Everything of the request that stays the same. */
  readonly key: string;
  readonly state: string | undefined;
  readonly responses: Readonly<Record<string, unknown>> | undefined;
  readonly capabilities: unknown;
  readonly signal: AbortSignal;
  readonly onProgress: ((progress: McpProgress) => void) | undefined;
  /** Hears what servers log for the client, as far as this round asks for it. */
  readonly listen: (client: object) => Disposable | undefined;
}

export type Begin = (
  origin: RequestOrigin,
  signal: AbortSignal,
  onProgress: ((progress: McpProgress) => void) | undefined,
) => Promise<JsonObject>;

/** Requests that go on while their clients are asked. Whoever knows the state of one goes on with it. */
export class HeldRequests {
  private readonly held = new Map</* state */ string, HeldRequest>();

  constructor(private readonly ending: AbortSignal) {}

  /** @param begin is called for the first round */
  async answer(round: Round, begin: Begin): Promise<JsonObject> {
    const request = round.state === undefined ? this.open(round, begin) : this.find(round);
    try {
      return await request.goOn(round);
    } finally {
      if (request.isOver) {
        this.held.delete(request.state);
      }
    }
  }

  private open(round: Round, begin: Begin): HeldRequest {
    const waiting = [...this.held.values()].filter(({ isWaiting }) => isWaiting);
    if (waiting.length >= maxHeld) {
      waiting[0]?.leave();
    }
    const request = new HeldRequest(round, begin, this.ending, () =>
      this.held.delete(request.state),
    );
    this.held.set(request.state, request);
    return request;
  }

  private find({ state, key }: Round): HeldRequest {
    const request = this.held.get(state ?? '');
    if (request?.key !== key) {
      throw invalidParams('The state of the request is not known.');
    }
    return request;
  }
}

interface Question {
  readonly request: JsonObject;
  answer(response: JsonObject): void;
}

class HeldRequest implements RequestOrigin {
  readonly client = this;
  readonly state = randomUUID();
  private readonly leaving = new AbortController();
  private readonly questions = new Map<string, Question>();
  /** Of this round, as far as they are not used. */
  private readonly responses = new Map<string, JsonObject>();
  /** Of rounds that wait: a client may send one again while it goes on. */
  private readonly asked = new Set<() => void>();
  private outcome: Promise<JsonObject> | undefined;
  private onProgress: Round['onProgress'];
  private expiry: NodeJS.Timeout | undefined;
  private count = 0;
  /** Under way. */
  private rounds = 0;
  isOver = false;

  constructor(
    private readonly first: Pick<Round, 'key' | 'capabilities'>,
    private readonly begin: Begin,
    private readonly ending: AbortSignal,
    private readonly onExpired: () => void,
  ) {}

  get key(): string {
    return this.first.key;
  }

  /** For its client to come again. */
  get isWaiting(): boolean {
    return this.rounds === 0;
  }

  private start(): Promise<JsonObject> {
    const signal = AbortSignal.any([this.leaving.signal, this.ending]);
    const outcome = this.begin(this, signal, (progress) => this.onProgress?.(progress)).finally(
      () => {
        this.isOver = true;
      },
    );
    // whoever waits for it learns of it
    outcome.catch(() => undefined);
    return outcome;
  }

  /** @returns the result, or what has to be answered first. */
  async goOn({ responses = {}, signal, onProgress, listen }: Round): Promise<JsonObject> {
    clearTimeout(this.expiry);
    const listening = listen(this);
    this.rounds++;
    this.onProgress = onProgress;
    const leave = () => this.leave();
    signal.addEventListener('abort', leave, { once: true });
    try {
      this.take(responses);
      this.outcome ??= this.start();
      return await Promise.race([this.outcome, this.nextQuestions()]);
    } finally {
      this.rounds--;
      listening?.dispose();
      signal.removeEventListener('abort', leave);
      this.onProgress = undefined;
      this.responses.clear();
    }
  }

  answers(method: string, params: JsonObject): boolean {
    return answersTo(this.first.capabilities, method, params);
  }

  ask(method: string, params: JsonObject, signal: AbortSignal, name?: string): Promise<JsonObject> {
    const key = this.keyOf(name);
    const known = this.responses.get(key);
    if (known) {
      this.responses.delete(key);
      return Promise.resolve(known);
    }
    return new Promise<JsonObject>((resolve, reject) => {
      const withdraw = () => {
        this.questions.delete(key);
        reject(signal.reason);
      };
      signal.addEventListener('abort', withdraw, { once: true });
      const answer = (response: JsonObject) => {
        signal.removeEventListener('abort', withdraw);
        this.questions.delete(key);
        resolve(response);
      };
      this.questions.set(key, { request: { method, params }, answer });
      for (const wake of this.asked) {
        wake();
      }
      this.asked.clear();
    });
  }

  tell(): void {
    // nothing of it is open that could carry it
  }

  /** Some clients send all of their answers with a request that is new to us. */
  private take(responses: NonNullable<Round['responses']>): void {
    this.responses.clear();
    for (const [key, response] of Object.entries(responses)) {
      const question = this.questions.get(key);
      if (!isJsonObject(response)) {
        continue;
      }
      if (question) {
        question.answer(response);
      } else {
        this.responses.set(key, response);
      }
    }
  }

  private keyOf(name: string | undefined): string {
    return name !== undefined && !this.questions.has(name) ? name : `question-${++this.count}`;
  }

  leave(): void {
    this.leaving.abort(new CancellationError('The client went away.'));
    this.onExpired();
  }

  private async nextQuestions(): Promise<JsonObject> {
    while (this.questions.size === 0) {
      await new Promise<void>((resolve) => {
        this.asked.add(resolve);
      });
      // a server may ask several things at once
      await delay(0);
    }
    clearTimeout(this.expiry);
    this.expiry = setTimeout(() => this.leave(), questionMs);
    this.expiry.unref();
    const questions = [...this.questions].map(([key, { request }]) => [key, request]);
    return {
      resultType: 'input_required',
      inputRequests: Object.fromEntries(questions),
      requestState: this.state,
    };
  }
}
