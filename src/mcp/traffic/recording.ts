import { type Disposable, toDisposable } from '../../base/disposable.js';
import { Emitter } from '../../base/event.js';
import type { JsonObject } from '../../base/json.js';
import type { MaskText } from '../../config/secrets/secretMask.js';
import type { Clock } from '../../platform/clock.js';
import type { ConnectionTap } from '../connection/connectionTap.js';
import type {
  HandshakeRecord,
  LifeRecord,
  McpRecording,
  TrafficChange,
  TrafficRecord,
} from '../trafficTypes.js';
import { Handshakes } from './handshakes.js';
import { largeFrame, type RawRecord, storedForm } from './storedForm.js';
import { WholeFrames } from './wholeFrames.js';

export const maxRecords = 2_000;
/** Characters of all texts. */
const maxCharacters = 8 * 1024 * 1024;
/** Milliseconds of quiet in which what passed is stored while nobody looks, and how long it may wait for them. */
const restMs = 1_000;
const longestRestMs = 30_000;
/** Milliseconds while somebody looks. */
const watchedMs = 40;
/** Beginnings, ends and handshakes that may wait. */
const maxKept = 200;
/** Large messages that may wait. */
const maxLargeWaiting = 4;

type LifeEvent = LifeRecord extends infer L
  ? L extends LifeRecord
    ? Omit<L, 'seq' | 't' | 'gen' | 'kind'>
    : never
  : never;

/**
 * The ring of one server. While nobody looks, what passes is only put in line: it is masked and becomes text in quiet
 * moments, and what would have left the ring by then costs nothing at all.
 */
export class Recording implements McpRecording {
  private readonly _onDidChange = new Emitter<TrafficChange>();
  readonly onDidChange = this._onDidChange.event;
  private waiting: RawRecord[] = [];
  /** The {@link maxRecords} that came before those that wait. */
  private earlier: RawRecord[] = [];
  /** Of what came before those: beginnings, ends and handshakes. */
  private kept: RawRecord[] = [];
  private largeWaiting = 0;
  private stored: TrafficRecord[] = [];
  private characters = 0;
  private seq = 0;
  private gen = 0;
  private watchers = 0;
  private timer: Disposable | undefined;
  /** For how long it was set. */
  private timerMs = 0;
  /** On the measuring clock. */
  private waitsSince = 0;
  /** Nothing passed since the timer was set. */
  private isQuiet = false;
  private readonly known = new Handshakes();
  private readonly wholes = new WholeFrames();

  /** What the clock says and what it measures, apart: nothing goes back in time. */
  private readonly origin: number;

  constructor(private readonly clock: Clock) {
    this.origin = clock.now() - clock.elapsed();
  }

  get records(): readonly TrafficRecord[] {
    this.store();
    return this.stored;
  }

  get handshakes(): readonly HandshakeRecord[] {
    this.store();
    return this.known.all;
  }

  /** A connection begins. */
  open(launch: 'stdio' | 'http', mask: MaskText): ConnectionTap {
    const gen = ++this.gen;
    const life = (event: LifeEvent) => {
      const record = { ...this.head(gen), kind: 'life', ...event } as LifeRecord;
      this.enter({ ...record, kind: 'ready', mask, record });
    };
    life({ event: 'starting', launch });
    const { clock, origin } = this;
    return {
      // every call comes by here twice
      message: (dir, message) => {
        if (isLarge(message)) {
          this.largeWaiting++;
        }
        const seq = ++this.seq;
        this.enter({ kind: 'frame', seq, t: origin + clock.elapsed(), gen, mask, dir, message });
      },
      http: (step) => this.enter({ ...this.head(gen), mask, kind: 'http', step }),
      stderr: (line) => this.enter({ ...this.head(gen), mask, kind: 'stderr', line }),
      connected: ({ transport, pid }) =>
        life({ event: 'connected', transport, ...(pid !== undefined && { pid }) }),
      closed: (error) => life({ event: 'closed', ...(error !== undefined && { error }) }),
    };
  }

  watch(): Disposable {
    this.store();
    this.watchers++;
    return toDisposable(() => {
      this.watchers--;
    });
  }

  readWhole(seq: number): Promise<string | undefined> {
    return this.wholes.read(seq);
  }

  clear(): void {
    this.kept = [];
    this.earlier = [];
    this.waiting = [];
    this.largeWaiting = 0;
    this.stored = [];
    this.characters = 0;
    this.wholes.forgetBefore(this.seq + 1);
    this._onDidChange.fire({ added: [], firstSeq: this.seq + 1 });
  }

  /** Never rejects. */
  async dispose(): Promise<void> {
    this.timer?.dispose();
    this._onDidChange.dispose();
    await this.wholes.dispose();
  }

  private head(gen: number) {
    return { seq: ++this.seq, t: this.origin + this.clock.elapsed(), gen };
  }

  private enter(raw: RawRecord): void {
    this.waiting.push(raw);
    if (this.waiting.length >= maxRecords) {
      this.shed();
    }
    this.isQuiet = false;
    if (this.largeWaiting >= maxLargeWaiting) {
      this.schedule(0);
    } else {
      this.schedule(this.watchers > 0 ? watchedMs : restMs);
    }
  }

  /** Nothing but a flag is touched by what passes while the timer runs. */
  private rest(): void {
    this.timer = undefined;
    const isOld = this.clock.elapsed() - this.waitsSince >= longestRestMs;
    if (this.isQuiet || this.watchers > 0 || this.largeWaiting >= maxLargeWaiting || isOld) {
      this.store();
    } else {
      this.isQuiet = true;
      this.schedule(restMs);
    }
  }

  /** The handshake stays, and what will have been pushed out of the ring goes. */
  private shed(): void {
    for (const raw of this.earlier) {
      if (this.known.wants(raw)) {
        this.kept.push(raw);
      }
    }
    this.kept.splice(0, this.kept.length - maxKept);
    this.earlier = this.waiting;
    this.waiting = [];
  }

  private schedule(ms: number): void {
    if (this.timer && ms >= this.timerMs) {
      return;
    }
    if (!this.timer && this.waiting.length + this.earlier.length === 1) {
      this.waitsSince = this.clock.elapsed();
    }
    this.timer?.dispose();
    this.timerMs = ms;
    this.timer = this.clock.after(ms, () => this.rest());
  }

  private store(): void {
    this.timer?.dispose();
    this.timer = undefined;
    const latest = [...this.earlier, ...this.waiting];
    const raws = [
      ...this.kept,
      ...latest.slice(0, -maxRecords).filter((raw) => this.known.wants(raw)),
      ...latest.slice(-maxRecords),
    ];
    if (raws.length === 0) {
      return;
    }
    this.kept = [];
    this.earlier = [];
    this.waiting = [];
    this.largeWaiting = 0;
    const added = raws.map((raw) => {
      const { record, whole } = storedForm(raw, this.watchers > 0);
      if (whole !== undefined) {
        this.wholes.keep(record.seq, whole);
      }
      this.known.add(record, raw.kind === 'frame' ? raw.message : undefined, raw.mask);
      this.characters += lengthOf(record);
      return record;
    });
    this.stored = [...this.stored, ...added];
    this.trim();
    const firstSeq = this.stored[0]?.seq ?? this.seq + 1;
    this._onDidChange.fire({ added: added.filter(({ seq }) => seq >= firstSeq), firstSeq });
  }

  private trim(): void {
    let gone = Math.max(0, this.stored.length - maxRecords);
    for (const record of this.stored.slice(0, gone)) {
      this.characters -= lengthOf(record);
    }
    while (this.characters > maxCharacters && gone < this.stored.length) {
      this.characters -= lengthOf(this.stored[gone++] as TrafficRecord);
    }
    if (gone > 0) {
      this.stored = this.stored.slice(gone);
      this.wholes.forgetBefore(this.stored[0]?.seq ?? this.seq + 1);
    }
  }
}

/** About the characters that it keeps in memory. */
function lengthOf(record: TrafficRecord): number {
  return 'text' in record ? record.text.length + 200 : 600;
}

function isLarge(message: JsonObject): boolean {
  return roomLeft(message, largeFrame) < 0;
}

/** As `jsonLength`, without a list of what is in each object: this runs for every message. */
function roomLeft(value: unknown, room: number): number {
  if (typeof value === 'string') {
    return room - value.length;
  }
  let left = room - 4;
  if (typeof value === 'object' && value !== null) {
    for (const key in value) {
      left = roomLeft((value as JsonObject)[key], left - key.length);
      if (left < 0) {
        break;
      }
    }
  }
  return left;
}
