/** What passes between us and a server, as it is recorded: bounded, and with its secrets masked. */
import type { Disposable } from '../base/disposable.js';
import type { Event } from '../base/event.js';
import type { McpServerId } from '../config/definition.js';

/** `local`: our own words in the server's place, for a request that it can no longer answer. */
export type TrafficDirection = 'sent' | 'received' | 'local';
export type FrameId = string | number;

/** What the pairing needs to know of a frame; texts are masked and short. */
export interface FrameFacts {
  readonly id?: FrameId;
  readonly method?: string;
  /** The tool, the prompt or the address that a request is about. */
  readonly target?: string;
  readonly error?: { readonly code: number | undefined; readonly message: string };
  /** A tool says in its result that it failed. */
  readonly isToolError?: true;
  /** The one that a request hands out, or a notification names. */
  readonly progressToken?: FrameId;
  readonly progress?: string;
  /** The request that is taken back. */
  readonly cancels?: FrameId;
  readonly taskId?: string;
  readonly taskStatus?: string;
  /** The result is no result but the task itself. */
  readonly startsTask?: true;
  readonly elicitationId?: string;
  /** The server asks for more before it answers. */
  readonly asks?: true;
  /** Stands for the state that the server wants to have back. */
  readonly state?: string;
  /** Keys of what is asked for, or answered. */
  readonly inputs?: readonly string[];
}

interface RecordHead {
  /** Rises by one with all that passed, whether it was kept or not. */
  readonly seq: number;
  /** Milliseconds since the epoch. */
  readonly t: number;
  /** Which connection of the server it belongs to, from 1 on. */
  readonly gen: number;
}

export interface FrameRecord extends RecordHead {
  readonly kind: 'frame';
  readonly dir: TrafficDirection;
  /** JSON, or its beginning. */
  readonly text: string;
  /** Characters of the whole. */
  readonly size: number;
  readonly isCut: boolean;
  readonly facts: FrameFacts;
}

/** Names in lower case; values masked. */
export type HeaderList = readonly (readonly [name: string, value: string])[];

export type HttpEnd = 'ended' | 'broken' | 'cancelled';

/** One of the steps of an HTTP request, which share the number of the exchange. */
export type HttpRecord = RecordHead & { readonly kind: 'http'; readonly exchange: number } & (
    | {
        readonly phase: 'request';
        readonly method: string;
        readonly url: string;
        readonly headers: HeaderList;
        /** Of the JSON-RPC request that it carries. */
        readonly rpcId?: FrameId;
      }
    | { readonly phase: 'response'; readonly status: number; readonly headers: HeaderList }
    | {
        readonly phase: 'end';
        readonly end: HttpEnd;
        readonly bytes: number;
        readonly error?: string;
      }
  );

interface StderrRecord extends RecordHead {
  readonly kind: 'stderr';
  readonly text: string;
}

/** Beginning and end of a connection. */
export type LifeRecord = RecordHead & { readonly kind: 'life' } & (
    | { readonly event: 'starting'; readonly launch: 'stdio' | 'http' }
    | { readonly event: 'connected'; readonly transport: string; readonly pid?: number }
    | { readonly event: 'closed'; readonly error?: string }
  );

export type TrafficRecord = FrameRecord | HttpRecord | StderrRecord | LifeRecord;

/** What a server said of itself when it was connected; kept longer than the frames. */
export interface HandshakeRecord {
  readonly gen: number;
  readonly startedAt: number;
  readonly connectedAt?: number;
  readonly firstByteAt?: number;
  readonly transport?: string;
  /** JSON, masked; `initialize` or `server/discover`. */
  readonly request?: string;
  readonly response?: string;
  /** Names of tools, prompts and resources in the last lists. */
  readonly lists: Readonly<Record<string, readonly string[]>>;
}

export interface TrafficChange {
  readonly added: readonly TrafficRecord[];
  /** Records with a lower number are gone. */
  readonly firstSeq: number;
}

/** The last frames of one server, over all of its connections. */
export interface McpRecording {
  /** Oldest first. */
  readonly records: readonly TrafficRecord[];
  /** Oldest first; at most 20. */
  readonly handshakes: readonly HandshakeRecord[];
  readonly onDidChange: Event<TrafficChange>;
  /** Until it is disposed, news comes at once and large frames are kept whole. */
  watch(): Disposable;
  /** The whole of a frame that was cut; `undefined` when it is gone. */
  readWhole(seq: number): Promise<string | undefined>;
  clear(): void;
}

export interface McpTraffic {
  /** Of a server that never connected it is empty. */
  of(id: McpServerId): McpRecording;
}
