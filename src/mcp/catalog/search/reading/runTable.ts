/** Finds runs of letters within texts by their characters, so that none is cut out that is known already. */
import { isOfRun } from './words.js';

/** Slots that are looked at for a run. Hostile runs may all have one hash: they cost no more than that. */
const maxProbes = 16;
/** A power of two. */
const fewestSlots = 1024;

export class RunTable<T> {
  /** By slot: one more than the number of a run, and the hash of that. */
  private slots = new Int32Array(2 * fewestSlots);
  private readonly runs: string[] = [];
  private readonly values: T[] = [];
  /** Those for which no slot was free when they came, or when the table grew. */
  private readonly others = new Map<string, T>();

  /** @param create what stands for a run from then on */
  constructor(private readonly create: (run: string) => T) {}

  get(run: string): T {
    let hash = firstHash;
    for (let at = 0; at < run.length; at++) {
      hash = nextHash(hash, run.charCodeAt(at));
    }
    return this.find(run, 0, run.length, hash);
  }

  /** Calls `add` for each run of a text, in order and with repetitions. @param length what follows is not read */
  read(text: string, length: number, add: (value: T) => void): void {
    const end = Math.min(length, text.length);
    let start = 0;
    let hash = firstHash;
    for (let at = 0; at < end; at++) {
      const code = text.charCodeAt(at);
      if (isOfRun(code)) {
        hash = nextHash(hash, code);
      } else {
        if (at > start) {
          add(this.find(text, start, at, hash));
        }
        start = at + 1;
        hash = firstHash;
      }
    }
    if (end > start) {
      add(this.find(text, start, end, hash));
    }
  }

  private find(text: string, start: number, end: number, hash: number): T {
    const { slots, runs } = this;
    for (let probe = 0; probe < maxProbes; probe++) {
      const slot = slotOf(slots, hash, probe);
      const number = slots[slot] as number;
      if (number === 0) {
        return this.add(slot, text.slice(start, end), hash);
      }
      if (slots[slot + 1] === hash && isAt(runs[number - 1] as string, text, start, end)) {
        return this.values[number - 1] as T;
      }
    }
    const run = text.slice(start, end);
    const value = this.others.get(run) ?? this.create(run);
    this.others.set(run, value);
    return value;
  }

  private add(slot: number, run: string, hash: number): T {
    const value = this.others.get(run) ?? this.create(run);
    this.values.push(value);
    this.slots[slot] = this.runs.push(run);
    this.slots[slot + 1] = hash;
    if (this.runs.length * 4 > this.slots.length) {
      this.grow();
    }
    return value;
  }

  private grow(): void {
    const { slots } = this;
    const larger = new Int32Array(slots.length * 2);
    for (let slot = 0; slot < slots.length; slot += 2) {
      const number = slots[slot] as number;
      const hash = slots[slot + 1] as number;
      const free = number === 0 ? undefined : freeSlot(larger, hash);
      if (free !== undefined) {
        larger[free] = number;
        larger[free + 1] = hash;
      } else if (number !== 0) {
        this.others.set(this.runs[number - 1] as string, this.values[number - 1] as T);
      }
    }
    this.slots = larger;
  }
}

function slotOf(slots: Int32Array, hash: number, probe: number): number {
  return (2 * (hash + probe)) & (slots.length - 1);
}

function freeSlot(slots: Int32Array, hash: number): number | undefined {
  for (let probe = 0; probe < maxProbes; probe++) {
    const slot = slotOf(slots, hash, probe);
    if (slots[slot] === 0) {
      return slot;
    }
  }
  return undefined;
}

function isAt(run: string, text: string, start: number, end: number): boolean {
  if (run.length !== end - start) {
    return false;
  }
  let at = 0;
  while (at < run.length && run.charCodeAt(at) === text.charCodeAt(start + at)) {
    at++;
  }
  return at === run.length;
}

/** FNV-1a. */
const firstHash = 0x811c9dc5 | 0;

function nextHash(hash: number, code: number): number {
  return Math.imul(hash ^ code, 0x01000193);
}
