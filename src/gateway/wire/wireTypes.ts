/** What a gateway needs of the SDK that speaks the protocol to its clients, which is loaded with the first one. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Implementation, ServerCapabilities } from '@modelcontextprotocol/server';
import type { UnreadAnswers } from '../http/unread.js';
import type { Endpoint } from '../lending/endpoint.js';
import type { Caller } from '../lending/lentCalls.js';
import type { SessionBook } from './sessionBook.js';

/** The lists of which clients are told that they have changed. */
export type ChangedList = 'tools' | 'resources' | 'prompts';

export interface EndpointWire {
  /** Answers a request that has passed the guards. @param body parsed JSON of a POST */
  handle(request: Request, body: unknown): Promise<Response>;
  /** Answers a request of a session that needs nothing but an answer. @returns false when it is to be {@link handle}d. */
  answerPlainly(incoming: IncomingMessage, response: ServerResponse, message: unknown): boolean;
  /** Serves a client that is connected to the socket. */
  serveStream(socket: Duplex): Promise<void>;
  tellChanged(lists: readonly ChangedList[]): void;
  /** Ends what is under way. Never rejects. */
  close(): Promise<void>;
}

export interface ServedEndpoint
  extends Pick<Endpoint, 'answer' | 'has' | 'logs' | 'title' | 'instructions'> {
  /** Default: the gateway itself. */
  readonly serverInfo?: Implementation;
  /** Default: those of the gateway. */
  readonly capabilities?: ServerCapabilities;
}

export interface ServingOptions {
  readonly endpoint: ServedEndpoint;
  readonly unread: UnreadAnswers;
  /** Of this gateway. */
  readonly version: string;
  /** Ends every request. */
  readonly signal: AbortSignal;
  readonly onError: (error: unknown) => void;
}

export interface WireOptions extends ServingOptions {
  readonly sessions: SessionBook;
}

export type Subscriptions = NonNullable<Caller['subscriptions']>;
