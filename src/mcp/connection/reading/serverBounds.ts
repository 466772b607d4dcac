/**
 * How much of what a server says is kept. Bounds of single mechanisms stand with them: messages (`lineFramer`,
 * `bodyLimit`), pages and items (`readList`), rates (`notificationGate`, `logRate`, `listPace`), questions
 * (`clientFeatures`, `elicitationForm`), waiting (`retryAfter`, `resumption`), sign-in (`clientEngine/auth`). The table
 * for users is in docs/servers.md, under Protocol.
 */

/** Characters of a name; an item with a longer one is left out. */
export const maxNameLength = 512;
/** Characters of an address; an item with a longer one is left out. */
export const maxUriLength = 8192;
/** Characters of a title, beyond which it is cut. */
export const maxTitleLength = 1000;
/** Characters of a description or of the server's instructions, beyond which they are cut. */
export const maxDescriptionLength = 20_000;
/** Arguments of a prompt; the rest is left out. */
export const maxArguments = 100;
/** Characters of the JSON text of one tool; a larger one is left out. */
export const maxItemLength = 512 * 1024;
/** Levels of nesting in schemas and results; deeper ones exhaust the stack of whoever walks through them. */
export const maxDepth = 200;
/** Levels of nesting in a message; what is deeper is left out, so that nobody who reads it recurses for long. */
export const maxMessageDepth = 2 * maxDepth;
/** Content blocks of one result, contents of one resource, messages of one prompt; the rest is left out. */
export const maxParts = 5000;
/** Characters of what a server says about the progress of a call. */
export const maxProgressLength = 500;
/** Characters of the message of an error. */
export const maxErrorLength = 4000;
/** Characters of one suggested value; a longer one is left out. */
export const maxCompletionLength = 1000;

/** At most `max` characters, on whole code points; nothing of a longer text is kept in memory. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) {
    return text;
  }
  const cut = text.slice(0, max - 1).replace(/[\uD800-\uDBFF]$/, '');
  // a slice would keep the whole text alive
  return `${Buffer.from(cut).toString()}…`;
}
