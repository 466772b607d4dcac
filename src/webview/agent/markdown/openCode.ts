/** A block of code whose end has not come yet, which grows by lines that mean nothing else. */
import type { Token, Tokens } from 'marked';

/** What the shown code has got. */
export interface GrownCode {
  /** Characters of it that stay. */
  readonly from: number;
  /** In the place of the rest. */
  readonly added: string;
}

/** `undefined` for anything but code between fences of which only the first is there. */
export function openCode(token: Token | undefined): Tokens.Code | undefined {
  if (token?.type !== 'code' || !/^(?:`{3,}|~{3,})/.test(token.raw)) {
    return undefined;
  }
  const code = token as Tokens.Code;
  const first = code.raw.indexOf('\n');
  return first !== -1 && !mayClose(code.raw, first + 1) && code.text === textOf(code.raw)
    ? code
    : undefined;
}

/** `undefined` when what is added may end it, or is read in another way. */
export function growCode(
  token: Tokens.Code,
  added: string,
): { readonly token: Tokens.Code; readonly code: GrownCode } | undefined {
  const raw = token.raw + added;
  const line = token.raw.lastIndexOf('\n') + 1;
  if (added.includes('\r') || mayClose(raw, line)) {
    return undefined;
  }
  const text = textOf(raw);
  const from = shown(token.text).length;
  return { token: { ...token, raw, text }, code: { from, added: `${shown(text).slice(from)}\n` } };
}

/** Some line from this place on begins as a fence does; what it is its end tells. */
function mayClose(raw: string, start: number): boolean {
  const closing = /^ {0,3}(?:`{3,}|~{3,})/gm;
  closing.lastIndex = start;
  return closing.test(raw);
}

/** As it is read: empty lines at the end are part of it. */
function textOf(raw: string): string {
  const body = raw.slice(raw.indexOf('\n') + 1);
  return /[^\n]\n$/.test(body.slice(-2)) ? body.slice(0, -1) : body;
}

/** As it is drawn, but for the line end that follows. */
function shown(text: string): string {
  return text.endsWith('\n') ? text.slice(0, -1) : text;
}
