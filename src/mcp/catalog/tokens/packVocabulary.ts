/**
 * A vocabulary as bytes that can be looked up in without being parsed: the number of tokens, the length of each, and then
 * the tokens one behind the other, in the order of their ranks. The build does this; it imports nothing.
 * @param tokens by rank, as texts, or as bytes that are no text
 */
export function packVocabulary(tokens: readonly (string | readonly number[])[]): Uint8Array {
  const encoder = new TextEncoder();
  const all = Array.from(tokens, (token) =>
    typeof token === 'string' ? encoder.encode(token) : Uint8Array.from(token),
  );
  const size = all.reduce((sum, { length }) => sum + length, 0);
  const packed = new Uint8Array(4 + all.length + size);
  new DataView(packed.buffer).setUint32(0, all.length, true);
  let offset = 4 + all.length;
  for (const [rank, token] of all.entries()) {
    packed[4 + rank] = token.length;
    packed.set(token, offset);
    offset += token.length;
  }
  return packed;
}
