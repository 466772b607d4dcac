/** The ways to a first model, each with what it costs and where goes what the user writes. */
import type { MessageMap } from '../messages.js';

export const modelWayKinds = ['editor', 'account', 'apiKey', 'local', 'server'] as const;
export type ModelWayKind = (typeof modelWayKinds)[number];

export interface ModelWay {
  readonly kind: ModelWayKind;
  readonly title: string;
  /** Costs and place, in a few words. */
  readonly text: string;
  /** The first one is the best. */
  readonly choices: readonly ModelWayChoice[];
}

export interface ModelWayChoice {
  readonly label: string;
  /** Id of Pi's. Absent: the user is asked. */
  readonly provider?: string;
}

export interface ModelWayRequests extends MessageMap {
  /** Asks the user in the editor's own boxes: no secret ever reaches a page. */
  takeModelWay: { params: { kind: ModelWayKind; provider?: string }; result: undefined };
}
