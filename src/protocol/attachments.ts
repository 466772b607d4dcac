/** What goes with the next message beside its text. */
import type { MessageMap } from './messages.js';

export const attachmentKinds = [
  'resource',
  'tools',
  'file',
  'folder',
  'symbol',
  'selection',
  'problems',
  'terminal',
  'changes',
  'pasted',
  'image',
] as const;
export type AttachmentKind = (typeof attachmentKinds)[number];

/** Lines, both from 1 and with the last one. */
export interface LineRange {
  readonly from: number;
  readonly to: number;
}

/** One row of what may be mentioned. */
export interface MentionView {
  /** Of this list alone. */
  readonly id: string;
  readonly kind: AttachmentKind | 'choose';
  readonly label: string;
  /** Where it is, or what it holds; may be empty. */
  readonly detail: string;
  /** What the draft says in its place. */
  readonly word: string;
}

export interface AttachmentView {
  readonly id: string;
  readonly kind: AttachmentKind;
  readonly label: string;
  /** Where it comes from, whole. */
  readonly detail: string;
  /** Estimated; absent where it is known only once it is read. */
  readonly tokens?: number;
}

/** A file that the page was given, without a path. */
export interface PageFile {
  readonly name: string;
  /** Base64. */
  readonly data: string;
}

/** A picture of a draft, of a queued message or of one that was sent. */
export interface PictureRef {
  readonly of: 'draft' | 'queue' | 'message';
  readonly id: string;
  /** Among the pictures of a message. */
  readonly index?: number;
  /** Of a draft: see {@link Into}. */
  readonly into?: string;
}

/** Sentences about what was not attached, for the user. */
export interface AttachOutcome {
  readonly refused: readonly string[];
}

/** The message that is meant, one that the user changes. Default: the next one. */
interface Into {
  into?: string;
}

export interface AttachmentRequests extends MessageMap {
  /** What the typed letters may name, the best first. */
  mentions: { params: { query: string }; result: { rows: readonly MentionView[] } };
  /** Attaches a row of the last list. */
  mention: { params: { id: string } & Into; result: AttachOutcome };
  attachFiles: { params: { files: readonly PageFile[] } & Into; result: AttachOutcome };
  /** Addresses of files and folders that were dropped; those outside of the workspace are refused. */
  attachUris: { params: { uris: readonly string[] } & Into; result: AttachOutcome };
  attachText: { params: { text: string } & Into; result: AttachOutcome };
  /** Lets the user choose files. */
  chooseFiles: { params: Into; result: AttachOutcome };
  detach: { params: { id: string } & Into; result: undefined };
  /** Shows what would be sent, in an editor. */
  openAttachment: { params: { id: string } & Into; result: undefined };
  /** A pasted text, which leaves the message as what it was and joins the draft. */
  takeText: { params: { id: string } & Into; result: { text: string } };
  /** A `data:` address of an image. */
  picture: { params: PictureRef; result: { src: string } };
}
