/** One question of the user beside the conversation, and its answer, until it is dismissed or another one is asked. */
import type { Disposable } from '../../../base/disposable.js';
import { errorMessage, withRemedy } from '../../../base/errors.js';
import type { AsideView } from '../../../protocol/agent/aside.js';
import type { Models } from '../../models/models.js';
import type { PiSession } from '../../pi/piModule.js';
import { contentText } from '../../transcript/content.js';
import { explainFailure, type ModelFailure } from '../../transcript/modelFailure.js';
import type { SideContext, SideRequests } from './sideRequests.js';

/** Tokens. */
const maxAnswer = 2_000;
/** Characters of what a call was given. */
const maxArguments = 2_000;

const lead =
  'This is a side question, apart from the work above. Answer it in a few sentences from what was said and what you know. You have no tools for it: call none, and ask nothing back. Neither the question nor your answer becomes a part of the conversation.';

type Message = SideContext['messages'][number];

export interface AsideParts {
  readonly session: () => PiSession | undefined;
  readonly models: Pick<Models, 'agree'>;
  readonly requests: Pick<SideRequests, 'ask' | 'refusal'>;
  readonly onDidChange: () => void;
}

export class Aside implements Disposable {
  private shown: AsideView | undefined;
  private asking = new AbortController();

  constructor(private readonly parts: AsideParts) {}

  get view(): AsideView | undefined {
    return this.shown;
  }

  /** Why no model may be asked now, as a sentence. */
  get refusal(): string | undefined {
    return this.parts.requests.refusal;
  }

  /** Takes the place of the one before. Resolves when it is on its way; {@link view} has what comes of it. */
  async ask(question: string): Promise<void> {
    const model = this.parts.session()?.model;
    if (!model || !(await this.parts.models.agree(model))) {
      return;
    }
    this.asking.abort();
    const asking = new AbortController();
    this.asking = asking;
    this.show({ question });
    this.answer(question, asking.signal).then(
      (said) => asking.signal.aborted || this.show({ question, ...said }),
      (error: unknown) => {
        if (!asking.signal.aborted) {
          this.show({ question, failure: failureText(explainFailure(errorMessage(error))) });
        }
      },
    );
  }

  dismiss(): void {
    this.asking.abort();
    if (this.shown) {
      this.show(undefined);
    }
  }

  dispose(): void {
    this.asking.abort();
  }

  private show(view: AsideView | undefined): void {
    this.shown = view;
    this.parts.onDidChange();
  }

  private async answer(
    question: string,
    signal: AbortSignal,
  ): Promise<Pick<AsideView, 'answer' | 'failure'>> {
    const session = this.parts.session();
    const before = session ? await forkedMessages(session) : [];
    const content = `${lead}\n\n${question}`;
    const context = {
      systemPrompt: session?.systemPrompt,
      messages: [...before, { role: 'user' as const, content, timestamp: 0 }],
    };
    const said = await this.parts.requests.ask(
      { kind: 'aside', context, maxTokens: maxAnswer },
      signal,
    );
    return typeof said === 'string' ? { answer: said } : { failure: failureText(said) };
  }
}

function failureText({ text, remedy }: ModelFailure): string {
  return withRemedy(text, remedy);
}

/**
 * What the model of the conversation knows up to now, also while a run goes on. Calls and their results are text:
 * providers take calls only where they know the tools.
 */
async function forkedMessages({
  agent,
  sessionManager,
}: Pick<PiSession, 'agent' | 'sessionManager'>): Promise<readonly Message[]> {
  const { messages } = sessionManager.buildSessionProjection();
  return (await agent.convertToLlm(messages)).flatMap(withoutTools);
}

function withoutTools(message: Message): readonly Message[] {
  const { role, timestamp } = message;
  switch (role) {
    case 'user':
      return [message];
    case 'assistant': {
      const content = message.content.flatMap((block) => {
        if (block.type === 'toolCall') {
          const args = JSON.stringify(block.arguments).slice(0, maxArguments);
          return [{ type: 'text' as const, text: `(The tool ${block.name} was called: ${args})` }];
        }
        return block.type === 'text' && block.text.trim() !== '' ? [block] : [];
      });
      return content.length > 0 ? [{ ...message, content, stopReason: 'stop' }] : [];
    }
    case 'toolResult': {
      const text = contentText(message.content.filter(({ type }) => type === 'text'));
      return [{ role: 'user', content: `(Result of ${message.toolName})\n${text}`, timestamp }];
    }
    case 'system':
      return [];
  }
}
