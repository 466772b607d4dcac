/** Questions of a server that go to the client of ours that has caused them. */
import { CancellationError, linkSignals } from '../../../base/async/cancellation.js';
import { isDeeperThan, isJsonObject, type JsonObject } from '../../../base/json.js';
import { rpcCode } from '../../../base/jsonRpc.js';
import type { MaskText } from '../../../config/secrets/secretMask.js';
import type { AskedFor, RequestOrigin } from '../../originTypes.js';
import type { ElicitationContent } from '../reading/elicitationForm.js';
import { maxDepth } from '../reading/serverBounds.js';
import { RefusedRequestError, RunningOrigins } from './runningOrigins.js';

/** Questions to one client at once. */
const maxWaiting = 10;
/** Pages that clients were sent to, of which the end is told. */
const maxPages = 100;
/** Requests of the server that are about to be handled. */
const maxArrivals = 100;
const maxAnswerLength = 4 * 1024 * 1024;

export interface RelayedQuestion {
  readonly method: string;
  readonly params: JsonObject;
  readonly key: string | undefined;
}

interface Relay {
  waiting: number;
  readonly withdrawal: AbortController;
}

/** Of one connection. */
export class Relays {
  readonly origins = new RunningOrigins();
  private readonly relays = new Map<RequestOrigin, Relay>();
  private readonly arrivals = new Map</* id of the server's request */ unknown, AskedFor>();
  private readonly pages = new Map</* elicitation id */ string, RequestOrigin>();

  constructor(private readonly mask: MaskText) {}

  /** A question has come; by the time that it is handled, something else may run. */
  expect(id: unknown): void {
    this.arrivals.set(id, { origin: this.origins.sole });
    for (const old of [...this.arrivals.keys()].slice(0, -maxArrivals)) {
      this.arrivals.delete(old);
    }
  }

  /** For whom it came, once. */
  take(id: unknown): AskedFor {
    const from = this.arrivals.get(id) ?? { origin: undefined };
    this.arrivals.delete(id);
    return from;
  }

  /** The client of this request is asked something. */
  isWaitingFor(origin: RequestOrigin | undefined): boolean {
    return origin !== undefined && (this.relays.get(origin)?.waiting ?? 0) > 0;
  }

  /** Where nothing runs for it any more, nothing that it is asked stays open. */
  end(origin: RequestOrigin | undefined): void {
    if (this.origins.end(origin) && origin) {
      this.relays.get(origin)?.withdrawal.abort(new CancellationError());
      this.relays.delete(origin);
    }
  }

  /** @param params checked; secrets in them are not passed on */
  async ask(
    origin: RequestOrigin,
    { method, params, key }: RelayedQuestion,
    signal: AbortSignal,
  ): Promise<JsonObject> {
    const relay = this.relays.get(origin) ?? { waiting: 0, withdrawal: new AbortController() };
    if (relay.waiting >= maxWaiting) {
      throw new RefusedRequestError(rpcCode.userRejected, 'Too many requests wait for the user');
    }
    this.relays.set(origin, relay);
    const either = linkSignals(signal, relay.withdrawal.signal);
    relay.waiting++;
    this.expectPage(params, origin);
    try {
      return await origin.ask(method, masked(params, this.mask), either.signal, key);
    } finally {
      either.dispose();
      relay.waiting--;
      if (relay.waiting === 0 && this.relays.get(origin) === relay) {
        this.relays.delete(origin);
      }
    }
  }

  /** @returns false when it was somebody else who was sent to the page. */
  completePage(method: string, elicitationId: string): boolean {
    const origin = this.pages.get(elicitationId);
    this.pages.delete(elicitationId);
    origin?.tell(method, { elicitationId });
    return origin !== undefined;
  }

  private expectPage({ mode, elicitationId }: JsonObject, origin: RequestOrigin): void {
    if (mode === 'url' && typeof elicitationId === 'string') {
      this.pages.set(elicitationId, origin);
      for (const old of [...this.pages.keys()].slice(0, -maxPages)) {
        this.pages.delete(old);
      }
    }
  }
}

/** Contents of pictures and sounds stay as they are. */
function masked(params: JsonObject, mask: MaskText): JsonObject {
  const text = JSON.stringify(params, (key, item: unknown) =>
    typeof item === 'string' && key !== 'data' ? mask(item) : item,
  );
  return JSON.parse(text);
}

/** What a client says to a form or a page. */
export function relayedAnswer({
  action,
  content,
}: JsonObject):
  | { readonly action: 'accept'; readonly content?: ElicitationContent }
  | { readonly action: 'decline' | 'cancel' } {
  if (action === 'accept') {
    return { action, content: isJsonObject(content) ? (content as ElicitationContent) : undefined };
  }
  if (action === 'decline' || action === 'cancel') {
    return { action };
  }
  throw unknownAnswer();
}

/** @returns what the model of a client says. */
export function relayedMessage(answer: JsonObject): Record<string, unknown> {
  const { model, content, stopReason } = answer;
  const isBounded =
    !isDeeperThan(answer, maxDepth) && JSON.stringify(answer).length <= maxAnswerLength;
  const isContent =
    isJsonObject(content) || (Array.isArray(content) && content.every(isJsonObject));
  if (!isBounded || !isContent || typeof model !== 'string') {
    throw unknownAnswer();
  }
  const end = typeof stopReason === 'string' ? { stopReason } : {};
  return { role: 'assistant', model, content, ...end };
}

function unknownAnswer(): RefusedRequestError {
  return new RefusedRequestError(rpcCode.invalidParams, 'The client answered in no known way');
}
