/** What the model of a conversation knows, for a request without tools: providers take calls only where they know the tools. */
import type { PiSession } from '../../pi/piModule.js';
import { contentText } from '../../transcript/content.js';
import type { SideContext } from './sideRequests.js';

type Message = SideContext['messages'][number];

/** Characters of what a call was given. */
const maxArguments = 2_000;

/** Up to now, also while a run goes on. Calls and their results are text. */
export async function forkedMessages({
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
