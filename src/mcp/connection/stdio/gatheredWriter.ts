import type { Writable } from 'node:stream';

/** What is written in one turn of the event loop goes out in one write, which costs a fraction of a write for each. */
export class GatheredWriter {
  private lines: string[] = [];
  private written: Promise<void> | undefined;

  constructor(private readonly stream: Writable) {}

  /** Resolves when the stream has taken the line; rejects with its error. */
  write(line: string): Promise<void> {
    this.lines.push(line);
    this.written ??= new Promise((resolve, reject) => {
      process.nextTick(() => this.flush((error) => (error ? reject(error) : resolve())));
    });
    return this.written;
  }

  private flush(onWritten: (error: Error | null | undefined) => void): void {
    const text = this.lines.join('');
    this.lines = [];
    this.written = undefined;
    this.stream.write(text, onWritten);
  }
}
