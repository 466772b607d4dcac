/** What a recorded server said, by what it was asked. Pure; the recording is of anybody's making. */
import {
  isJsonObject,
  type JsonObject,
  mapValues,
  parseJsonObject,
  readEntries,
  stableStringify,
} from '../../base/json.js';
import { addTo } from '../../base/lists.js';
import type { FrameRecord } from '../trafficTypes.js';
import type { RequestEntry } from './entries.js';
import { Pairing } from './pairing.js';
import type { ImportedRecording } from './recordingFile.js';

export type RecordedAnswer = {
  /** Milliseconds that it took. */
  readonly ms: number;
} & (
  | { readonly kind: 'result'; readonly result: JsonObject }
  | { readonly kind: 'error'; readonly error: JsonObject }
  /** It was too large to be kept whole. */
  | { readonly kind: 'cut' }
);

interface Kept {
  readonly record: FrameRecord;
  readonly ms: number;
}

export interface RecordedServer {
  /** `name` and `version` are texts. */
  readonly serverInfo: JsonObject & { readonly name: string; readonly version: string };
  readonly capabilities: Readonly<Partial<Record<Capability, Switches>>>;
  readonly instructions: string | undefined;
}

const methodsByCapability = {
  tools: ['tools/list', 'tools/call'],
  resources: ['resources/list', 'resources/templates/list', 'resources/read'],
  prompts: ['prompts/list', 'prompts/get'],
  completions: ['completion/complete'],
  logging: [],
} as const;
/** Such as `listChanged`. */
type Switches = Readonly<Record<string, boolean>>;
type Capability = keyof typeof methodsByCapability;
const capabilities = Object.keys(methodsByCapability) as readonly Capability[];
/** What asks for news, of which a recording has none to give. */
const listening = {
  logging: ['logging/setLevel'],
  resources: ['resources/subscribe', 'resources/unsubscribe'],
} as const;
/** About the connection, not the server. */
const ofConnection = ['initialize', 'ping', 'server/discover', 'subscriptions/listen'];

export class RecordedAnswers {
  readonly server: RecordedServer;
  private readonly exact = new Map<string, Kept[]>();
  private readonly shaped = new Map<string, Kept[]>();
  private readonly methods = new Set<string>();
  /** How many of them were given. */
  private readonly given = new Map<readonly Kept[], number>();

  private readonly wholes: ImportedRecording['wholes'];

  constructor(recording: ImportedRecording) {
    this.wholes = recording.wholes;
    const records = new Map(recording.records.map((record) => [record.seq, record]));
    const pairing = new Pairing();
    for (const record of recording.records) {
      pairing.add(record);
    }
    for (const entry of pairing.entries) {
      if (entry.kind === 'request' && entry.dir === 'sent') {
        const frames = entry.records
          .map((seq) => records.get(seq))
          .filter((record) => record?.kind === 'frame');
        this.keep(entry, frames);
      }
    }
    this.server = describeServer(recording.handshakes, this.methods, recording.server);
  }

  has(method: string): boolean {
    const offered = capabilities.filter((one) => this.server.capabilities[one]);
    return (
      this.methods.has(method) ||
      this.isListening(method) ||
      offered.some((one) => isAmong(method, methodsByCapability[one]))
    );
  }

  /**
   * That of the same request; else, where it has arguments, that of one with arguments of the same shape. Where there
   * are several, each in its turn and then the last; of a list the last one. The nesting must be bounded.
   */
  find(method: string, params: JsonObject): RecordedAnswer | undefined {
    const found =
      this.exact.get(exactKey(method, params)) ??
      (hasArguments(method) ? this.shaped.get(shapeKey(method, params)) : undefined);
    if (!found) {
      return this.isListening(method) ? { kind: 'result', result: {}, ms: 0 } : undefined;
    }
    const count = this.given.get(found) ?? 0;
    this.given.set(found, count + 1);
    const kept = method.endsWith('/list') ? found.at(-1) : (found[count] ?? found.at(-1));
    return kept && this.read(kept);
  }

  private isListening(method: string): boolean {
    const { logging, resources } = this.server.capabilities;
    return (
      (logging !== undefined && isAmong(method, listening.logging)) ||
      (resources?.subscribe === true && isAmong(method, listening.resources))
    );
  }

  private keep({ method }: RequestEntry, frames: readonly FrameRecord[]): void {
    const [asked] = frames;
    const record = frames.findLast((frame) => this.isAnswer(frame));
    const request = asked && this.messageOf(asked);
    if (!record || !request || ofConnection.includes(method)) {
      return;
    }
    const params = isJsonObject(request.params) ? request.params : {};
    const kept = { record, ms: Math.max(0, record.t - asked.t) };
    if (!this.read(kept)) {
      return;
    }
    this.methods.add(method);
    addTo(this.exact, exactKey(method, params), kept);
    if (hasArguments(method)) {
      addTo(this.shaped, shapeKey(method, params), kept);
    }
  }

  /** `undefined`: only its beginning is known. */
  private messageOf({ seq, text, isCut }: FrameRecord): JsonObject | undefined {
    return parseJsonObject(isCut ? (this.wholes.get(seq) ?? '') : text);
  }

  /** The last word of the server; that it asks for more, or made a task of it, is none. */
  private isAnswer(record: FrameRecord): boolean {
    const { dir, facts } = record;
    const isOver =
      facts.taskStatus === undefined || taskResult(this.messageOf(record)) !== undefined;
    const isWord = facts.method === undefined && !facts.asks && !facts.startsTask;
    return dir === 'received' && isWord && isOver;
  }

  private read({ record, ms }: Kept): RecordedAnswer | undefined {
    const message = this.messageOf(record);
    if (!message) {
      return record.isCut ? { kind: 'cut', ms } : undefined;
    }
    const { result, error } = message;
    if (isJsonObject(error)) {
      return { kind: 'error', error, ms };
    }
    const inner = record.facts.taskStatus === undefined ? undefined : taskResult(message);
    return isJsonObject(result) ? { kind: 'result', result: inner ?? result, ms } : undefined;
  }
}

/** Of a task that is completed, where the server tells it with its state. */
function taskResult(message: JsonObject | undefined): JsonObject | undefined {
  const answer = message?.result;
  const result = isJsonObject(answer) && answer.status === 'completed' ? answer.result : undefined;
  return isJsonObject(result) ? result : undefined;
}

function describeServer(
  handshakes: ImportedRecording['handshakes'],
  methods: ReadonlySet<string>,
  name: string,
): RecordedServer {
  const said = handshakes
    .map(({ response = '' }) => parseJsonObject(response)?.result)
    .findLast(isJsonObject);
  const declared = isJsonObject(said?.capabilities) ? said.capabilities : undefined;
  const info = isJsonObject(said?.serverInfo) ? said.serverInfo : {};
  const offered = capabilities.flatMap((one) => {
    const isUsed = methodsByCapability[one].some((method) => methods.has(method));
    const value = declared ? declared[one] : isUsed ? {} : undefined;
    return isJsonObject(value) ? [[one, readEntries(value, asSwitch)] as const] : [];
  });
  return {
    serverInfo: {
      ...info,
      name: typeof info.name === 'string' ? info.name : name || 'recording',
      version: typeof info.version === 'string' ? info.version : '0',
    },
    capabilities: Object.fromEntries(offered),
    instructions: typeof said?.instructions === 'string' ? said.instructions : undefined,
  };
}

function asSwitch(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}

function hasArguments(method: string): boolean {
  return method === 'tools/call' || method === 'prompts/get';
}

function exactKey(method: string, params: JsonObject): string {
  const { rest, args } = splitParams(params);
  return stableStringify([method, rest, args]);
}

function shapeKey(method: string, params: JsonObject): string {
  const { rest, args } = splitParams(params);
  return stableStringify([method, rest, shapeOf(args)]);
}

/** Without what belongs to one connection, or to one of several rounds. */
function splitParams(params: JsonObject) {
  const { _meta, task, requestState, inputResponses, arguments: args = {}, ...rest } = params;
  return { rest, args };
}

function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) {
    const shapes = value.map((item) => stableStringify(shapeOf(item)));
    return [...new Set(shapes)].sort();
  }
  return isJsonObject(value) ? mapValues(value, shapeOf) : value === null ? 'null' : typeof value;
}

function isAmong(method: string, methods: readonly string[]): boolean {
  return methods.includes(method);
}
