/** What two clients see of the same server, in one form that can be compared. */
import type { JsonObject } from '../../src/base/json.js';

type ListName = 'tools' | 'resources' | 'resourceTemplates' | 'prompts';
export type Lists = Readonly<Record<ListName, readonly JsonObject[]>>;

export type Action =
  | { readonly kind: 'call'; readonly name: string; readonly args: JsonObject }
  | { readonly kind: 'prompt'; readonly name: string }
  | { readonly kind: 'read'; readonly name: string };

export type Outcome =
  | { readonly kind: 'result'; readonly value: unknown }
  | { readonly kind: 'error'; readonly message: string };

/** How a server is started. */
export interface Launch {
  readonly script: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Home of the server; every process of it names this folder in its environment. */
  readonly home: string;
  readonly cwd: string;
}

/** A client that is connected to one server. */
export interface Side {
  readonly lists: Lists;
  perform(action: Action): Promise<Outcome>;
  /** Resolves when the client thinks that the server is gone. */
  close(): Promise<void>;
}

/** What both clients keep of a resource's contents; what else apps need, the product keeps in a form of its own. */
export function contentsOf(items: readonly object[]): readonly JsonObject[] {
  return items.map((item) => {
    const { uri, mimeType, text, blob }: JsonObject = { ...item };
    return { uri, mimeType, text, blob };
  });
}

export const startMs = 60_000;
export const requestMs = 20_000;
