/** What is asked of the model beside the runs of one conversation. */
import { DisposableOwner } from '../../../base/disposable.js';
import { createChangingMask } from '../../../config/secrets/secretMask.js';
import { secretsOfServers } from '../../../mcp/service/serverSecrets.js';
import { RequestLimits } from '../../context/requestLimits.js';
import type { PiEvent, PiSession } from '../../pi/piModule.js';
import type { Transcript } from '../../transcript/entries.js';
import type { AgentSessionOptions } from '../piSession.js';
import type { ConversationFile } from '../stored/conversationFile.js';
import { Aside } from './aside.js';
import { ModelTitle } from './modelTitle.js';
import { SideRequests } from './sideRequests.js';

export interface SideWorkParts {
  readonly session: () => PiSession | undefined;
  readonly transcript: () => Transcript;
  readonly conversation: () => ConversationFile | undefined;
  /** Dollars that the conversation has cost. */
  readonly cost: () => number;
  /** Shows a sentence in the conversation. */
  readonly say: (text: string) => void;
  readonly onDidSpend: () => void;
  readonly onDidChange: () => void;
}

export class SideWork extends DisposableOwner {
  private readonly title: ModelTitle;
  /** Of the runs, too. */
  readonly limits: RequestLimits;
  readonly aside: Aside;

  constructor(
    { models, service, machine, titles, tools }: AgentSessionOptions,
    parts: SideWorkParts,
  ) {
    super();
    const { session, transcript, conversation, cost, say, onDidSpend, onDidChange } = parts;
    this.limits = new RequestLimits({ policy: tools?.spending, cost, say });
    const requests = this.store.add(new SideRequests(session, this.limits, onDidSpend));
    this.title = new ModelTitle({
      isWanted: () => titles?.value === 'model',
      transcript,
      conversation,
      mayAsk: () => {
        const model = session()?.model;
        return model !== undefined && models.isAgreed(model);
      },
      requests,
      mask: createChangingMask(() => secretsOfServers(service, machine.environment)),
      onDidName: onDidChange,
    });
    this.aside = this.store.add(new Aside({ session, models, requests, onDidChange }));
  }

  follow(event: PiEvent): void {
    void this.title.follow(event);
  }
}
