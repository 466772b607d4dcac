import { asObject, isJsonObject, type JsonObject } from '../../base/json.js';
import { type MaskText, maskText } from '../../config/secrets/secretMask.js';
import type { FrameRecord, HandshakeRecord, TrafficRecord } from '../trafficTypes.js';

const maxKept = 20;
const maxNames = 2_000;
const maxText = 64 * 1024;
const methods: readonly unknown[] = ['initialize', 'server/discover'];
/** By method: the field of the result that holds the list, and the field of an item that names it. */
const lists: Readonly<Record<string, readonly [field: string, name: string]>> = {
  'tools/list': ['tools', 'name'],
  'prompts/list': ['prompts', 'name'],
  'resources/list': ['resources', 'uri'],
  'resources/templates/list': ['resourceTemplates', 'uriTemplate'],
};

interface Awaited {
  readonly method: string;
  readonly isNextPage: boolean;
}

/** Of a message while the connection is made. */
export function isHandshake(message: JsonObject): boolean {
  return methods.includes(message.method) || 'serverInfo' in asObject(message.result);
}

/** What the server said of itself on each of its last connections. */
export class Handshakes {
  private readonly byGen = new Map<number, HandshakeRecord>();
  private readonly awaited = new Map</* gen and id */ string, Awaited>();

  get all(): readonly HandshakeRecord[] {
    return [...this.byGen.values()];
  }

  /** @param message of a frame, unmasked where that is to be had */
  add(record: TrafficRecord, message: JsonObject | undefined, mask: MaskText = maskText): void {
    const { gen, t } = record;
    if (record.kind === 'life') {
      if (record.event === 'starting') {
        this.begin({ gen, startedAt: t, lists: {} });
      } else if (record.event === 'connected') {
        this.change(gen, { connectedAt: t, transport: record.transport });
      }
    } else if (record.kind === 'frame' && message) {
      if (record.dir === 'sent') {
        this.noteRequest(record, message);
      } else if (record.dir === 'received') {
        this.noteAnswer(record, message, mask);
      }
    }
  }

  private noteRequest({ gen, facts, text }: FrameRecord, message: JsonObject): void {
    const method = String(message.method);
    const isShaking = methods.includes(method);
    if (facts.id === undefined || !(isShaking || Object.hasOwn(lists, method))) {
      return;
    }
    this.awaited.set(`${gen} ${facts.id}`, {
      method,
      isNextPage: 'cursor' in asObject(message.params),
    });
    if (isShaking && !this.byGen.get(gen)?.response) {
      this.change(gen, { request: text.slice(0, maxText) });
    }
  }

  private noteAnswer({ gen, t, text }: FrameRecord, message: JsonObject, mask: MaskText): void {
    const known = this.byGen.get(gen);
    if (known && known.firstByteAt === undefined) {
      this.change(gen, { firstByteAt: t });
    }
    if ('method' in message || message.id === undefined) {
      return;
    }
    const key = `${gen} ${message.id}`;
    const request = this.awaited.get(key);
    this.awaited.delete(key);
    if (!request || !isJsonObject(message.result)) {
      return;
    }
    const { result } = message;
    const [field, nameField] = lists[request.method] ?? [];
    if (field === undefined || nameField === undefined) {
      this.change(gen, known?.response ? {} : { response: text.slice(0, maxText) });
      return;
    }
    const items: readonly unknown[] = Array.isArray(result[field]) ? result[field] : [];
    const names = items.map((item) => mask(String(asObject(item)[nameField] ?? '').slice(0, 200)));
    const before = request.isNextPage ? (known?.lists[field] ?? []) : [];
    this.change(gen, {
      lists: { ...known?.lists, [field]: [...before, ...names].slice(0, maxNames) },
    });
  }

  private begin(record: HandshakeRecord): void {
    this.byGen.set(record.gen, record);
    const [oldest] = this.byGen.keys();
    if (this.byGen.size > maxKept && oldest !== undefined) {
      this.byGen.delete(oldest);
    }
    this.awaited.clear();
  }

  private change(gen: number, change: Partial<HandshakeRecord>): void {
    const known = this.byGen.get(gen);
    if (known) {
      this.byGen.set(gen, { ...known, ...change });
    }
  }
}
