/** The stored conversations of the folder that a panel shows: found, named, copied, deleted and brought back. */
import { basename } from 'node:path';
import * as l10n from '@vscode/l10n';
import { HumanError } from '../../base/errors.js';
import type { Event } from '../../base/event.js';
import { createMask, type MaskText, maskDocument } from '../../config/secrets/secretMask.js';
import { secretsOfServers } from '../../mcp/service/serverSecrets.js';
import { changedFiles } from '../conversations/changedFiles.js';
import type { ConversationState } from '../conversations/conversationEnd.js';
import {
  type ConversationInfo,
  conversationPath,
  deleteConversation,
  KnownConversations,
  listConversations,
  restoreConversation,
} from '../conversations/conversations.js';
import {
  conversationDocument,
  conversationMarkdown,
  searchableText,
} from '../conversations/conversationText.js';
import { FileMemo } from '../conversations/fileMemo.js';
import { readConversation } from '../conversations/storedConversation.js';
import type { LiveConversation } from '../live/liveConversation.js';
import type { AgentPanelOptions } from './options.js';
import type { ShownSessions } from './shownSessions.js';

export interface ListedConversation extends ConversationInfo {
  /** It is the one that the panel shows. */
  readonly isShown: boolean;
  readonly state: ConversationState;
  /** Files that it changed. */
  readonly changedFiles: number;
  /** Bytes on disk of what those files held. */
  readonly keptBytes: number;
}

/** Characters. */
const maxNameLength = 200;
const maxRequests = 200;

export class ConversationLibrary {
  private readonly texts = new FileMemo<string>();

  private readonly known = new KnownConversations();

  /** What {@link list} says may be another. */
  readonly onDidChange: Event<void>;

  constructor(
    private readonly sessions: ShownSessions,
    private readonly options: Pick<AgentPanelOptions, 'service' | 'machine'>,
  ) {
    this.onDidChange = sessions.onDidChangeLive;
  }

  /** Those that wait for the user first, then those that work, then the newest. Loads nothing of Pi. */
  async list(): Promise<readonly ListedConversation[]> {
    const stored = await listConversations(await this.sessions.places(), this.known);
    const { live } = this.sessions;
    const isStored = new Set(stored.map(({ id }) => id));
    // before the first answer there is no file
    const begun = live.filter(({ id, title }) => title !== undefined && !isStored.has(id));
    return [
      ...stored.map(({ end, ...info }) => {
        const open = live.find(({ id }) => id === info.id);
        return {
          ...info,
          isShown: false,
          state: end,
          ...(open && this.liveFacts(open, info.title)),
        };
      }),
      ...begun.map((open) => ({
        id: open.id,
        modifiedAt: open.openedAt,
        keptBytes: 0,
        ...this.liveFacts(open, ''),
      })),
    ].sort(byState);
  }

  /** Shows another conversation of the folder; the one before goes on. */
  async open(id: string): Promise<void> {
    if (!this.isShown(this.liveOne(id))) {
      await this.sessions.switchTo(id);
    }
  }

  /** An empty name takes the name away, so that the first request is the title again. */
  async rename(id: string, name: string): Promise<void> {
    const path = await this.pathOf(id);
    const oneLine = name.replace(/\s+/g, ' ').trim().slice(0, maxNameLength);
    const live = this.liveOne(id);
    if (live) {
      this.sessions.rename(live, oneLine);
    } else {
      await (await this.sessions.files()).rename(path, oneLine);
    }
  }

  /** Shows a copy, which goes on by itself. @param end id of Pi's of the message that is its last one; default: all */
  async fork(id: string, end?: string): Promise<void> {
    const { path, title } = await this.answered(id);
    const files = await this.sessions.files();
    const copy = await files.copy(path, l10n.t('Fork of {0}', title), end);
    await this.sessions.switchTo(basename(copy));
  }

  /** As {@link fork}, of what was said in the shown one up to a message. */
  async forkFrom(messageId: string): Promise<void> {
    await this.fork(this.sessions.shown?.id ?? '', messageId);
  }

  /** What runs in it ends. When it is the shown one, a new one is shown in its place. {@link restore} brings it back for a day. */
  async delete(id: string): Promise<void> {
    const path = await this.pathOf(id);
    const live = this.liveOne(id);
    if (this.isShown(live)) {
      await this.sessions.leave();
    }
    if (live) {
      await this.sessions.close(id);
    }
    await deleteConversation(path);
  }

  async restore(id: string): Promise<void> {
    await restoreConversation(await this.pathOf(id));
  }

  /** To be read elsewhere: without secrets. */
  async markdown({ id }: Pick<ConversationInfo, 'id'>): Promise<string> {
    const { path, heading } = await this.headed(id);
    return this.mask(conversationMarkdown(heading, await readConversation(path)));
  }

  /** As {@link markdown}, for programs. */
  async json({ id }: Pick<ConversationInfo, 'id'>): Promise<string> {
    const { path, heading } = await this.headed(id);
    const document = conversationDocument(heading, await readConversation(path));
    return `${JSON.stringify(maskDocument(document, this.mask), undefined, 2)}\n`;
  }

  /** All words of a conversation. Never rejects: what cannot be read has none. */
  async textOf({ id, modifiedAt }: ConversationInfo): Promise<string> {
    try {
      return await this.texts.get(id, String(modifiedAt), async () =>
        searchableText(await readConversation(await this.pathOf(id))),
      );
    } catch {
      // as far as can be told now
      return '';
    }
  }

  /** What the user sent in the other conversations, the latest first; one that cannot be read has none. */
  async earlierRequests(): Promise<readonly string[]> {
    const others = (await this.list()).filter(({ isShown }) => !isShown);
    let texts: readonly string[] = [];
    for (const { id } of others.sort((a, b) => b.modifiedAt - a.modifiedAt)) {
      if (texts.length >= maxRequests) {
        break;
      }
      const { parts } = await this.pathOf(id)
        .then(readConversation)
        .catch(() => ({ parts: [] }));
      const requests = parts.flatMap((part) => (part.kind === 'request' ? [part.text] : []));
      texts = [...texts, ...requests.reverse().filter((text) => text !== '')];
    }
    return texts.slice(0, maxRequests);
  }

  private async pathOf(id: string): Promise<string> {
    return await conversationPath(await this.sessions.places(), id);
  }

  private liveOne(id: string): LiveConversation | undefined {
    return this.sessions.live.find((one) => one.id === id);
  }

  private isShown(one: LiveConversation | undefined): boolean {
    return one !== undefined && one === this.sessions.shown;
  }

  private liveFacts(one: LiveConversation, stored: string) {
    const { title = stored, state, session } = one;
    const changes = session.builtInCalls.changes.state;
    const count = changes ? changedFiles(changes) : 0;
    return { isShown: this.isShown(one), title, state, changedFiles: count };
  }

  /** Hides what the configuration keeps secret, and what looks like a secret. */
  private get mask(): MaskText {
    const { service, machine } = this.options;
    return createMask(secretsOfServers(service, machine.environment));
  }

  /** With the name of the folder; absent for a window without folders. */
  private async headed(id: string) {
    const { path, title } = await this.answered(id);
    const { folders } = this.options.machine.workspace;
    const folder = folders.find(({ uri }) => uri === this.sessions.folder)?.name;
    return { path, heading: { title, folder } };
  }

  /** @throws {HumanError} while there is nothing of it on disk. */
  private async answered(id: string): Promise<{ readonly path: string; readonly title: string }> {
    const stored = await listConversations(await this.sessions.places(), this.known);
    const title = stored.find((one) => one.id === id)?.title;
    if (title === undefined) {
      throw new HumanError('no_conversation', l10n.t('There is no answer yet.'));
    }
    return { path: await this.pathOf(id), title: this.liveOne(id)?.title ?? title };
  }
}

type Ordered = Pick<ListedConversation, 'state' | 'modifiedAt'>;

/** What waits for the user, then what works, then the rest; of each the newest first. */
function byState(a: Ordered, b: Ordered): number {
  return rankOf(a.state) - rankOf(b.state) || b.modifiedAt - a.modifiedAt;
}

function rankOf(state: ConversationState): number {
  return state === 'needs_you' ? 0 : state === 'working' ? 1 : 2;
}
