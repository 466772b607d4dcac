/** The language models that the editor lends to extensions, as plain values: no type of the editor gets beyond its adapter. */
import type { Event } from '../../../base/event.js';
import type { JsonObject } from '../../../base/json.js';

export interface EditorModels {
  /** Those that there are now. Asks the user nothing. */
  list(): Promise<readonly EditorModel[]>;
  /** `list` may give others. */
  readonly onDidChange: Event<void>;
  /** The user knows what requests to models of this vendor may cost, and agreed. */
  isAgreed(vendor: string): boolean;
  /** Tells the user what requests may cost, unless that is known. @returns whether they may be sent */
  agree(model: EditorModel): Promise<boolean>;
  /** Takes back what {@link agree} was told. */
  withdraw(vendor: string): Promise<void>;
}

export interface EditorModel {
  /** Such as `copilot`. */
  readonly vendor: string;
  /** What people call it, such as `GitHub Copilot`. */
  readonly vendorName: string;
  /** One of its kind for the vendor. */
  readonly id: string;
  readonly name: string;
  readonly maxInputTokens: number;
  /** `undefined`: the editor does not say. */
  readonly takesImages: boolean | undefined;
  /** `undefined`: the editor does not say. */
  readonly callsTools: boolean | undefined;
  /** Of the user in the editor; `undefined`: the editor asks with the first request. */
  readonly isAllowed: boolean | undefined;
  /**
   * Parts of an answer as they come; kinds that are not known here are left out.
   * @throws {EditorModelError} also while parts come; the reason of the signal when it aborts
   */
  send(request: EditorRequest, signal: AbortSignal | undefined): AsyncIterable<EditorAnswerPart>;
}

export interface EditorRequest {
  readonly messages: readonly EditorMessage[];
  readonly tools: readonly EditorTool[];
}

interface EditorTool {
  readonly name: string;
  readonly description: string;
  /** A JSON schema. */
  readonly inputSchema: JsonObject;
}

/** There is no role for the system. */
export interface EditorMessage {
  readonly role: 'user' | 'assistant';
  readonly parts: readonly EditorPart[];
}

export type EditorTextPart = { readonly kind: 'text'; readonly text: string };

/** `data` is base64. */
export type EditorImagePart = {
  readonly kind: 'image';
  readonly mimeType: string;
  readonly data: string;
};

type EditorCallPart = {
  readonly kind: 'call';
  readonly id: string;
  readonly name: string;
  readonly input: JsonObject;
};

export type EditorPart =
  | EditorTextPart
  | EditorImagePart
  | EditorCallPart
  | {
      readonly kind: 'result';
      readonly callId: string;
      readonly parts: readonly (EditorTextPart | EditorImagePart)[];
    };

export type EditorAnswerPart = EditorTextPart | EditorCallPart;

export const editorModelErrors = ['NoPermissions', 'Blocked', 'NotFound', 'NotAgreed'] as const;
export type EditorModelErrorCode = (typeof editorModelErrors)[number];

/** The editor, or the vendor behind it, refused a request. The message is the vendor's, if it said one. */
export class EditorModelError extends Error {
  override readonly name = 'EditorModelError';

  constructor(
    readonly code: EditorModelErrorCode,
    message: string,
  ) {
    super(message);
  }
}
