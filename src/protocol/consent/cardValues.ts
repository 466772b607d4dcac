import type { ConsentCard } from './consentProtocol.js';

/** Everything of others that the card draws. */
export function valuesOfCard(card: Omit<ConsentCard, 'isPlain'>): readonly string[] {
  const { name, folder = '', lines, source, commit = [] } = card;
  const parts = [...lines.flatMap(({ rows }) => rows.flat()), ...commit];
  const values = parts.flatMap(({ text, isValue }) => (isValue ? [text] : []));
  return [name, folder, source.path, ...values];
}
