import { type Disposable, toDisposable } from '../../base/disposable.js';
import { Emitter } from '../../base/event.js';
import { jsonLength } from '../../base/json.js';
import type { McpServerId } from '../../config/definition.js';
import { type MaskText, maskText } from '../../config/secrets/secretMask.js';
import type { Clock } from '../../platform/clock.js';
import type { ConnectionTap } from '../connection/connectionTap.js';
import type {
  HandshakeRecord,
  LifeRecord,
  McpRecording,
  TrafficChange,
  TrafficRecord,
} from '../trafficTypes.js';
import { Handshakes, isHandshake } from './handshakes.js';
import { largeFrame, type RawRecord, storedForm } from './storedForm.js';
import { maxCharacters, maxRecords, WaitingRecords } from './waitingRecords.js';
import { WholeFrames } from './wholeFrames.js';

/** Milliseconds of quiet in which what passed is stored while nobody looks, and how long it may wait for them. */
const restMs = 1_000;
const longestRestMs = 30_000;
/** Milliseconds while somebody looks. */
const watchedMs = 40;
/** Large messages that may wait. */
const maxLargeWaiting = 4;
/** What is masked before others get their turn: so many records, or messages of so many characters. */
const recordsPerTurn = 100;
const charactersPerTurn = 256 * 1024;

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
  private readonly waiting = new WaitingRecords();
  private largeWaiting = 0;
  /** What does not wait any more and is being stored, in order. */
  private taken: RawRecord[] = [];
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

  /** That of the last connection; before the first one, of what looks secret. */
  mask: MaskText = maskText;

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
    this.mask = mask;
    const head = () => ({ seq: ++this.seq, t: origin + clock.elapsed(), gen, mask });
    const life = (event: LifeEvent) => {
      const raw = head();
      const { seq, t } = raw;
      this.waiting.addKept({
        ...raw,
        kind: 'ready',
        record: { seq, t, gen, kind: 'life', ...event } as LifeRecord,
      });
      this.hurry();
    };
    const { clock, origin } = this;
    let isConnecting = true;
    life({ event: 'starting', launch });
    return {
      // every call comes by here twice
      message: (dir, message, text) => {
        const t = origin + clock.elapsed();
        // a text is let go of for less than what it stands for
        const held = text ?? message;
        const length = text?.length ?? jsonLength(message, largeFrame);
        const raw: RawRecord = { kind: 'frame', seq: ++this.seq, t, gen, mask, dir, held };
        if (length > largeFrame) {
          this.largeWaiting++;
        }
        if (isConnecting && isHandshake(message)) {
          this.waiting.addKept(raw);
        } else {
          this.waiting.add(raw, Math.min(length, largeFrame));
        }
        this.hurry();
      },
      http: (step) => this.enter({ ...head(), kind: 'http', step }),
      stderr: (line) => this.enter({ ...head(), kind: 'stderr', line }),
      connected: ({ transport, pid }) => {
        isConnecting = false;
        life({ event: 'connected', transport, pid });
      },
      closed: (error) => life({ event: 'closed', error }),
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
    this.waiting.takeAll();
    this.taken = [];
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

  private enter(raw: RawRecord): void {
    this.waiting.add(raw, 0);
    this.hurry();
  }

  /** What waits is stored when it is time. */
  private hurry(): void {
    this.isQuiet = false;
    if (this.largeWaiting >= maxLargeWaiting) {
      this.schedule(0);
    } else if (!this.timer) {
      this.schedule(this.watchers > 0 ? watchedMs : restMs);
    }
  }

  /** Nothing but a flag is touched by what passes while the timer runs. */
  private rest(): void {
    this.timer = undefined;
    const isOld = this.clock.elapsed() - this.waitsSince >= longestRestMs;
    const isBegun = this.taken.length > 0;
    const isLookedAt = this.watchers > 0;
    if (isBegun || this.isQuiet || isLookedAt || this.largeWaiting >= maxLargeWaiting || isOld) {
      this.storeInTurns();
    } else {
      this.isQuiet = true;
      this.schedule(restMs);
    }
  }

  private schedule(ms: number): void {
    if (this.timer && ms >= this.timerMs) {
      return;
    }
    if (!this.timer && this.waiting.count === 1) {
      this.waitsSince = this.clock.elapsed();
    }
    this.timer?.dispose();
    this.timerMs = ms;
    this.timer = this.clock.after(ms, () => this.rest());
  }

  /** All that waits, for somebody who looks. */
  private store(): void {
    this.timer?.dispose();
    this.timer = undefined;
    const raws = [...this.taken, ...this.takeWaiting()];
    this.taken = [];
    this.keep(raws.map((raw) => this.masked(raw)));
  }

  /** Some of what waits, and the rest in turns of its own. */
  private storeInTurns(): void {
    if (this.taken.length === 0) {
      this.taken = [...this.takeWaiting()];
    }
    const added: TrafficRecord[] = [];
    let characters = 0;
    for (const raw of this.taken) {
      const record = this.masked(raw);
      added.push(record);
      characters += 'size' in record ? record.size : 0;
      if (added.length >= recordsPerTurn || characters >= charactersPerTurn) {
        break;
      }
    }
    this.taken = this.taken.slice(added.length);
    if (this.taken.length > 0) {
      this.schedule(0);
    }
    this.keep(added);
  }

  private takeWaiting(): readonly RawRecord[] {
    this.largeWaiting = 0;
    return this.waiting.takeAll();
  }

  private masked(raw: RawRecord): TrafficRecord {
    const { record, whole, message } = storedForm(raw, this.watchers > 0);
    if (whole !== undefined) {
      this.wholes.keep(record.seq, whole);
    }
    this.known.add(record, message, raw.mask);
    return record;
  }

  private keep(added: readonly TrafficRecord[]): void {
    if (added.length === 0) {
      return;
    }
    this.characters += added.reduce((sum, record) => sum + lengthOf(record), 0);
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

/** The recordings of all servers, kept while a server is configured. */
export class Traffic {
  private readonly byServer = new Map<McpServerId, Recording>();

  constructor(private readonly clock: Clock) {}

  of(id: McpServerId): Recording {
    const recording = this.byServer.get(id) ?? new Recording(this.clock);
    this.byServer.set(id, recording);
    return recording;
  }

  keepOnly(ids: ReadonlySet<McpServerId>): void {
    for (const [id, recording] of this.byServer) {
      if (!ids.has(id)) {
        this.byServer.delete(id);
        void recording.dispose();
      }
    }
  }

  /** Never rejects. */
  async dispose(): Promise<void> {
    await Promise.all([...this.byServer.values()].map((recording) => recording.dispose()));
    this.byServer.clear();
  }
}
