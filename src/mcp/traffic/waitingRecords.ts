import type { RawRecord } from './storedForm.js';

/** Records that the ring holds. */
export const maxRecords = 2_000;
/** Characters of all texts that it holds. */
export const maxCharacters = 8 * 1024 * 1024;
/** Beginnings, ends and handshakes that may wait. */
const maxKept = 200;

/** What passed and was not looked at yet: about as much as the ring will hold of it, at most twice that. */
export class WaitingRecords {
  private latest: RawRecord[] = [];
  /** Characters of the messages among {@link latest}. */
  private length = 0;
  /** As many as fit into the ring, which came before those. */
  private earlier: RawRecord[] = [];
  /** In `latest` or `earlier` too, or older. */
  private kept: RawRecord[] = [];

  get count(): number {
    return this.earlier.length + this.latest.length;
  }

  /** Every message of every server comes by here. @param length characters that the ring will need for it */
  add(raw: RawRecord, length: number): void {
    this.latest.push(raw);
    this.length += length;
    if (this.latest.length >= maxRecords || this.length >= maxCharacters) {
      this.earlier = this.latest;
      this.latest = [];
      this.length = 0;
    }
  }

  /** As {@link add}, for what stays when the ring runs over before it is filled. */
  addKept(raw: RawRecord): void {
    this.kept.push(raw);
    if (this.kept.length > maxKept) {
      this.kept.shift();
    }
    this.add(raw, 0);
  }

  /** In order; nothing waits then. */
  takeAll(): readonly RawRecord[] {
    const ring = [...this.earlier, ...this.latest].slice(-maxRecords);
    const first = ring[0]?.seq ?? 0;
    const older = this.kept.filter(({ seq }) => seq < first);
    this.latest = [];
    this.length = 0;
    this.earlier = [];
    this.kept = [];
    return [...older, ...ring];
  }
}
