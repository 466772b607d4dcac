import type { Event } from '../../base/event.js';
import type { McpServerId } from '../../config/definition.js';
import type { HoldFocus } from '../webviews/pageFocus.js';

/** The pages of the agent, to whoever asks the user something on behalf of a server. */
export interface QuestionPages {
  /** The user sees a page that shows the questions of the server. */
  shows(server: McpServerId): boolean;
  readonly onDidChangeVisibility: Event<void>;
  readonly holdFocus: HoldFocus;
}
