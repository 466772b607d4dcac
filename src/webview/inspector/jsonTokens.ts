/** JSON in parts that have a colour. Pure; any text is fine. */

export interface JsonToken {
  readonly kind: 'key' | 'string' | 'number' | 'word' | 'plain';
  readonly text: string;
}

/** Characters; what is longer is not coloured to its end. */
const maxColoured = 40_000;
const pattern =
  /("(?:[^"\\\n]|\\.)*")(\s*:)?|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|\b(true|false|null)\b/g;

export function jsonTokens(text: string): readonly JsonToken[] {
  const coloured = text.slice(0, maxColoured);
  const tokens: JsonToken[] = [];
  let at = 0;
  const put = (kind: JsonToken['kind'], part: string) => {
    if (part !== '') {
      tokens.push({ kind, text: part });
    }
  };
  for (const match of coloured.matchAll(pattern)) {
    const [whole, quoted, colon, number] = match;
    put('plain', coloured.slice(at, match.index));
    if (quoted !== undefined) {
      put(colon === undefined ? 'string' : 'key', quoted);
      put('plain', colon ?? '');
    } else {
      put(number === undefined ? 'word' : 'number', whole);
    }
    at = match.index + whole.length;
  }
  put('plain', text.slice(at));
  return tokens;
}
