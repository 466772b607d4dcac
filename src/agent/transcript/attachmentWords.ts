/** What a text that goes with a message is called, for the user who attached it and in the conversation. */
import {
  type AttachmentKind,
  attachmentKinds,
  type LineRange,
} from '../../protocol/attachments.js';

/** What the model is told of it, beside the text. */
export interface AttachmentHead {
  readonly kind: Exclude<AttachmentKind, 'resource' | 'image'>;
  readonly name: string;
  /** The file that it is in, where the name is not that. */
  readonly path?: string | undefined;
  readonly lines?: LineRange | undefined;
}

/** Short: `a.ts:3-9`. */
export function headLabel({ kind, name, lines }: AttachmentHead): string {
  const short = ['file', 'folder', 'selection'].includes(kind) ? lastPart(name) : name;
  if (!lines || kind === 'symbol') {
    return short;
  }
  return `${short}:${linesText(lines)}`;
}

function linesText({ from, to }: LineRange): string {
  return from === to ? String(from) : `${from}-${to}`;
}

/** The whole of what {@link headLabel} shortens. */
export function headDetail({ name, path, lines }: AttachmentHead): string {
  const place = path === undefined ? name : `${name}, ${path}`;
  return lines ? `${place}:${linesText(lines)}` : place;
}

/** A folder keeps the slash that says that it is one. */
export function lastPart(path: string): string {
  return path.slice(path.lastIndexOf('/', path.length - 2) + 1);
}

/** The mark before the text of an attachment, up to its `>`. */
export function headMark({ kind, name, path, lines }: AttachmentHead): string {
  return [
    `attachment kind=${JSON.stringify(kind)}`,
    `name=${JSON.stringify(name)}`,
    ...(path === undefined ? [] : [`path=${JSON.stringify(path)}`]),
    ...(lines ? [`lines="${lines.from}-${lines.to}"`] : []),
  ].join(' ');
}

const quoted = '("[^"\\\\\\n]*(?:\\\\.[^"\\\\\\n]*)*")';
const head = new RegExp(
  `<attachment kind="(\\w+)" name=${quoted}(?: path=${quoted})?(?: lines="(\\d{1,9})-(\\d{1,9})")?>`,
  'y',
);

/** Reads what {@link headMark} wrote. `undefined`: somebody else wrote something alike. */
export function readHead(text: string, at: number): AttachmentHead | undefined {
  head.lastIndex = at;
  const [, kind, name = '', path, from, to] = head.exec(text) ?? [];
  const known = attachmentKinds.find((one) => one === kind);
  if (!known || known === 'resource' || known === 'image') {
    return undefined;
  }
  try {
    return {
      kind: known,
      name: String(JSON.parse(name)),
      path: path === undefined ? undefined : String(JSON.parse(path)),
      lines: from === undefined ? undefined : { from: Number(from), to: Number(to) },
    };
  } catch {
    // the user wrote something alike
    return undefined;
  }
}
