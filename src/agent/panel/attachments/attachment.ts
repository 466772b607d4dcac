/** What goes with a message beside its text: as it waits, as the page sees it, and as the model gets it. */
import { asString } from '../../../base/json.js';
import type { McpServerId } from '../../../config/definition.js';
import {
  type AttachmentKind,
  attachmentKinds,
  type LineRange,
} from '../../../protocol/attachments.js';
import { asNumber, itemsOf, kindsOf, objectOf, oneOf, optional } from '../../reading/readers.js';
import {
  type AttachmentHead,
  headDetail,
  headLabel,
  lastPart,
} from '../../transcript/attachmentWords.js';

/** A resource of a server, read when the message is sent. */
export interface AttachedResource {
  readonly kind: 'resource';
  readonly server: McpServerId;
  readonly uri: string;
  readonly label: string;
}

/** A text file, read when the message is sent. */
export interface AttachedFile {
  readonly kind: 'file';
  /** The workspace folder that it must be in; absent: the user picked it themselves, wherever it is. */
  readonly folder?: string;
  /** As the model is told: relative to the folder, with the folder's name before it where there are several. */
  readonly name: string;
  /** Relative to the folder, with `/`; absolute without one. */
  readonly path: string;
}

/** A text as it was when it was attached. */
export interface AttachedText {
  readonly kind: 'text';
  readonly what: Exclude<AttachmentKind, 'resource' | 'image'>;
  readonly name: string;
  /** In which file it is, where it is in one. */
  readonly path?: string;
  readonly lines?: LineRange;
  readonly text: string;
}

export interface AttachedImage {
  readonly kind: 'image';
  readonly name: string;
  readonly mimeType: string;
  /** Base64. */
  readonly data: string;
}

export type Attachment = AttachedResource | AttachedFile | AttachedText | AttachedImage;

/** One that is attached, with what is known of its costs. */
export interface KeptAttachment {
  /** Of no other one, in this conversation. */
  readonly id: string;
  readonly what: Attachment;
  /** Estimated. */
  readonly tokens?: number | undefined;
}

export function attachmentKind(what: Attachment): AttachmentKind {
  return what.kind === 'text' ? what.what : what.kind;
}

export function labelOf(what: Attachment): string {
  switch (what.kind) {
    case 'resource':
      return what.label;
    case 'text':
      return headLabel(headOf(what));
    default:
      return lastPart(what.name);
  }
}

/** The whole of what {@link labelOf} shortens. */
export function detailOf(what: Exclude<Attachment, AttachedResource>): string {
  return what.kind === 'text' ? headDetail(headOf(what)) : what.name;
}

export function headOf({ what: kind, name, path, lines }: AttachedText): AttachmentHead {
  return { kind, name, path, lines };
}

const readAttachment = kindsOf<Attachment, 'kind'>('kind', {
  resource: {
    server: (value) => asString(value) as McpServerId | undefined,
    uri: asString,
    label: asString,
  },
  file: { name: asString, path: asString, folder: optional(asString) },
  text: {
    what: oneOf(attachmentKinds.filter((kind) => kind !== 'resource' && kind !== 'image')),
    name: asString,
    path: optional(asString),
    lines: optional(objectOf<LineRange>({ from: asNumber, to: asNumber })),
    text: asString,
  },
  image: { name: asString, mimeType: asString, data: asString },
});

/** Reads what an older version or half a write may have left. */
export const readKept = itemsOf(
  objectOf<KeptAttachment>({ id: asString, what: readAttachment, tokens: optional(asNumber) }),
);
