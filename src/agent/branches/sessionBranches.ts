/** Moves a conversation to another place in its tree. Nothing is ever taken out of it: what was said stays a branch. */
import * as l10n from '@vscode/l10n';
import { HumanError } from '../../base/errors.js';
import type { PiEvent, PiSession } from '../pi/piModule.js';
import type { CompactionStored } from '../transcript/compaction.js';
import { type StoredInput, sentMessage, storedAt } from '../transcript/stored.js';
import { markPlace } from './places.js';
import { ConversationTree, type Place } from './tree.js';

/** Entries back from the end among which Pi's latest message is. */
const nearEnd = 20;

export interface SessionBranchesOptions {
  readonly session: PiSession;
  /** Nothing runs and nothing begins before `work` has ended. @throws {HumanError} while something runs */
  readonly whileIdle: (work: () => Promise<void>) => Promise<void>;
  /** Calls work in the background, whose results belong to the branch that they are in. */
  readonly hasTasks: () => boolean;
  /** Shows and offers what the branch has in which the session is now. `isQuiet`: the user goes on at once. */
  readonly show: (isQuiet: boolean) => Promise<void>;
  readonly onStored: (input: StoredInput | CompactionStored) => void;
}

export class SessionBranches {
  constructor(private readonly options: SessionBranchesOptions) {}

  /** Where the conversation is. It stays a place to come back to, whatever is said later. */
  get place(): Place {
    return this.options.session.sessionManager.getLeafId();
  }

  get tree(): ConversationTree {
    return new ConversationTree(this.options.session.sessionManager.getEntries());
  }

  /** The message of the user as Pi has it. @throws {HumanError} when it is none of this conversation */
  contentOf(messageId: string): unknown {
    const entry = this.options.session.sessionManager.getEntry(messageId);
    if (entry?.type !== 'message' || entry.message.role !== 'user') {
      throw messageUnknown();
    }
    return entry.message.content;
  }

  /** Tells of messages and summaries that Pi stores. */
  follow(event: PiEvent): void {
    if (event.type === 'compaction_end' && event.result) {
      this.tellSummary(event.result.estimatedTokensAfter);
    }
    if (event.type === 'message_end') {
      // Pi stores it as soon as everyone was told
      queueMicrotask(() => {
        const input = this.storedInput(event.message);
        if (input) {
          this.options.onStored(input);
        }
      });
    }
  }

  /**
   * Goes to where a message of the user was sent, as if it had not been.
   * @param isQuiet another one is sent in its place at once
   * @returns the place that was left, for {@link goTo}
   * @throws {HumanError} while something runs, or when there is no such message; the conversation is where it was then
   */
  async goBefore(messageId: string, isQuiet = false): Promise<Place> {
    const place = this.tree.placeBefore(messageId);
    if (place === undefined) {
      throw messageUnknown();
    }
    return await this.goTo(place, isQuiet);
  }

  /**
   * Goes to where a summary was made, as if it had not been.
   * @throws {HumanError} as {@link goBefore}
   */
  async undoSummary(id: string): Promise<Place> {
    const entry = this.options.session.sessionManager.getEntry(id);
    if (entry?.type !== 'compaction') {
      throw new HumanError('summary_unknown', l10n.t('This is not there any more.'), {
        remedy: l10n.t('Choose another one.'),
      });
    }
    return await this.goTo(entry.parentId);
  }

  /**
   * Shows another one of the messages that were sent in the place of one, with what was said last after it.
   * @param by 0: the message itself
   * @returns the message that is shown
   */
  async showAlternative(messageId: string, by: 1 | 0 | -1): Promise<string> {
    const { tree } = this;
    const alternatives = tree.alternativesOf(messageId);
    const other = alternatives?.ids[alternatives.at + by];
    if (other === undefined) {
      throw messageUnknown();
    }
    await this.goTo(tree.endBelow(other));
    return other;
  }

  /** As {@link goBefore}, to any place. */
  async goTo(place: Place, isQuiet = false): Promise<Place> {
    const { whileIdle, hasTasks, show } = this.options;
    if (hasTasks()) {
      throw taskUnderWay();
    }
    const left = this.place;
    if (place !== left) {
      await whileIdle(async () => {
        await this.move(place);
        await show(isQuiet);
      });
    }
    return left;
  }

  private tellSummary(tokensAfter: number | undefined): void {
    const branch = this.options.session.sessionManager.getBranch();
    const stored = branch.findLast(({ type }) => type === 'compaction');
    if (stored) {
      this.options.onStored({ type: 'compaction_stored', id: stored.id, tokensAfter });
    }
  }

  private storedInput(message: unknown): StoredInput | undefined {
    const manager = this.options.session.sessionManager;
    let entry = manager.getLeafEntry();
    for (let steps = 0; entry && steps < nearEnd; steps++) {
      if (entry.type === 'message' && entry.message === message) {
        const { id } = entry;
        const { role } = entry.message;
        const at = storedAt(entry.timestamp);
        if (role === 'user') {
          const alternatives = this.tree.alternativesOf(id);
          return { type: 'message_stored', role, ...sentMessage(id, alternatives), ...at };
        }
        return role === 'assistant' ? { type: 'message_stored', role, id, ...at } : undefined;
      }
      entry = entry.parentId === null ? undefined : manager.getEntry(entry.parentId);
    }
    return undefined;
  }

  private async move(place: Place): Promise<void> {
    const { session } = this.options;
    const manager = session.sessionManager;
    const left = manager.getLeafId();
    const isCut = !this.tree.isEnd(place);
    // Pi goes to entries alone, and before messages of the user
    this.point(place);
    const mark = markPlace(manager, isCut);
    this.point(left);
    const { cancelled } = await session.navigateTree(mark);
    if (cancelled) {
      markPlace(manager, false);
      throw moveRefused();
    }
    this.keepChoices();
  }

  private point(place: Place): void {
    const manager = this.options.session.sessionManager;
    if (place === null) {
      manager.resetLeaf();
    } else {
      manager.branch(place);
    }
  }

  /** Model and thinking stay as the user chose them last, also when the file is read again. */
  private keepChoices(): void {
    const { sessionManager: manager, model, thinkingLevel } = this.options.session;
    const known = manager.buildSessionContext();
    if (model && (known.model?.provider !== model.provider || known.model.modelId !== model.id)) {
      manager.appendModelChange(model.provider, model.id);
    }
    if (known.thinkingLevel !== thinkingLevel) {
      manager.appendThinkingLevelChange(thinkingLevel);
    }
  }
}

function messageUnknown(): HumanError {
  return new HumanError('message_unknown', l10n.t('This is not there any more.'), {
    remedy: l10n.t('Choose another one.'),
  });
}

function taskUnderWay(): HumanError {
  return new HumanError(
    'task_under_way',
    l10n.t('A call of this conversation still works in the background.'),
    { remedy: l10n.t('Wait until it has finished, or stop it first.') },
  );
}

function moveRefused(): HumanError {
  return new HumanError(
    'move_refused',
    l10n.t('A Pi extension keeps the conversation where it is.'),
    { remedy: l10n.t('Fork it instead, or unload the extension.') },
  );
}
