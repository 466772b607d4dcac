/** A hostile folder with an agent in it, whose model is on loopback and tells what it was sent. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { ExtensionPolicy } from '../../../src/agent/session/piSession.js';
import { ValueEmitter } from '../../../src/base/valueEmitter.js';
import { type AgentHarness, createAgentHarness } from '../fakes/agentHarness.js';
import { createFileTree, type FileTree } from './fileTree.js';
import { createSecret, findSecrets } from './secrets.js';
import { Tripwires } from './tripwires.js';

export interface AgentBait {
  /** Absolute; holds files of the user beside the folder. */
  readonly outside: string;
  /** Absolute path of a file outside that holds nothing but the secret. */
  readonly secretPath: string;
  readonly secret: string;
  readonly ran: Tripwires;
}

export interface AgentSceneOptions {
  readonly files?: (bait: AgentBait) => FileTree;
  /** Default true. */
  readonly isTrusted?: boolean;
  /** Extensions of the user, which are on. Default: none. */
  readonly extensions?: (bait: AgentBait) => FileTree;
  readonly extensionPolicy?: ExtensionPolicy;
}

export class AgentScene implements AgentBait {
  private constructor(
    readonly agent: AgentHarness,
    readonly outside: string,
    readonly secretPath: string,
    readonly secret: string,
    readonly ran: Tripwires,
  ) {}

  /** Of a test, with which it ends. */
  static async create(options: AgentSceneOptions): Promise<AgentScene> {
    const { files, isTrusted = true, extensions } = options;
    const { extensionPolicy = { isOn: new ValueEmitter(true) } } = options;
    const agent = await createAgentHarness({ isTrusted, extensions: extensionPolicy });
    onTestFinished(() => agent.dispose());
    const outside = join(agent.root, 'outside');
    await mkdir(outside);
    const secret = createSecret('planted');
    const secretPath = join(outside, 'secret.md');
    await writeFile(secretPath, secret);
    const ran = await Tripwires.create(join(agent.root, 'ran'));
    const scene = new AgentScene(agent, outside, secretPath, secret, ran);
    await createFileTree(scene.path(), files?.(scene) ?? {});
    await createFileTree(agent.agentDir, extensions?.(scene) ?? {});
    return scene;
  }

  /** Absolute path of a file of the folder. */
  path(...segments: readonly string[]): string {
    return join(this.agent.folders[0]?.fsPath ?? '', ...segments);
  }

  /** Says something and waits until the run is over. */
  async say(text: string): Promise<void> {
    await this.agent.panel.prompt(text);
    await this.agent.untilDone();
  }

  /** The model was sent the secret, in any form. */
  get isSecretTold(): boolean {
    const requests = JSON.stringify(this.agent.demo.requests);
    return findSecrets({ requests }, { secret: this.secret }).length > 0;
  }
}
