import * as l10n from '@vscode/l10n';
import { type JsonObject, parseJson } from '../../../base/json.js';
import type { LogLevel } from '../../../platform/ports.js';
import { isNestedDeeper, pruneDeeper } from '../reading/nesting.js';
import { failedResponse, tooLargeText } from '../reading/repairResponse.js';
import { maxMessageDepth } from '../reading/serverBounds.js';
import { extractMessages, isJsonRpcMessage, readResponseId } from './messageText.js';

const newline = 10;
const nothing = Buffer.alloc(0);
/** Enough to read the id of a response, which stands at one end of its line. */
const sampleBytes = 1024;
const shownTextLength = 200;
/** Every line up to this count is reported, later ones only at powers of two. */
const fullyReportedLines = 5;

/** Longest line that is parsed; a longer one would stall the event loop when it is. 32 MiB. */
export const defaultMaxLineBytes = 32 * 1024 * 1024;

export interface LineFramerHandlers {
  /** @param text the whole line, where it holds this message alone and as it is */
  readonly onMessage: (message: JsonObject, text?: string) => void;
  readonly onNotice: (level: LogLevel, message: string) => void;
}

/**
 * Cuts a byte stream into newline-separated JSON-RPC messages in time linear to its length. A line over the bound
 * is dropped, and the request it answers gets an error response instead of waiting for its time-out.
 */
export class LineFramer {
  private chunks: Buffer[] = [];
  private lineBytes = 0;
  private head: Buffer = nothing;
  private tail: Buffer = nothing;
  private foreignLines = 0;

  constructor(
    private readonly handlers: LineFramerHandlers,
    private readonly maxLineBytes = defaultMaxLineBytes,
  ) {}

  push(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      this.append(chunk.subarray(start, end));
      this.finishLine();
      start = end + 1;
    }
    this.append(chunk.subarray(start));
  }

  /** The stream is over: a last line without newline counts too. */
  end(): void {
    if (this.lineBytes > 0) {
      this.finishLine();
    }
  }

  private append(part: Buffer): void {
    if (part.length === 0) {
      return;
    }
    const wasTooLong = this.lineBytes > this.maxLineBytes;
    this.lineBytes += part.length;
    if (this.lineBytes <= this.maxLineBytes) {
      this.chunks.push(part);
      return;
    }
    const known = wasTooLong ? [this.tail] : this.chunks;
    const line = Buffer.concat([...known, part]);
    if (!wasTooLong) {
      this.head = Buffer.from(line.subarray(0, sampleBytes));
      this.chunks = [];
    }
    // a copy, which does not keep the whole
    this.tail = Buffer.from(line.subarray(-sampleBytes));
  }

  private finishLine(): void {
    const bytes = this.lineBytes;
    const chunks = this.chunks;
    this.chunks = [];
    this.lineBytes = 0;
    if (bytes > this.maxLineBytes) {
      this.dropOversized();
      return;
    }
    const [first] = chunks;
    if (first) {
      this.parseLine((chunks.length === 1 ? first : Buffer.concat(chunks, bytes)).toString('utf8'));
    }
  }

  private parseLine(line: string): void {
    const value = parseJson(line);
    if (value === undefined) {
      // not JSON as a whole: log text, perhaps with a message glued to it
      this.salvage(line);
      return;
    }
    let isWhole = !Array.isArray(value);
    // a short line has no room for that much
    if (line.length > maxMessageDepth && isNestedDeeper(line, maxMessageDepth)) {
      this.prune(value);
      isWhole = false;
    }
    for (const item of Array.isArray(value) ? value : [value]) {
      if (isJsonRpcMessage(item)) {
        this.handlers.onMessage(item, isWhole ? line : undefined);
      } else {
        this.reportForeign(line);
      }
    }
  }

  private salvage(line: string): void {
    if (line.trim() === '') {
      return;
    }
    this.reportForeign(line);
    for (const message of extractMessages(line)) {
      this.prune(message);
      this.handlers.onMessage(message);
    }
  }

  private prune(value: unknown): void {
    if (pruneDeeper(value, maxMessageDepth)) {
      this.handlers.onNotice('warn', tooDeepSentence());
    }
  }

  private reportForeign(line: string): void {
    const count = ++this.foreignLines;
    const isEarly = count <= fullyReportedLines;
    if (isEarly || Number.isInteger(Math.log2(count))) {
      const text = line.trim().slice(0, shownTextLength);
      this.handlers.onNotice(
        count === 1 ? 'warn' : 'debug',
        l10n.t(
          'The server wrote text to stdout that is not an MCP message: {0}',
          isEarly ? text : `(${count}) ${text}`,
        ),
      );
    }
  }

  private dropOversized(): void {
    const id = readResponseId(this.head.toString('utf8'), this.tail.toString('utf8'));
    this.head = nothing;
    this.tail = nothing;
    const sentence = tooLargeText(this.maxLineBytes);
    this.handlers.onNotice('warn', sentence);
    if (id !== undefined) {
      this.handlers.onMessage(failedResponse(id, sentence));
    }
  }
}

export function tooDeepSentence(): string {
  return l10n.t(
    'The server sent a message that is nested in more than {0} levels; what is deeper was left out.',
    maxMessageDepth,
  );
}
