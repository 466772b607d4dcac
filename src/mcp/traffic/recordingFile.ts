/** Recordings as files: a JSON value on each line. What is read is of anybody's making. */
import * as l10n from '@vscode/l10n';
import { HumanError } from '../../base/errors.js';
import { isDeeperThan, isJsonObject, type JsonObject, parseJsonObject } from '../../base/json.js';
import { maskText } from '../../config/secrets/secretMask.js';
import type {
  FrameRecord,
  HeaderList,
  HttpEnd,
  HttpRecord,
  LifeRecord,
  McpRecording,
  TrafficDirection,
  TrafficRecord,
} from '../trafficTypes.js';
import { frameFacts } from './frameFacts.js';
import { Handshakes } from './handshakes.js';

/** Bytes of a file that is read. */
export const maxRecordingBytes = 64 * 1024 * 1024;
/** Bytes of large frames in a file that is written. */
const maxWholes = maxRecordingBytes / 2;
const maxLines = 50_000;
const maxDepth = 200;
const maxText = 64 * 1024;
const maxName = 200;
const maxConnections = 10_000;
const directions: readonly unknown[] = ['sent', 'received', 'local'] satisfies TrafficDirection[];
const ends: readonly unknown[] = ['ended', 'broken', 'cancelled'] satisfies HttpEnd[];

export interface ImportedRecording extends McpRecording {
  readonly server: string;
  /** Lines that are no part of a recording. */
  readonly skipped: number;
  /** Texts of the frames of which `records` have the beginning alone. */
  readonly wholes: ReadonlyMap</* seq */ number, string>;
}

/**
 * Large frames are in it whole, as far as they were kept and a file that can be read again holds them.
 * @param exportedAt milliseconds since the epoch
 */
export async function exportRecording(
  server: string,
  recording: Pick<McpRecording, 'records' | 'readWhole'>,
  exportedAt: number,
): Promise<string> {
  const head = { piMcpRecording: 1, server, exportedAt: new Date(exportedAt).toISOString() };
  const lines = [JSON.stringify(head)];
  let left = maxWholes;
  for (const record of recording.records) {
    const isLarge = record.kind === 'frame' && record.isCut && record.size <= left;
    const whole = isLarge ? await recording.readWhole(record.seq) : undefined;
    left -= Buffer.byteLength(whole ?? '');
    lines.push(lineOf(record, whole));
  }
  return `${lines.join('\n')}\n`;
}

function lineOf(record: TrafficRecord, whole: string | undefined): string {
  const { t, gen, kind, seq: _seq, ...rest } = record;
  if (record.kind !== 'frame') {
    return JSON.stringify({ t, gen, [kind]: rest });
  }
  const { dir, text, isCut, size, facts } = record;
  if (isCut && whole === undefined) {
    return JSON.stringify({ t, gen, dir, size, id: facts.id, method: facts.method, head: text });
  }
  // it is JSON, and may be nested more deeply than can be written anew
  return `${JSON.stringify({ t, gen, dir }).slice(0, -1)},"frame":${whole ?? text}}`;
}

/** @throws {HumanError} when it is no recording */
export function importRecording(text: string): ImportedRecording {
  const lines = text.split('\n', maxLines + 1).filter((line) => line.trim() !== '');
  const head = parseJsonObject(lines[0] ?? '');
  if (head?.piMcpRecording !== 1) {
    throw new HumanError('no_recording', l10n.t('This file is not a recording of traffic.'), {
      remedy: l10n.t('Choose a file that "Export Recording…" wrote.'),
    });
  }
  const known = new Handshakes();
  const records: TrafficRecord[] = [];
  const wholes = new Map<number, string>();
  const rest = lines.slice(1);
  for (const line of rest) {
    const read = readLine(line, records.length + 1);
    if (read) {
      records.push(read.record);
      if (read.whole !== undefined) {
        wholes.set(read.record.seq, read.whole);
      }
      known.add(read.record, read.message);
    }
  }
  return {
    server: typeof head.server === 'string' ? head.server.slice(0, maxName) : '',
    skipped: rest.length - records.length,
    records,
    wholes,
    handshakes: known.all,
    onDidChange: () => ({ dispose: () => undefined }),
    watch: () => ({ dispose: () => undefined }),
    readWhole: async (seq) => wholes.get(seq),
    clear: () => undefined,
  };
}

interface ReadLine {
  readonly record: TrafficRecord;
  readonly message: JsonObject | undefined;
  /** Of a frame that the record only begins. */
  readonly whole?: string | undefined;
}

function readLine(line: string, seq: number): ReadLine | undefined {
  const value = parseJsonObject(line);
  if (!value || isDeeperThan(value, maxDepth)) {
    return undefined;
  }
  const { t, gen } = value;
  const isPlaced =
    typeof t === 'number' &&
    Number.isFinite(t) &&
    Math.abs(t) < 8.64e15 &&
    Number.isInteger(gen) &&
    Number(gen) >= 1 &&
    Number(gen) <= maxConnections;
  if (!isPlaced) {
    return undefined;
  }
  const head = { seq, t, gen: Number(gen) };
  if (directions.includes(value.dir)) {
    return readFrame(head, value.dir as TrafficDirection, value);
  }
  const record =
    readStderr(head, value.stderr) ?? readHttp(head, value.http) ?? readLife(head, value.life);
  return record && { record, message: undefined };
}

type Head = Pick<TrafficRecord, 'seq' | 't' | 'gen'>;

function readFrame(head: Head, dir: TrafficDirection, line: JsonObject): ReadLine | undefined {
  if (isJsonObject(line.frame)) {
    const whole = JSON.stringify(line.frame);
    const isCut = whole.length > maxText;
    const record: FrameRecord = {
      ...head,
      kind: 'frame',
      dir,
      text: isCut ? whole.slice(0, maxText) : whole,
      size: whole.length,
      isCut,
      facts: frameFacts(line.frame, maskText),
    };
    return { record, message: line.frame, whole: isCut ? whole : undefined };
  }
  const text = textOf(line.head, maxText);
  if (text === undefined) {
    return undefined;
  }
  const message = { id: line.id, method: line.method };
  const size = Number.isInteger(line.size) ? Math.max(Number(line.size), text.length) : text.length;
  const facts = frameFacts(message, maskText);
  return { record: { ...head, kind: 'frame', dir, text, size, isCut: true, facts }, message };
}

function readStderr(head: Head, value: unknown): TrafficRecord | undefined {
  const text = isJsonObject(value) ? textOf(value.text, maxText) : undefined;
  return text === undefined ? undefined : { ...head, kind: 'stderr', text };
}

function readHttp(head: Head, value: unknown): HttpRecord | undefined {
  if (!isJsonObject(value) || !Number.isInteger(value.exchange)) {
    return undefined;
  }
  const shared = { ...head, kind: 'http', exchange: Number(value.exchange) } as const;
  switch (value.phase) {
    case 'request':
      return {
        ...shared,
        phase: 'request',
        method: textOf(value.method, 20) ?? '',
        url: textOf(value.url, 4_000) ?? '',
        headers: readHeaders(value.headers),
        rpcId: Number.isInteger(value.rpcId) ? Number(value.rpcId) : undefined,
      };
    case 'response':
      return {
        ...shared,
        phase: 'response',
        status: Number.isInteger(value.status) ? Number(value.status) : 0,
        headers: readHeaders(value.headers),
      };
    case 'end':
      return {
        ...shared,
        phase: 'end',
        end: ends.includes(value.end) ? (value.end as HttpEnd) : 'broken',
        bytes: Number.isInteger(value.bytes) ? Number(value.bytes) : 0,
        error: textOf(value.error, 4_000),
      };
    default:
      return undefined;
  }
}

function readHeaders(value: unknown): HeaderList {
  const pairs: readonly unknown[] = Array.isArray(value) ? value.slice(0, 100) : [];
  return pairs.flatMap((pair) => {
    const [name, text] = Array.isArray(pair) ? pair : [];
    return typeof name === 'string' && typeof text === 'string'
      ? [[name.slice(0, maxName), text.slice(0, 4_000)] as const]
      : [];
  });
}

function readLife(head: Head, value: unknown): LifeRecord | undefined {
  if (!isJsonObject(value)) {
    return undefined;
  }
  const shared = { ...head, kind: 'life' } as const;
  switch (value.event) {
    case 'starting':
      return { ...shared, event: 'starting', launch: value.launch === 'http' ? 'http' : 'stdio' };
    case 'connected':
      return { ...shared, event: 'connected', transport: textOf(value.transport, 40) ?? '' };
    case 'closed':
      return { ...shared, event: 'closed', error: textOf(value.error, 4_000) };
    default:
      return undefined;
  }
}

function textOf(value: unknown, max: number): string | undefined {
  return typeof value === 'string' ? value.slice(0, max) : undefined;
}
