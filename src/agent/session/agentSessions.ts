/** The conversations of all folders: at most one each, kept while another folder is shown. */
import { mkdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import * as l10n from '@vscode/l10n';
import { Sequencer } from '../../base/async/sequencer.js';
import { type Disposable, DisposableMap, toDisposable } from '../../base/disposable.js';
import { errorMessage } from '../../base/errors.js';
import { Emitter } from '../../base/event.js';
import type { Workspace } from '../../config/ports.js';
import type { McpService } from '../../mcp/mcpApi.js';
import type { HostEnvironment, Logger } from '../../platform/ports.js';
import type { OpenEditors } from '../changes/ports.js';
import { conversationDir, conversationPath } from '../conversations/conversations.js';
import type { ConversationMemory } from '../conversations/memory.js';
import type { ModelRef, Models } from '../models/models.js';
import type { PiModule } from '../pi/piModule.js';
import type { ToolPolicy } from '../policy/toolPolicy.js';
import { AgentSession, type AgentSessionChange } from './agentSession.js';
import type { ExtensionPolicy } from './piSession.js';
import type { ResumePoint } from './stored/storedSession.js';

/** Key of a folder's conversation; `noFolder` for a window without folders. */
export type FolderKey = string;
export const noFolder: FolderKey = '';

export interface AgentSessionsOptions {
  readonly pi: PiModule;
  readonly models: Models;
  readonly service: McpService;
  readonly workspace: Workspace;
  readonly environment: HostEnvironment;
  readonly logger: Logger;
  readonly agentDir: string;
  /** Absolute. */
  readonly storageDir: string;
  readonly isYolo: () => boolean;
  readonly editors: OpenEditors | undefined;
  readonly tools: ToolPolicy | undefined;
  readonly extensions: ExtensionPolicy;
  readonly preferredModel: () => ModelRef | undefined;
  readonly memory: ConversationMemory;
}

export interface SessionChange {
  readonly key: FolderKey;
  readonly change: AgentSessionChange;
}

export class AgentSessions implements Disposable {
  private readonly sessions = new DisposableMap<FolderKey, OwnedSession>();
  private readonly changeEmitter = new Emitter<SessionChange>();
  private readonly work = new Sequencer();
  private isDisposed = false;

  readonly onDidChange = this.changeEmitter.event;

  constructor(private readonly options: AgentSessionsOptions) {}

  get(key: FolderKey): AgentSession | undefined {
    return this.sessions.get(key)?.session;
  }

  /** Open approvals of a folder's conversation. */
  waiting(key: FolderKey): number {
    return this.get(key)?.approvals.open.length ?? 0;
  }

  /** Where the folder's conversations are kept. */
  dirOf(key: FolderKey): string {
    return conversationDir(this.options.storageDir, key);
  }

  /** The open conversation whose file has that name. */
  named(conversation: string): AgentSession | undefined {
    const all = [...this.sessions.keys()].map((key) => this.get(key));
    return all.find((session) => session?.file && basename(session.file) === conversation);
  }

  /** Files of the conversations that are open. */
  get files(): ReadonlySet<string> {
    return new Set([...this.sessions.keys()].flatMap((key) => this.get(key)?.file ?? []));
  }

  /** The folder's conversation: the one that it showed last, or a new one. */
  ensure(key: FolderKey): Promise<AgentSession | undefined> {
    return this.work.queue(async () => {
      return this.get(key) ?? (await this.open(key, await this.options.memory.recall(key)));
    });
  }

  /** Ends the folder's conversation and shows another one. @param conversationId default: a new one */
  renew(key: FolderKey, conversationId?: string): Promise<AgentSession | undefined> {
    return this.work.queue(async () => {
      await this.get(key)?.stop();
      this.sessions.delete(key);
      return await this.open(key, conversationId);
    });
  }

  /** Starts every conversation again where it was, for a change of Workspace Trust. Runs under way end. */
  restartAll(): Promise<void> {
    return this.work.queue(async () => {
      for (const key of [...this.sessions.keys()]) {
        const session = this.get(key);
        await session?.stop();
        const resume = session?.resumePoint;
        this.sessions.delete(key);
        await this.create(key, resume);
      }
    });
  }

  /** Some folder's extensions may run now and do not, or run and may not any more. */
  get hasStaleExtensions(): boolean {
    const { trust } = this.options.service;
    return [...this.sessions.keys()].some((key) => {
      const folder = this.get(key)?.controls.extensions.folder;
      return folder !== undefined && trust.mayLoadExtensions(key, folder.hash) !== folder.isLoaded;
    });
  }

  /** Ends the conversations of folders that left the workspace. */
  keepOnly(keys: ReadonlySet<FolderKey>): void {
    for (const key of [...this.sessions.keys()]) {
      if (!keys.has(key)) {
        this.sessions.delete(key);
      }
    }
  }

  dispose(): void {
    this.isDisposed = true;
    this.sessions.dispose();
    this.changeEmitter.dispose();
  }

  private async open(key: FolderKey, conversationId?: string): Promise<AgentSession | undefined> {
    const { memory, logger } = this.options;
    let session: AgentSession | undefined;
    try {
      const path = conversationId && conversationPath(this.dirOf(key), conversationId);
      session = await this.create(key, path ? { sessionFile: path } : undefined);
    } catch (error) {
      if (conversationId === undefined) {
        throw error;
      }
      logger.log('error', errorMessage(error));
      session = await this.create(key);
      session?.report(
        l10n.t(
          'The conversation could not be read, so this is a new one: {0}',
          errorMessage(error),
        ),
      );
    }
    const file = session?.file;
    await memory.remember(key, file && basename(file));
    return session;
  }

  private async create(key: FolderKey, resume?: ResumePoint): Promise<AgentSession | undefined> {
    const { workspace, models, storageDir, preferredModel, memory: _, ...shared } = this.options;
    const folder = workspace.folders.find(({ uri }) => uri === key);
    const home = conversationDir(storageDir, key);
    const cwd = folder?.fsPath ?? join(home, 'workspace');
    await mkdir(folder ? home : cwd, { recursive: true, mode: 0o700 });
    const model = models.find(preferredModel());
    const session = await AgentSession.create({
      ...shared,
      models,
      ...(model && { model }),
      folderUri: folder?.uri,
      cwd,
      sessionDir: home,
      isWorkspaceTrusted: workspace.isTrusted,
      ...(resume && { resume }),
    });
    if (this.isDisposed) {
      session.dispose();
      return undefined;
    }
    const subscription = session.onDidChange((change) => this.changeEmitter.fire({ key, change }));
    this.sessions.set(key, {
      session,
      ...toDisposable(() => {
        subscription.dispose();
        session.dispose();
      }),
    });
    return session;
  }
}

interface OwnedSession extends Disposable {
  readonly session: AgentSession;
}
