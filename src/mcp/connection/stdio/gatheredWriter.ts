import type { Writable } from 'node:stream';

/** What is written in one turn of the event loop goes out in one write, which costs a fraction of a write for each. */
export class GatheredWriter {
  private lines: string[] = [];
  private written: Promise<void> | undefined;
  private settle: ((error: Error | null | undefined) => void) | undefined;

  constructor(private readonly stream: Writable) {}

  /** Resolves when the stream has taken the line; rejects with its error. */
  write(line: string): Promise<void> {
    this.lines.push(line);
    this.written ??= new Promise((resolve, reject) => {
      this.settle = (error) => (error ? reject(error) : resolve());
      process.nextTick(() => this.flush());
    });
    return this.written;
  }

  /** Nothing is written afterwards; what was, goes out before the end. */
  end(): void {
    this.flush();
    this.stream.end();
  }

  private flush(): void {
    const { settle } = this;
    if (settle) {
      const text = this.lines.join('');
      this.lines = [];
      this.written = undefined;
      this.settle = undefined;
      this.stream.write(text, settle);
    }
  }
}
