/** What servers may ask of us: folders, the user's input, the model. The port, and what both engines do with it. */
import * as l10n from '@vscode/l10n';
import { CancellationError, linkSignals } from '../../../base/async/cancellation.js';
import { Limiter } from '../../../base/async/sequencer.js';
import type { Event } from '../../../base/event.js';
import {
  asString,
  defined,
  definedValues,
  isDeeperThan,
  isJsonObject,
  type JsonObject,
} from '../../../base/json.js';
import { rpcCode } from '../../../base/jsonRpc.js';
import { type MaskText, maskText } from '../../../config/secrets/secretMask.js';
import type { LogLevel } from '../../../platform/ports.js';
import type { AskedFor, RequestOrigin } from '../../originTypes.js';
import { compilePattern } from '../../validation/patterns.js';
import {
  checkElicitation,
  type ElicitationContent,
  type ElicitationField,
  parseElicitationFields,
} from '../reading/elicitationForm.js';
import { skillsExtension } from '../reading/parseSkill.js';
import { appMimeType, uiExtension } from '../reading/parseUi.js';
import { maxDepth, maxUriLength } from '../reading/serverBounds.js';
import { Relays, relayedAnswer, relayedMessage } from './relays.js';
import { GivenRoots } from './roots/givenRoots.js';
import { RefusedRequestError } from './runningOrigins.js';

/** A folder that a server may work in. */
export interface McpRoot {
  /** `file:` URI. */
  readonly uri: string;
  readonly name?: string;
}

/** Texts and address are the server's claim. */
export type ElicitationRequest =
  | {
      readonly kind: 'form';
      readonly message: string;
      readonly fields: readonly ElicitationField[];
    }
  | {
      readonly kind: 'url';
      readonly message: string;
      /** `http` or `https`; to be opened only after the user has seen its host. */
      readonly url: string;
      readonly elicitationId: string | undefined;
    };

/** `decline`: the user said no. `cancel`: the user went away without an answer. */
export type ElicitationAnswer =
  | { readonly action: 'accept'; readonly content?: ElicitationContent }
  | { readonly action: 'decline' | 'cancel' };

/** `sampling/createMessage`, checked for shape and size; each message and tool as the server sent it. */
export interface SamplingRequest {
  readonly messages: readonly JsonObject[];
  readonly maxTokens: number;
  readonly systemPrompt?: string;
  readonly temperature?: number;
  readonly stopSequences?: readonly string[];
  readonly modelPreferences?: JsonObject;
  readonly tools: readonly JsonObject[];
  readonly toolChoice?: JsonObject;
}

export interface SamplingAnswer {
  /** Name of the model that answered. */
  readonly model: string;
  /** One content block, or several when tools are used. */
  readonly content: JsonObject | readonly JsonObject[];
  readonly stopReason?: string;
}

/** Only what is given is declared to servers. Each method gets a signal that aborts when the server withdraws. */
export interface ClientFeatures {
  readonly roots?: {
    list(): readonly McpRoot[];
    readonly onDidChange: Event<void>;
  };
  elicit?(request: ElicitationRequest, signal: AbortSignal): Promise<ElicitationAnswer>;
  /** `undefined`: the user refused. */
  sample?(request: SamplingRequest, signal: AbortSignal): Promise<SamplingAnswer | undefined>;
  /** A server says that what it opened by URL is done. */
  completeElicitation?(elicitationId: string): void;
  /** Clients that have caused a question may answer it, so all are declared. Default: only what is given. */
  readonly relays?: boolean;
  /** There is a place for MCP Apps. */
  readonly showsApps?: boolean;
  /** The user can be shown skills. */
  readonly loadsSkills?: boolean;
}

/** Requests of one server that may wait for the user; more are refused. */
const maxWaiting = 10;
const maxMessageLength = 4000;
const maxSamplingLength = 4 * 1024 * 1024;
const maxSamplingMessages = 1000;
const maxSamplingTools = 200;

type RequestHandler = (
  params: JsonObject,
  signal: AbortSignal,
  from: AskedFor,
) => Promise<Record<string, unknown>>;

/** The features of one connection. */
export class FeatureHost {
  private readonly oneAtATime = new Limiter(1);
  private waiting = 0;
  private requests = 0;
  /** Ends what the server asks now. */
  private withdrawal: AbortController | undefined;
  readonly relays: Relays;
  readonly givenRoots = new GivenRoots();

  /** @param mask for what others are asked */
  constructor(
    readonly features: ClientFeatures = {},
    /** Gets protocol trouble that does not end the connection: one sentence each. */
    readonly onNotice: (level: LogLevel, message: string) => void,
    mask: MaskText = maskText,
  ) {
    this.relays = new Relays(mask);
  }

  /**
   * A server waits for the user or the model; its own answers have to wait as well. For another client only what was
   * caused by that one waits.
   */
  isWaitingFor(origin: RequestOrigin | undefined): boolean {
    return this.waiting > 0 || this.relays.isWaitingFor(origin);
  }

  /** A request of ours is under way. */
  beginRequest(): void {
    this.requests++;
  }

  /**
   * Questions belong to requests, but no server says to which: with the last request given up, they are given up as
   * well, also those of a server that does not withdraw them itself.
   */
  endRequest(isGivenUp: boolean): void {
    this.requests--;
    if (isGivenUp && this.requests === 0) {
      this.withdrawal?.abort(new CancellationError());
      this.withdrawal = undefined;
    }
  }

  /** To be declared when connecting. */
  get capabilities(): Record<string, Record<string, unknown>> {
    const { roots, elicit, sample, relays, showsApps, loadsSkills } = this.features;
    const extensions = definedValues({
      [uiExtension]: showsApps ? { mimeTypes: [appMimeType] } : undefined,
      [skillsExtension]: loadsSkills ? {} : undefined,
    });
    return definedValues({
      extensions: showsApps || loadsSkills ? extensions : undefined,
      roots: roots ? { listChanged: true } : undefined,
      elicitation: elicit || relays ? { form: {}, url: {} } : undefined,
      sampling: sample || relays ? { tools: {} } : undefined,
    });
  }

  get handlers(): ReadonlyMap<string, RequestHandler> {
    const { roots, elicit, sample, relays } = this.features;
    const handlers = new Map<string, RequestHandler>();
    if (roots) {
      handlers.set('roots/list', async () => ({
        roots: roots.list().map((root) => ({ ...root })),
      }));
    }
    if (elicit || relays) {
      handlers.set('elicitation/create', (...asked) => this.elicit(...asked));
    }
    if (sample || relays) {
      handlers.set('sampling/createMessage', (...asked) => this.sample(...asked));
    }
    return handlers;
  }

  /** @returns whether the notification was one of ours. */
  receive({ method, params }: { readonly method: string; readonly params?: unknown }): boolean {
    if (method !== 'notifications/elicitation/complete') {
      return false;
    }
    const id = isJsonObject(params) ? params.elicitationId : undefined;
    if (typeof id === 'string' && !this.relays.completePage(method, id)) {
      this.features.completeElicitation?.(id);
    }
    return true;
  }

  /**
   * Pages that the server wants to be visited before it does what was asked.
   * @returns whether the user has visited all of them.
   */
  async visitPages(data: unknown, signal: AbortSignal, from: AskedFor): Promise<boolean> {
    const pages = isJsonObject(data) && Array.isArray(data.elicitations) ? data.elicitations : [];
    const isAnswered = this.features.elicit !== undefined || from.origin !== undefined;
    if (!isAnswered || pages.length === 0 || pages.length > maxWaiting) {
      return false;
    }
    for (const page of pages as readonly unknown[]) {
      const params = isJsonObject(page) ? { ...page, mode: 'url' } : {};
      const answer = await this.elicit(params, signal, from);
      if (answer.action !== 'accept') {
        return false;
      }
    }
    return true;
  }

  private async elicit(
    params: JsonObject,
    signal: AbortSignal,
    { origin, key }: AskedFor,
  ): Promise<Record<string, unknown>> {
    const method = 'elicitation/create';
    const request = await parseElicitation(params);
    const { elicit } = this.features;
    let answer: ElicitationAnswer | undefined;
    if (origin?.answers(method, params)) {
      const asked = { method, params: elicitationParams(request, params), key };
      answer = relayedAnswer(await this.relays.ask(origin, asked, signal));
    } else if (elicit) {
      answer = await this.ask(signal, (either) => elicit(request, either));
    } else {
      throw notAnswered();
    }
    if (answer?.action !== 'accept') {
      return { action: answer?.action ?? 'cancel' };
    }
    if (request.kind === 'url') {
      return { action: 'accept' };
    }
    const { fields } = request;
    const { content, problems, unchecked } = checkElicitation(fields, answer.content ?? {});
    for (const rule of unchecked) {
      this.onNotice('warn', rule);
    }
    if (problems.length > 0) {
      this.onNotice('warn', problems.map(({ text }) => text).join(' '));
      throw new RefusedRequestError(
        rpcCode.invalidParams,
        'The answer does not fit the requested schema',
      );
    }
    return { action: 'accept', content };
  }

  private async sample(
    params: JsonObject,
    signal: AbortSignal,
    { origin, key }: AskedFor,
  ): Promise<Record<string, unknown>> {
    const method = 'sampling/createMessage';
    const request = parseSampling(params);
    if (origin?.answers(method, params)) {
      const asked = { method, params: samplingParams(request), key };
      return relayedMessage(await this.relays.ask(origin, asked, signal));
    }
    const { sample } = this.features;
    if (!sample) {
      throw notAnswered();
    }
    const answer = await this.ask(signal, (either) => sample(request, either));
    if (!answer) {
      throw new RefusedRequestError(rpcCode.userRejected, 'User rejected sampling request');
    }
    return { role: 'assistant', ...answer };
  }

  /** One question at a time for each server, and not without end. */
  private async ask<T>(
    signal: AbortSignal,
    question: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    if (this.waiting >= maxWaiting) {
      this.onNotice('warn', l10n.t('The server asks too many questions at once; one was refused.'));
      throw new RefusedRequestError(rpcCode.userRejected, 'Too many requests wait for the user');
    }
    this.withdrawal ??= new AbortController();
    const either = linkSignals(signal, this.withdrawal.signal);
    this.waiting++;
    try {
      return await this.oneAtATime.run(() => question(either.signal), either.signal);
    } finally {
      either.dispose();
      this.waiting--;
    }
  }
}

async function parseElicitation(params: JsonObject): Promise<ElicitationRequest> {
  const message = typeof params.message === 'string' ? params.message : '';
  const shown = message.slice(0, maxMessageLength);
  if (params.mode === 'url') {
    const { url, elicitationId } = params;
    const isPage =
      typeof url === 'string' &&
      url.length <= maxUriLength &&
      /^https?:\/\//i.test(url) &&
      URL.canParse(url);
    if (!isPage) {
      throw new RefusedRequestError(
        rpcCode.invalidParams,
        'Only http and https addresses can be opened',
      );
    }
    return {
      kind: 'url',
      message: shown,
      url,
      elicitationId: typeof elicitationId === 'string' ? elicitationId : undefined,
    };
  }
  const fields = parseElicitationFields(params.requestedSchema, compilePattern);
  if (!fields) {
    throw new RefusedRequestError(
      rpcCode.invalidParams,
      'The requested schema is not a flat object of primitive fields, or it is too large',
    );
  }
  const secret = fields.find(({ kind, isSecret }) => kind === 'text' && isSecret);
  if (secret) {
    throw new RefusedRequestError(
      rpcCode.invalidParams,
      `A form must not ask for secrets such as "${secret.name}": let the user enter them on a page (mode "url")`,
    );
  }
  return { kind: 'form', message: shown, fields };
}

function parseSampling(params: JsonObject): SamplingRequest {
  const { messages, maxTokens, systemPrompt, temperature, modelPreferences, toolChoice } = params;
  const list: readonly unknown[] = Array.isArray(messages) ? messages : [];
  const tools: readonly unknown[] = Array.isArray(params.tools) ? params.tools : [];
  const stops: readonly unknown[] = Array.isArray(params.stopSequences) ? params.stopSequences : [];
  const isBounded =
    list.length <= maxSamplingMessages &&
    tools.length <= maxSamplingTools &&
    !isDeeperThan(params, maxDepth) &&
    JSON.stringify(params).length <= maxSamplingLength;
  if (!isBounded || list.length === 0 || !list.every(isJsonObject) || !tools.every(isJsonObject)) {
    throw new RefusedRequestError(
      rpcCode.invalidParams,
      'The sampling request is malformed or too large',
    );
  }
  return {
    messages: list,
    maxTokens: typeof maxTokens === 'number' && maxTokens > 0 ? maxTokens : 1024,
    tools,
    systemPrompt: asString(systemPrompt),
    temperature: typeof temperature === 'number' ? temperature : undefined,
    stopSequences: stops.length > 0 ? stops.filter((stop) => typeof stop === 'string') : undefined,
    modelPreferences: isJsonObject(modelPreferences) ? modelPreferences : undefined,
    toolChoice: isJsonObject(toolChoice) ? toolChoice : undefined,
  };
}

/** For a client of ours, as the server wrote it where that was understood. */
function elicitationParams(request: ElicitationRequest, params: JsonObject): JsonObject {
  const { message } = request;
  if (request.kind === 'url') {
    const { url, elicitationId } = request;
    return defined({ mode: 'url', message, url, elicitationId });
  }
  const { mode, requestedSchema } = params;
  return defined({ mode: mode === 'form' ? mode : undefined, message, requestedSchema });
}

function samplingParams({ tools, ...request }: SamplingRequest): JsonObject {
  return defined({ ...request, tools: tools.length > 0 ? tools : undefined });
}

/** As if it had not been declared: nobody whom it could concern has done so. */
function notAnswered(): RefusedRequestError {
  return new RefusedRequestError(rpcCode.methodNotFound, 'Method not found');
}
