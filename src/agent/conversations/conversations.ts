/** Stored conversations as files: which there are, what they are called, and which have to go. Needs no Pi. */
import { createHash } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import { HumanError } from '../../base/errors.js';
import { isJsonObject } from '../../base/json.js';
import { readFileLines } from '../../platform/boundedFile.js';
import { queuePath } from '../queue/queueFile.js';
import { userMessageView } from '../transcript/userMessage.js';
import { conversationTitle } from './title.js';

export interface ConversationInfo {
  /** Name of its file, unique within its folder. */
  readonly id: string;
  readonly title: string;
  /** Milliseconds since the epoch. */
  readonly modifiedAt: number;
}

export interface ListedConversation extends ConversationInfo {
  /** It is the one that the panel shows. */
  readonly isShown: boolean;
}

export interface ConversationLimits {
  /** Per folder; 0 = no limit. */
  readonly maxCount: number;
  /** 0 = no limit. */
  readonly maxAgeDays: number;
}

const dayMs = 24 * 60 * 60 * 1000;
// the request stands behind the system prompt and the tools
const maxTitleBytes = 4 * 1024 * 1024;

/** Where the conversations of a workspace folder are kept. */
export function conversationDir(storageDir: string, folderKey: string): string {
  return join(storageDir, createHash('sha256').update(folderKey).digest('hex').slice(0, 16));
}

/** @throws {HumanError} for anything but the id of a conversation. */
export function conversationPath(dir: string, id: string): string {
  if (!/^[\w.-]+\.jsonl$/.test(id)) {
    throw new HumanError('no_conversation', l10n.t('This conversation does not exist any more.'), {
      remedy: l10n.t('Choose another one, or start a new one.'),
    });
  }
  return join(dir, id);
}

/** Newest first. */
export async function listConversations(dir: string): Promise<readonly ConversationInfo[]> {
  const files = await conversationFiles(dir);
  return await Promise.all(
    files.map(async ({ id, modifiedAt }) => ({
      id,
      modifiedAt,
      title: conversationTitle((await readFirstRequest(join(dir, id))) ?? ''),
    })),
  );
}

/** With what waits to be sent in it. */
export async function deleteConversation(dir: string, id: string): Promise<void> {
  const path = conversationPath(dir, id);
  await rm(path, { force: true });
  await rm(queuePath(path), { force: true });
}

/**
 * Deletes what is beyond the limits, in the conversations of every folder.
 * @param kept absolute paths that stay in any case
 */
export async function pruneConversations(
  storageDir: string,
  { maxCount, maxAgeDays }: ConversationLimits,
  kept: ReadonlySet<string>,
  now = Date.now(),
): Promise<void> {
  const oldest = maxAgeDays > 0 ? now - maxAgeDays * dayMs : 0;
  const most = maxCount > 0 ? maxCount : Number.POSITIVE_INFINITY;
  for (const name of await readNames(storageDir)) {
    const dir = join(storageDir, name);
    const files = await conversationFiles(dir);
    const gone = files.filter(({ modifiedAt }, index) => index >= most || modifiedAt < oldest);
    for (const { id } of gone) {
      if (!kept.has(join(dir, id))) {
        await deleteConversation(dir, id);
      }
    }
  }
}

async function conversationFiles(dir: string) {
  const names = (await readNames(dir)).filter((name) => name.endsWith('.jsonl'));
  const files = await Promise.all(
    names.map(async (id) => {
      const stats = await stat(join(dir, id)).catch(() => undefined);
      return stats?.isFile() ? [{ id, modifiedAt: stats.mtimeMs }] : [];
    }),
  );
  return files.flat().sort((a, b) => b.modifiedAt - a.modifiedAt);
}

async function readNames(dir: string): Promise<readonly string[]> {
  // nothing was stored yet
  return readdir(dir).catch(() => []);
}

/** Reads no further than it has to. */
async function readFirstRequest(path: string): Promise<string | undefined> {
  try {
    for await (const line of readFileLines(path, maxTitleBytes)) {
      const text = line.includes('"user"') ? requestOf(line) : undefined;
      if (text !== undefined) {
        return text;
      }
    }
  } catch {
    // deleted or not readable meanwhile
  }
  return undefined;
}

function requestOf(line: string): string | undefined {
  try {
    const entry: unknown = JSON.parse(line);
    const message = isJsonObject(entry) && entry.type === 'message' ? entry.message : undefined;
    return isJsonObject(message) && message.role === 'user'
      ? userMessageView(message.content).text
      : undefined;
  } catch {
    // a line that was written only in part
    return undefined;
  }
}
