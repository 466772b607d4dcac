/** Makes of records, in their order, what people call a request, a notification or an exchange. Pure. */
import type {
  FrameFacts,
  FrameId,
  FrameRecord,
  HttpRecord,
  TrafficRecord,
} from '../trafficTypes.js';
import type { HttpEntry, RequestEntry, TrafficEntry } from './entries.js';

type Writable<T> = { -readonly [K in keyof T]: T[K] extends readonly number[] ? number[] : T[K] };
type Span = Writable<RequestEntry> & {
  /** Something has ended it. */
  isAnswered: boolean;
};
type Side = RequestEntry['dir'];

interface Sent {
  readonly span: Span;
  readonly method: string;
  /** A question about the task of the span, not the request itself. */
  readonly isAboutTask: boolean;
}

export interface PairingChange {
  readonly changed: readonly TrafficEntry[];
  readonly removed: readonly number[];
}

const finalStatuses: readonly unknown[] = ['completed', 'failed', 'cancelled'];

export class Pairing {
  private readonly byId = new Map<number, TrafficEntry>();
  /** Sender, generation and id → the request. */
  private readonly requests = new Map<string, Sent>();
  /** What servers want to have before they answer. */
  private readonly asking = new Map<Span, FrameFacts>();
  private readonly tokens = new Map<string, Span>();
  /** Tasks outlive connections. */
  private readonly tasks = new Map</* task id */ string, Span>();
  private readonly elicitations = new Map</* elicitation id */ string, Span>();
  private readonly exchanges = new Map<string, Writable<HttpEntry> & { rpcId?: FrameId }>();
  private readonly changed = new Set<TrafficEntry>();
  private removed: number[] = [];

  /** In the order of their first records. */
  get entries(): readonly TrafficEntry[] {
    return [...this.byId.values()];
  }

  add(record: TrafficRecord): void {
    switch (record.kind) {
      case 'frame':
        this.addFrame(record);
        return;
      case 'http':
        this.addHttp(record);
        return;
      case 'stderr':
        this.enter({ ...headOf(record), kind: 'stderr', text: record.text });
        return;
      case 'life':
        if (record.event !== 'connected') {
          this.endOpen(record.gen, record.t, record.event === 'closed');
        }
        this.enter({ ...headOf(record), kind: 'life', record });
    }
  }

  /** Entries of which no record is left go. */
  forgetBefore(seq: number): void {
    const gone = new Set<TrafficEntry>();
    for (const [id, entry] of this.byId) {
      if (id >= seq) {
        break;
      }
      if ((entry.records.at(-1) ?? 0) < seq) {
        gone.add(entry);
        this.asking.delete(entry as Span);
        this.byId.delete(id);
        this.changed.delete(entry);
        this.removed.push(id);
      }
    }
    if (gone.size > 0) {
      forget(this.requests, ({ span }) => gone.has(span));
      forget(this.exchanges, (entry) => gone.has(entry));
      for (const map of [this.tokens, this.tasks, this.elicitations]) {
        forget(map, (span) => gone.has(span));
      }
    }
  }

  /** What came, changed and went since the last call. */
  takeChange(): PairingChange {
    const change = { changed: [...this.changed], removed: this.removed };
    this.changed.clear();
    this.removed = [];
    return change;
  }

  private addFrame(record: FrameRecord): void {
    const { facts } = record;
    if (facts.method === undefined) {
      this.addResponse(record);
    } else if (facts.id === undefined) {
      this.addNotification(record, sideOf(record));
    } else {
      this.addRequest(record, sideOf(record), facts.method, facts.id);
    }
  }

  private addRequest(record: FrameRecord, dir: Side, method: string, id: FrameId): void {
    const { facts, gen, seq, t } = record;
    const key = keyOf(gen, dir, id);
    const earlier = this.requests.get(key)?.span;
    const about = method.startsWith('tasks/') ? this.tasks.get(facts.taskId ?? '') : undefined;
    const again = about ? undefined : this.findAsked(record, dir);
    const span = about ?? again ?? this.newSpan(record, dir, method);
    if (about || again) {
      this.attach(span, seq);
    }
    if (again) {
      span.rounds++;
      this.asking.delete(span);
    }
    if (earlier && earlier !== span) {
      this.end(earlier, 'lost', t);
    }
    this.requests.set(key, { span, method, isAboutTask: about !== undefined });
    if (facts.progressToken !== undefined && !about) {
      this.tokens.set(keyOf(gen, dir, facts.progressToken), span);
    }
    if (method === 'elicitation/create' && facts.elicitationId !== undefined) {
      this.elicitations.set(facts.elicitationId, span);
    }
  }

  private newSpan(record: FrameRecord, dir: Side, method: string): Span {
    const span: Span = {
      ...headOf(record),
      kind: 'request',
      dir,
      method,
      target: record.facts.target,
      state: 'open',
      endedAt: undefined,
      error: undefined,
      fault: undefined,
      progress: undefined,
      rounds: 0,
      task: undefined,
      isAnswered: false,
    };
    this.enter(span);
    return span;
  }

  /** The request of which this is the next round. */
  private findAsked({ facts, gen }: FrameRecord, dir: Side): Span | undefined {
    if (facts.state === undefined && facts.inputs === undefined) {
      return undefined;
    }
    for (const [span, asked] of this.asking) {
      const isSame =
        span.gen === gen &&
        span.dir === dir &&
        span.method === facts.method &&
        span.target === facts.target &&
        asked.state === facts.state &&
        (facts.inputs ?? []).every((key) => asked.inputs?.includes(key));
      if (isSame && span.state === 'open') {
        return span;
      }
    }
    return undefined;
  }

  private addResponse(record: FrameRecord): void {
    const { facts, gen, seq, t } = record;
    const asker: Side = record.dir === 'sent' ? 'received' : 'sent';
    const sent = facts.id === undefined ? undefined : this.find(gen, asker, facts.id);
    const isLate = sent?.span.state === 'cancelled';
    if (sent?.span.isAnswered && record.dir === 'local') {
      this.attach(sent.span, seq);
      this.noteFault(sent.span, facts);
      return;
    }
    if (!sent || (sent.span.isAnswered && !sent.isAboutTask && !isLate)) {
      const dir = asker === 'sent' ? 'received' : 'sent';
      this.enter({ ...headOf(record), kind: 'stray', dir, error: facts.error });
      return;
    }
    const { span } = sent;
    this.attach(span, seq);
    if (isLate) {
      return;
    }
    if (sent.isAboutTask) {
      if (facts.taskStatus !== undefined) {
        this.noteTask(span, facts, t);
      } else if (sent.method === 'tasks/result') {
        this.noteResult(span, facts, t);
      }
    } else if (facts.asks) {
      this.asking.set(span, facts);
    } else if (facts.startsTask && facts.taskId !== undefined) {
      this.tasks.set(facts.taskId, span);
      span.isAnswered = true;
      this.noteTask(span, facts, t);
    } else {
      this.noteResult(span, facts, t);
    }
  }

  private noteResult(span: Span, facts: FrameFacts, t: number): void {
    if (facts.elicitationId !== undefined) {
      this.elicitations.set(facts.elicitationId, span);
    }
    span.error = facts.error;
    this.end(span, facts.error || facts.isToolError ? 'error' : 'ok', t);
  }

  /** We cannot take what the server has answered. */
  private noteFault(span: Span, { error }: FrameFacts): void {
    span.fault ??= error?.message ?? '';
    if (span.state === 'ok') {
      span.state = 'faulty';
    }
  }

  private noteTask(span: Span, { taskId, taskStatus }: FrameFacts, t: number): void {
    const id = span.task?.id ?? taskId ?? '';
    span.task = { id, status: taskStatus ?? span.task?.status };
    if (finalStatuses.includes(taskStatus) && span.state === 'open') {
      const ends: Record<string, RequestEntry['state']> = {
        completed: 'ok',
        failed: 'error',
        cancelled: 'cancelled',
      };
      this.end(span, ends[taskStatus ?? ''] ?? 'ok', t);
    }
    this.changed.add(span);
  }

  private addNotification(record: FrameRecord, dir: Side): void {
    const { facts, gen, seq, t } = record;
    const { method = '', target } = facts;
    const span = this.concerned(facts, gen, dir);
    if (!span) {
      this.enter({ ...headOf(record), kind: 'notification', dir, method, target });
      return;
    }
    this.attach(span, seq);
    if (facts.cancels !== undefined) {
      this.end(span, 'cancelled', t);
    } else if (method === 'notifications/progress') {
      span.progress = facts.progress ?? span.progress;
    } else if (facts.taskStatus !== undefined) {
      this.noteTask(span, facts, t);
    }
  }

  /** The request that a notification belongs to. */
  private concerned(facts: FrameFacts, gen: number, dir: Side): Span | undefined {
    const { method = '', cancels, progressToken, taskId, elicitationId } = facts;
    if (cancels !== undefined) {
      return this.find(gen, dir, cancels)?.span;
    }
    if (method === 'notifications/progress') {
      const asker: Side = dir === 'sent' ? 'received' : 'sent';
      const token = progressToken ?? '';
      return (
        this.tokens.get(keyOf(gen, asker, token)) ??
        this.tokens.get(keyOf(gen, asker, otherType(token)))
      );
    }
    if (method.startsWith('notifications/tasks')) {
      return this.tasks.get(taskId ?? '');
    }
    return method === 'notifications/elicitation/complete'
      ? this.elicitations.get(elicitationId ?? '')
      : undefined;
  }

  private addHttp(record: HttpRecord): void {
    const { gen, seq, t, exchange } = record;
    const key = `${gen} ${exchange}`;
    const known = this.exchanges.get(key);
    if (record.phase === 'request') {
      const { method, url, rpcId } = record;
      const entry = {
        ...headOf(record),
        kind: 'http' as const,
        method,
        url,
        status: undefined,
        end: undefined,
        endedAt: undefined,
        rpcId,
      };
      this.exchanges.set(key, entry);
      this.enter(entry);
      return;
    }
    if (!known) {
      return;
    }
    this.attach(known, seq);
    if (record.phase === 'response') {
      known.status = record.status;
      return;
    }
    known.end = record.end;
    known.endedAt = t;
    this.exchanges.delete(key);
    const carried = known.rpcId === undefined ? undefined : this.find(gen, 'sent', known.rpcId);
    // on such a wire a request is taken back by ending what carries it
    if (record.end === 'cancelled' && carried && !carried.isAboutTask) {
      this.end(carried.span, 'cancelled', t);
    }
  }

  /** Some send numbers back as text. */
  private find(gen: number, dir: Side, id: FrameId): Sent | undefined {
    return (
      this.requests.get(keyOf(gen, dir, id)) ?? this.requests.get(keyOf(gen, dir, otherType(id)))
    );
  }

  /** @param isClosed of a new connection, only what came before it is over */
  private endOpen(gen: number, t: number, isClosed: boolean): void {
    for (const { span } of this.requests.values()) {
      if (isClosed ? span.gen === gen : span.gen < gen) {
        const isTaskAlive = span.task !== undefined && span.isAnswered;
        if (!isTaskAlive) {
          this.end(span, 'lost', t);
        }
      }
    }
  }

  /** No effect on what has ended. */
  private end(span: Span, state: RequestEntry['state'], t: number): void {
    if (span.state === 'open' || (span.state === 'ok' && state === 'error')) {
      span.state = state;
      span.endedAt = t;
      span.isAnswered = true;
      this.asking.delete(span);
      this.changed.add(span);
    }
  }

  private attach(entry: Span | Writable<HttpEntry>, seq: number): void {
    entry.records.push(seq);
    this.changed.add(entry);
  }

  private enter(entry: TrafficEntry): void {
    this.byId.set(entry.id, entry);
    this.changed.add(entry);
  }
}

function headOf({ seq, gen, t }: TrafficRecord) {
  return { id: seq, gen, startedAt: t, records: [seq] };
}

function sideOf({ dir }: FrameRecord): Side {
  return dir === 'received' ? 'received' : 'sent';
}

/** `1` and `"1"` are two ids. */
function keyOf(gen: number, dir: Side, id: FrameId): string {
  return `${gen} ${dir} ${JSON.stringify(id)}`;
}

function otherType(id: FrameId): FrameId {
  return typeof id === 'number' ? String(id) : id.trim() === '' ? Number.NaN : Number(id);
}

function forget<K, V>(map: Map<K, V>, isGone: (value: V) => boolean): void {
  for (const [key, value] of map) {
    if (isGone(value)) {
      map.delete(key);
    }
  }
}
