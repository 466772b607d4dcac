/** Longest time that a server may keep us from coming back for a stream (`retry`). */
const maxDelayMs = 30_000;
/** A server that sends us away more often than this within {@link windowMs} is asked every {@link slowDelayMs} only. */
const maxInWindow = 20;
const windowMs = 10_000;
const slowDelayMs = 1000;
/** Beginning of an unfinished line that is kept; only ids matter, and longer ones are not followed. */
const maxLineLength = 1024;

/** When streams are opened again: as the server says, within bounds. */
export function createReconnectionScheduler(): (
  reconnect: () => void,
  delayMs: number,
) => () => void {
  let recent: readonly number[] = [];
  return (reconnect, delayMs) => {
    const time = performance.now();
    recent = [...recent.filter((earlier) => time - earlier < windowMs), time];
    const least = recent.length > maxInWindow ? slowDelayMs : 0;
    const timer = setTimeout(reconnect, Math.min(maxDelayMs, Math.max(least, delayMs)));
    return () => clearTimeout(timer);
  };
}

/** Finds the last event id of a stream. */
export class EventIdWatch {
  /** Undefined when there was none. */
  last: string | undefined;
  private unfinished = '\n';
  private readonly decoder = new TextDecoder();

  add(chunk: Uint8Array): void {
    const text = this.unfinished + this.decoder.decode(chunk, { stream: true });
    for (const [, id] of text.matchAll(/[\r\n]id: ?([^\r\n]*)(?=[\r\n])/g)) {
      this.last = id;
    }
    const lineStart = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r'));
    this.unfinished = text.slice(lineStart, lineStart + maxLineLength);
  }
}
