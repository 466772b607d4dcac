import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { WorkspaceFolder } from '../../../src/config/definition.js';
import type { LoggerProvider } from '../../../src/config/ports.js';
import type { McpServer, McpService } from '../../../src/mcp/mcpApi.js';
import { createNodeHostEnvironment } from '../../../src/platform/environment/nodeHostEnvironment.js';
import type { HostEnvironment, Logger } from '../../../src/platform/ports.js';
import { MemorySecrets } from '../../fixtures/memorySecrets.js';
import { CoreHarness } from '../coreHarness.js';
import { createFileTree, type FileTree } from './fileTree.js';
import { Listener } from './listener.js';
import { createSecret } from './secrets.js';
import { Tripwires } from './tripwires.js';

/** What the user has allowed. */
export type Trust =
  | 'Restricted Mode'
  | 'no consent'
  /** To the servers whose names begin with `agreed`, as they are when the window opens. */
  | 'consent to servers'
  | 'folder trust';

/** A hostile folder, the core of a window that opens it, and the canaries around it. */
export class Scene {
  readonly service: McpService;
  /** What the user answers when a server asks for an input. Default: the planted one. */
  answerInput: (id: string) => Promise<string | undefined>;
  readonly environment: HostEnvironment;
  /** Lines of the log of each server, and of the extension's own, all messages included. */
  readonly logs: Record<string, string[]> = {};

  private constructor(
    readonly core: CoreHarness,
    readonly folder: WorkspaceFolder,
    readonly bait: Bait,
    readonly secrets: PlantedSecrets,
  ) {
    const home = join(core.root, 'home');
    this.environment = createNodeHostEnvironment({
      homeDir: home,
      env: { PATH: process.env.PATH, HOME: home, ...plantedVariables(secrets) },
    });
    this.answerInput = async (id) => (id === 'planted' ? secrets.values.input : undefined);
    this.service = this.openCore();
  }

  /** Of a test, with which it ends. */
  static async create(trust: Trust, files: (scene: Bait) => FileTree): Promise<Scene> {
    const core = await CoreHarness.create();
    onTestFinished(() => core.dispose());
    core.isTrusted = trust !== 'Restricted Mode';
    const listener = await Listener.create();
    onTestFinished(() => listener.close());
    const ran = await Tripwires.create(join(core.root, 'ran'));
    const secrets = await plantSecrets(core, ran);
    const folder = await core.addFolder('repository', {});
    await rm(join(folder.fsPath ?? '', '.mcp.json'));
    const bait = { ran, listener, outside: core.root, folder: folder.fsPath ?? '' };
    await createFileTree(bait.folder, files(bait));
    const scene = new Scene(core, folder, bait, secrets);
    await scene.service.whenStarted();
    await scene.grant(trust);
    return scene;
  }

  get ran(): Tripwires {
    return this.bait.ran;
  }

  get listener(): Listener {
    return this.bait.listener;
  }

  /** Absolute path of a file of the repository. */
  path(...segments: readonly string[]): string {
    return join(this.folder.fsPath ?? '', ...segments);
  }

  write(files: FileTree): Promise<void> {
    return createFileTree(this.path(), files);
  }

  /** A file beside the repository. */
  rewrite(path: string, content: object): Promise<void> {
    return createFileTree(this.core.root, { [path]: content });
  }

  /** Files of the user. */
  writeHome(files: FileTree): Promise<void> {
    return createFileTree(join(this.core.root, 'home'), files);
  }

  /** Servers that the repository declares. */
  get servers(): readonly McpServer[] {
    const pool = this.service.pools.find(({ id }) => id === this.folder.uri);
    return pool?.servers ?? [];
  }

  /** Tries every way in which a user or a model may ask for a server of the repository; failures are expected. */
  async tryEverything(): Promise<void> {
    for (const server of this.servers) {
      await Promise.allSettled([
        server.ensureConnected(),
        server.callTool('echo', { message: 'hello' }),
        server.readResource('note://1'),
        server.getPrompt('greet', {}),
        server.complete({ kind: 'prompt', name: 'greet' }, { name: 'a', value: '' }),
        server.restart(),
      ]);
    }
    await this.service.reload();
    await this.service.trust.pendingConsent(this.folder.uri);
    await this.service.whenStarted();
  }

  /** Closes the window. What ran or was asked until then is final afterwards. */
  async end(): Promise<{ readonly sprung: readonly string[]; readonly heard: readonly string[] }> {
    await this.service.shutdown();
    return {
      sprung: await this.ran.sprung(),
      heard: this.listener.requests.map(({ method, path }) => `${method} ${path}`),
    };
  }

  private openCore(): McpService {
    return this.core.open(undefined, {
      environment: this.environment,
      loggers: this.loggers,
      isTrafficTraced: () => true,
      inputs: { resolve: (_pool, id) => this.answerInput(id) },
      secrets: this.secrets.storage,
    });
  }

  private get loggers(): LoggerProvider {
    const logger = (name: string): Logger => ({
      level: 'trace',
      log: (level, message) => {
        this.logs[name] ??= [];
        this.logs[name].push(`${level} ${message}`);
      },
    });
    return { forServer: ({ name }) => logger(name), main: logger('main') };
  }

  private async grant(trust: Trust): Promise<void> {
    const { trust: mcpTrust } = this.service;
    if (trust === 'folder trust') {
      await mcpTrust.trustFolder(this.folder.uri);
    } else if (trust === 'consent to servers') {
      const waiting = await mcpTrust.pendingConsent(this.folder.uri);
      const agreed = waiting.filter(({ name }) => name.startsWith('agreed'));
      await mcpTrust.trustServers(this.folder.uri, agreed);
    }
    await this.service.whenStarted();
  }
}

/** What a hostile file may point to. */
export interface Bait {
  readonly ran: Tripwires;
  readonly listener: Listener;
  /** A folder beside the repository; `home` in it is the user's. */
  readonly outside: string;
  /** The repository. */
  readonly folder: string;
}

export interface PlantedSecrets {
  /** Where it is planted → value. */
  readonly values: {
    /** Environment variable `PLANTED_VARIABLE`, whose name does not say that it is a secret. */
    readonly variable: string;
    /** Environment variable `PLANTED_TOKEN`. */
    readonly token: string;
    /** Input `planted`. */
    readonly input: string;
    /** Key `planted` of the SecretStorage. */
    readonly stored: string;
    /** Variable `KEY` of the user's own server `mine`. */
    readonly global: string;
    /** File `home/.ssh/id_planted` beside the repository. */
    readonly file: string;
  };
  readonly storage: MemorySecrets;
}

/** Of the environment. */
export function plantedVariables({ values }: PlantedSecrets): Readonly<Record<string, string>> {
  return { PLANTED_VARIABLE: values.variable, PLANTED_TOKEN: values.token };
}

async function plantSecrets(core: CoreHarness, ran: Tripwires): Promise<PlantedSecrets> {
  const values = {
    variable: createSecret('variable'),
    token: createSecret('token'),
    input: createSecret('input'),
    stored: createSecret('stored'),
    global: createSecret('global'),
    file: createSecret('file'),
  };
  const storage = new MemorySecrets();
  await storage.store('planted', values.stored);
  await core.writeGlobal({
    mine: { ...ran.launch('mine'), env: { KEY: values.global }, enabled: false },
  });
  await createFileTree(join(core.root, 'home'), { '.ssh/id_planted': values.file });
  return { values, storage };
}
