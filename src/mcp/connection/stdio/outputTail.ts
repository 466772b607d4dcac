import { StringDecoder } from 'node:string_decoder';
import { stripVTControlCharacters } from 'node:util';

const maxLines = 40;
const maxCharacters = 8 * 1024;
const maxLineCharacters = 1024;

/** Keeps the last lines of a text stream, without terminal escapes. Bounded whatever the stream does. */
export class OutputTail {
  private readonly decoder = new StringDecoder('utf8');
  private readonly kept: string[] = [];
  private keptCharacters = 0;
  private partial = '';

  /** @param onLine Called once per line; overlong lines are cut. */
  constructor(private readonly onLine: (line: string) => void = () => undefined) {}

  get lines(): readonly string[] {
    const last = clean(this.partial);
    return last === '' ? [...this.kept] : [...this.kept, last].slice(-maxLines);
  }

  push(chunk: Buffer): void {
    const pieces = this.decoder.write(chunk).split('\n');
    const last = pieces.pop() ?? '';
    for (const piece of pieces) {
      this.finishLine(this.partial + piece);
      this.partial = '';
    }
    // the rest of an overlong line is dropped, its beginning is kept
    this.partial = (this.partial + last).slice(0, maxLineCharacters);
  }

  end(): void {
    if (this.partial !== '') {
      this.finishLine(this.partial);
      this.partial = '';
    }
  }

  private finishLine(raw: string): void {
    const line = clean(raw);
    if (line === '') {
      return;
    }
    this.kept.push(line);
    this.keptCharacters += line.length;
    while (this.kept.length > maxLines || this.keptCharacters > maxCharacters) {
      this.keptCharacters -= this.kept.shift()?.length ?? 0;
    }
    this.onLine(line);
  }
}

function clean(line: string): string {
  return stripVTControlCharacters(line.slice(0, maxLineCharacters)).trimEnd();
}
