/** An `@` in the messages that the user changes: one that waits, and one that was sent. */
import type { AgentPageState, PageAccess } from '../../pageState.js';
import { currentCaret, placeCaret } from '../caret.js';
import { Mentions } from './mentions.js';

export const queueEditorId = 'queue-editor';
export const messageEditorId = 'message-editor';

interface EditedText {
  readonly id: string;
  readonly text: string;
}

export function queuedMentions(page: PageAccess, write: (text: string) => void): Mentions {
  return mentionsIn(page, {
    id: queueEditorId,
    of: 'queue',
    edited: ({ edited }) => edited,
    write,
  });
}

export function messageMentions(page: PageAccess, write: (text: string) => void): Mentions {
  const edited = ({ editedMessage }: AgentPageState) => editedMessage;
  return mentionsIn(page, { id: messageEditorId, of: 'message', edited, write });
}

function mentionsIn(
  page: PageAccess,
  {
    id,
    of,
    edited,
    write,
  }: {
    readonly id: string;
    readonly of: 'queue' | 'message';
    readonly edited: (state: AgentPageState) => EditedText | undefined;
    readonly write: (text: string) => void;
  },
): Mentions {
  return new Mentions(page, {
    into: () => `${of}/${edited(page.state)?.id}`,
    text: () => edited(page.state)?.text ?? '',
    write,
    caret: () => currentCaret(`#${id}`),
    place: (caret) => placeCaret(caret, `#${id}`),
  });
}
