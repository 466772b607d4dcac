/** The models that the user's Pi can use: built-in ones with a login and those of models.json. */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import type { Disposable } from '../../base/disposable.js';
import type { AgentModelView, AgentViewState } from '../../protocol/agentProtocol.js';
import type { PiModel, PiModelRuntime, PiModule } from '../pi/piModule.js';
import type { EditorModels } from './editor/port.js';
import { EditorProvider, editorProvider } from './editor/provider.js';

export type AgentProblem = NonNullable<AgentViewState['problem']>;

export interface ModelRef {
  readonly provider: string;
  readonly id: string;
}

/** A model and what it is called through. */
export interface ModelUse {
  readonly runtime: PiModelRuntime;
  readonly model: PiModel;
}

export function modelsPathOf(agentDir: string): string {
  return join(agentDir, 'models.json');
}

export function isSameModel(one: ModelRef, other: ModelRef): boolean {
  return one.provider === other.provider && one.id === other.id;
}

/** As settings have it. Ids may hold slashes, names of providers do not. */
export function modelName({ provider, id }: ModelRef): string {
  return `${provider}/${id}`;
}

export class Models implements Disposable {
  private models: readonly PiModel[] = [];
  private isEditorRead = false;

  private constructor(
    readonly runtime: PiModelRuntime,
    /** Of the user's Pi. */
    readonly agentDir: string,
    /** Those that the editor lends. */
    readonly editor: EditorProvider | undefined,
  ) {}

  /**
   * Reads files, never the network. Waits for the editor only where nothing could be done without it: {@link start} reads
   * its models otherwise.
   * @param editor default: it lends no models
   * @param wanted what the user wants to use. Default: any
   */
  static async create(
    pi: PiModule,
    agentDir: string,
    editor?: EditorModels,
    wanted?: ModelRef,
  ): Promise<Models> {
    const authPath = join(agentDir, 'auth.json');
    await ensureAuthFile(authPath);
    const runtime = await pi.ModelRuntime.create({
      authPath,
      modelsPath: modelsPathOf(agentDir),
      allowModelNetwork: false,
    });
    const provider = editor && new EditorProvider(pi, runtime, editor);
    const models = new Models(runtime, agentDir, provider);
    await models.readAvailable();
    if (provider && (!models.first || wanted?.provider === editorProvider)) {
      await models.readEditor();
    }
    return models;
  }

  /** Lets the models of the editor join; its `onDidChange` tells of them. */
  start(): void {
    if (!this.isEditorRead) {
      this.isEditorRead = true;
      this.editor?.readLater();
    }
  }

  /** Reads what the editor lends. @returns those that it does not any more */
  async readEditor(): Promise<readonly PiModel[]> {
    const before = this.models;
    this.isEditorRead = true;
    await this.editor?.read();
    await this.readAvailable();
    return before.filter((one) => !this.find(one));
  }

  /** There is no model, and nothing in the user's files keeps one away. */
  get isEmpty(): boolean {
    return this.first === undefined && this.runtime.getError() === undefined;
  }

  /** Why there is nothing to choose from, or `undefined`. */
  get problem(): AgentProblem | undefined {
    if (this.first) {
      return undefined;
    }
    const path = modelsPathOf(this.agentDir);
    return this.isEmpty
      ? {
          message: l10n.t('Pi has no model that it can use.'),
          remedy: l10n.t(
            'Pi keeps logins and keys in its own auth.json. You can also set the API key variable of a provider, or describe a model in {0}, and try again.',
            path,
          ),
          actions: ['openModels', 'reload'],
        }
      : {
          message: l10n.t('Pi could not use {0}, and no other model is set up.', path),
          // the parser's own message may quote the file, which may hold keys
          remedy: l10n.t('Correct the file, then try again.'),
          actions: ['openModels', 'reload', 'logIn'],
        };
  }

  async reload(): Promise<void> {
    await this.runtime.refresh({ allowNetwork: false });
    await this.readAvailable();
  }

  /** `undefined` when the model is unknown or has no login. */
  find(ref: ModelRef | undefined): PiModel | undefined {
    return ref && this.models.find((one) => isSameModel(one, ref));
  }

  /** Those that can be used now, or could once the user agrees to what they cost. */
  get all(): readonly PiModel[] {
    return this.models;
  }

  /** None that the user has to agree to first. */
  get first(): PiModel | undefined {
    return this.models.find((one) => this.isAgreed(one));
  }

  /** The user agreed to what its requests cost, as far as somebody has to ask. */
  isAgreed({ provider, id }: ModelRef): boolean {
    return provider !== editorProvider || this.editor?.isAgreed(id) === true;
  }

  /** Tells the user what its requests cost, where somebody has to. @returns whether they may be sent */
  async agree({ provider, id }: ModelRef): Promise<boolean> {
    return provider !== editorProvider || (await this.editor?.agree(id)) === true;
  }

  dispose(): void {
    this.editor?.dispose();
  }

  private async readAvailable(): Promise<void> {
    this.models = await this.runtime.getAvailable();
  }
}

export function modelView(model: PiModel): AgentModelView {
  const { provider, id, name, input } = model;
  return { provider, id, label: name || id, takesImages: input.includes('image') };
}

/** Pi would make it in place, and half of it would keep every later window from starting. Never rejects. */
async function ensureAuthFile(path: string): Promise<void> {
  if (existsSync(path)) {
    return;
  }
  const draft = `${path}.${randomUUID()}.tmp`;
  try {
    await writeFile(draft, '{}', { flag: 'wx', mode: 0o600 });
    // takes the place of nothing that came meanwhile
    await link(draft, path);
  } catch {
    // Pi makes it, or says why it cannot
  } finally {
    await rm(draft, { force: true }).catch(() => undefined);
  }
}
