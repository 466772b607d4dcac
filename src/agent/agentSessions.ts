/** The conversations of all folders: at most one each, kept while another folder is shown. */
import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Disposable, DisposableMap, toDisposable } from '../base/disposable.js';
import { Emitter } from '../base/event.js';
import { Sequencer } from '../base/sequencer.js';
import type { McpService } from '../mcp/mcpApi.js';
import type { HostEnvironment, Logger, Workspace } from '../mcp/ports.js';
import { AgentSession, type AgentSessionChange, type ResumePoint } from './agentSession.js';
import type { ModelRef, Models } from './models.js';
import type { PiModule } from './piModule.js';
import type { ToolPolicy } from './toolPolicy.js';

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
  readonly tools: ToolPolicy | undefined;
  readonly preferredModel: () => ModelRef | undefined;
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

  /** The folder's conversation, started if there is none. */
  ensure(key: FolderKey): Promise<AgentSession | undefined> {
    return this.work.queue(async () => this.get(key) ?? (await this.create(key)));
  }

  /** Ends the folder's conversation and starts a new one. */
  renew(key: FolderKey): Promise<AgentSession | undefined> {
    return this.work.queue(async () => {
      this.sessions.delete(key);
      return await this.create(key);
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

  private async create(key: FolderKey, resume?: ResumePoint): Promise<AgentSession | undefined> {
    const { workspace, models, storageDir, preferredModel, ...shared } = this.options;
    const folder = workspace.folders.find(({ uri }) => uri === key);
    const home = join(storageDir, createHash('sha256').update(key).digest('hex').slice(0, 16));
    const cwd = folder?.fsPath ?? join(home, 'workspace');
    await mkdir(folder ? home : cwd, { recursive: true });
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
