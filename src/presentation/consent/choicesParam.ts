import { isJsonObject } from '../../base/json.js';
import type { ConsentChoice } from '../../protocol/consent/consentProtocol.js';
import { objectParam, stringParam } from '../params.js';

/** The cards that an answer is about. @throws when they are something else. */
export function choicesParam(params: unknown): readonly ConsentChoice[] {
  const { cards } = objectParam(params);
  if (!Array.isArray(cards) || !cards.every(isJsonObject)) {
    throw new Error('Invalid message: "cards" must be a list of objects');
  }
  return cards.map((card) => ({ id: stringParam(card, 'id'), hash: stringParam(card, 'hash') }));
}
