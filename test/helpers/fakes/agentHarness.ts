/** The real panel model over the real Pi, the demo model on loopback and temporary folders. */
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { OpenEditors } from '../../../src/agent/changes/ports.js';
import type { ConversationKeeper } from '../../../src/agent/conversations/places.js';
import type { WaitingServers } from '../../../src/agent/live/liveConversation.js';
import type { EditorModels } from '../../../src/agent/models/editor/port.js';
import type { ModelRef } from '../../../src/agent/models/models.js';
import { AgentPanel } from '../../../src/agent/panel/agentPanel.js';
import type { ConversationTabs } from '../../../src/agent/panel/options.js';
import type { ThinkingLevel } from '../../../src/agent/pi/controls.js';
import { defaultToolPolicy, type ToolPolicy } from '../../../src/agent/policy/toolPolicy.js';
import type { ExtensionPolicy } from '../../../src/agent/session/piSession.js';
import { toDisposable } from '../../../src/base/disposable.js';
import type { JsonObject } from '../../../src/base/json.js';
import { type ObservableValue, ValueEmitter } from '../../../src/base/valueEmitter.js';
import type { WorkspaceFolder } from '../../../src/config/definition.js';
import { ToolProfiles } from '../../../src/mcp/catalog/records/toolProfiles.js';
import type { SwitchPlace } from '../../../src/mcp/catalog/records/toolSwitches.js';
import type { McpService } from '../../../src/mcp/mcpApi.js';
import { createNodeHostEnvironment } from '../../../src/platform/environment/nodeHostEnvironment.js';
import type { FileWatcher, Logger } from '../../../src/platform/ports.js';
import type { AgentSnapshot, TranscriptEntry } from '../../../src/protocol/agentProtocol.js';
import type { AgentMode } from '../../../src/protocol/tools/modes.js';
import { startDemoModel, writeDemoModels } from '../../workbench/demo/demoModel.mjs';
import { noteStart } from '../starts.js';
import { type CallableServer, FakeMcpService, FakeWorkspace } from './fakeAgentMcp.js';

// a developer's own keys would add models
for (const name of Object.keys(process.env).filter((key) => /_(API_KEY|TOKEN)$/.test(key))) {
  delete process.env[name];
}

/** Settings of Pi: a summary leaves but the last few words. */
export const smallSummaries = { compaction: { keepRecentTokens: 20, reserveTokens: 1_000 } };
/** Enough to be summarized then. */
export const longTalk = ['hello '.repeat(60), 'hello again '.repeat(60)];

export type ToolEntry = Extract<TranscriptEntry, { kind: 'tool' }>;

export interface AgentHarnessOptions {
  readonly servers?: (folders: readonly WorkspaceFolder[]) => readonly CallableServer[];
  /** Default: a fake one with `servers`. */
  readonly service?: McpService;
  /** Default: one. */
  readonly folderNames?: readonly string[];
  /** Default true. */
  readonly hasModel?: boolean;
  /** Default true. */
  readonly isTrusted?: boolean;
  /** That of conversations which have none of their own. Default: it asks. */
  readonly mode?: AgentMode;
  readonly nodeVersion?: string;
  readonly tools?: ToolPolicy;
  /** The user's own profiles. Default: there are none. */
  readonly profiles?: ObservableValue<unknown>;
  /** Default: no extension of the user is loaded. */
  readonly extensions?: ExtensionPolicy;
  /** Default: no editor is open. */
  readonly editors?: OpenEditors;
  /** Settings of the user's own files. Default: none. */
  readonly settings?: JsonObject;
  /** Where there may have been a harness before, and a model that goes on. Default: ones of its own. */
  readonly place?: { readonly root: string; readonly modelUrl: string };
  /** Beside the path. Default: nothing. */
  readonly env?: Readonly<Record<string, string>>;
  /** Default: with us. */
  readonly keeper?: () => ConversationKeeper;
  /** Default: the editor lends no models. */
  readonly editorModels?: EditorModels;
  /** Ports on which servers of models may listen. Default: none. */
  readonly localModelPorts?: readonly number[];
  /** Default: nobody tells of changed files. */
  readonly watcher?: FileWatcher;
  /** What servers ask. Default: nothing. */
  readonly questions?: WaitingServers;
  /** Default: no conversation has a tab. */
  readonly tabs?: ConversationTabs;
}

type AfterFirst<All extends readonly unknown[]> = All extends readonly [unknown, ...infer Rest]
  ? Rest
  : never;

function policyWith(own: ObservableValue<unknown>, service: McpService): ToolPolicy {
  const memory = { recall: () => undefined, remember: () => Promise.resolve() };
  const profiles = new ToolProfiles({ service, own, memory });
  const isOn = (place: SwitchPlace) => profiles.allows(place);
  const switches = { isOn, onDidChange: profiles.onDidChange };
  return { ...defaultToolPolicy, profiles, switches };
}

export async function createAgentHarness(options: AgentHarnessOptions = {}) {
  const { place } = options;
  const root = place?.root ?? (await mkdtemp(join(tmpdir(), 'pi-mcp-agent-')));
  const agentDir = join(root, 'agent');
  const folders = (options.folderNames ?? ['app']).map((name) => {
    const fsPath = join(root, name);
    return { uri: pathToFileURL(fsPath).href, name, fsPath };
  });
  const paths = [agentDir, ...folders.map(({ fsPath }) => fsPath)];
  await Promise.all(paths.map((path) => mkdir(path, { recursive: true })));
  const demo = await startDemoModel({ wordDelayMs: 2 });
  const modelsPath = join(agentDir, 'models.json');
  if (options.hasModel ?? true) {
    await writeDemoModels(modelsPath, place?.modelUrl ?? demo.url);
  }
  const service = new FakeMcpService(options.servers?.(folders) ?? []);
  service.settings = options.settings ?? {};
  const workspace = new FakeWorkspace(folders, options.isTrusted ?? true);
  const tools =
    options.tools ?? (options.profiles && policyWith(options.profiles, service.asService));
  const defaultMode = new ValueEmitter<AgentMode>(options.mode ?? 'ask');
  const titles = new ValueEmitter('firstRequest');
  let remembered: ModelRef | undefined;
  const levels = new Map</* model */ string, ThinkingLevel>();
  const logged: string[] = [];
  const logger: Logger = { log: (level, text) => void logged.push(`${level}: ${text}`) };
  const limits = { maxCount: 0, maxAgeDays: 0 };
  const createPanel = () =>
    new AgentPanel({
      loadPi: () => {
        noteStart('Pi');
        return import('../../../src/agent/pi/piEntry.js');
      },
      service: options.service ?? service.asService,
      machine: {
        workspace,
        environment: createNodeHostEnvironment({
          homeDir: root,
          env: { PATH: process.env.PATH, PI_CODING_AGENT_DIR: '~/agent', ...options.env },
        }),
        watcher: options.watcher ?? { watch: () => toDisposable(() => undefined) },
        loggers: { main: logger, forServer: () => logger },
      },
      storageDir: join(root, 'storage'),
      defaultMode,
      titles,
      modelSources: {
        memory: {
          recall: () => remembered,
          remember: (model) => {
            remembered = model;
            return Promise.resolve();
          },
          get recent() {
            return remembered ? [remembered] : [];
          },
          pinned: [],
          pin: () => Promise.resolve(),
          level: ({ provider, id }) => levels.get(`${provider}/${id}`),
          rememberLevel: ({ provider, id }, level) => {
            levels.set(`${provider}/${id}`, level);
            return Promise.resolve();
          },
        },
        localPorts: options.localModelPorts ?? [],
        ...(options.editorModels && { editor: options.editorModels }),
      },
      conversations: {
        memoryPath: join(root, 'workspace', 'conversations.json'),
        limits: () => limits,
        ...(options.keeper && { keeper: options.keeper }),
      },
      ...(options.nodeVersion && { nodeVersion: options.nodeVersion }),
      ...(tools && { tools }),
      extensions: options.extensions ?? { isOn: new ValueEmitter(false) },
      ...(options.editors && { editors: options.editors }),
      questions: options.questions ?? { all: [], onDidChange: () => toDisposable(() => undefined) },
      ...(options.tabs && { tabs: options.tabs }),
    });
  let panel = createPanel();

  /** Resolves when the snapshot satisfies the condition; looks again at every event of the panel. */
  function until(
    what: string,
    accepts: (snapshot: AgentSnapshot) => boolean,
  ): Promise<AgentSnapshot> {
    return new Promise((resolve, reject) => {
      const subscriptions = [
        panel.onDidChangeState(check),
        panel.onDidChangeEntries(check),
        panel.onDidReset(check),
      ];
      const timer = setTimeout(() => {
        const seen = JSON.stringify(panel.snapshot(), undefined, 1).slice(0, 3_000);
        finish(() => reject(new Error(`Never seen: ${what}\n${seen}`)));
      }, 60_000);
      function finish(settle: () => void) {
        clearTimeout(timer);
        for (const subscription of subscriptions) {
          subscription.dispose();
        }
        settle();
      }
      function check() {
        const snapshot = panel.snapshot();
        if (accepts(snapshot)) {
          finish(() => resolve(snapshot));
        }
      }
      check();
    });
  }

  const untilDone = () => until('the run is over', ({ state }) => state.status === 'ready');
  const untilAsked = (count = 1) =>
    until('an approval', ({ state }) => state.approvals.length === count);

  return {
    root,
    agentDir,
    modelsPath,
    folders,
    demo,
    service,
    workspace,
    defaultMode,
    titles,
    limits,
    /** Of a file in the first folder. */
    path: (name: string) => join(folders[0]?.fsPath ?? '', name),
    /** Where the conversations of the first folder with any are stored. */
    async conversationsDir() {
      const sessions = join(root, 'storage', 'sessions');
      const [first = ''] = await readdir(sessions);
      return join(sessions, first);
    },
    /** Level and text. */
    logged: logged as readonly string[],
    get panel() {
      return panel;
    },
    /** Closes the window and opens it again: everything that was not stored is gone. */
    async reload() {
      panel.dispose();
      panel = createPanel();
      return await panel.ensureSession();
    },
    /** Another window on the same conversations, which the caller disposes. */
    openSecondWindow: createPanel,
    /** Those of Pi. */
    writeSettings: (settings: object) =>
      writeFile(join(agentDir, 'settings.json'), JSON.stringify(settings)),
    until,
    remembered: () => remembered,
    untilDone,
    untilAsked,
    /** Says these one after the other, each when the run of the one before is over. @returns what is shown then */
    async say(...messages: readonly Parameters<AgentPanel['prompt']>[0][]) {
      for (const message of messages) {
        await panel.prompt(message);
        await untilDone();
      }
      return panel.snapshot();
    },
    /** Answers the question that waits or comes, and waits until the run is over. @returns what is shown then */
    async answer(...answer: AfterFirst<Parameters<AgentPanel['decide']>>) {
      const { state } = await untilAsked();
      panel.decide(state.approvals[0]?.id ?? '', ...answer);
      return await untilDone();
    },
    /** A run whose answer streams. */
    async startStory() {
      await panel.prompt('Tell me a long story');
      await until('an answer that streams', ({ transcript }) =>
        transcript.some((entry) => entry.kind === 'assistant' && entry.isStreaming),
      );
    },
    /** What the user said in the conversation that is shown. */
    said: () =>
      panel.snapshot().transcript.flatMap((entry) => (entry.kind === 'user' ? [entry.text] : [])),
    tools: (): readonly ToolEntry[] =>
      panel.snapshot().transcript.filter((entry) => entry.kind === 'tool'),
    /** Names offered to the model with the latest request. */
    offered: () => (demo.requests.at(-1)?.tools ?? []).map(({ function: tool }) => tool.name),
    async dispose() {
      await panel.stop();
      panel.dispose();
      await demo.close();
      if (!place) {
        await rm(root, { recursive: true, force: true });
      }
    },
  };
}

export type AgentHarness = Awaited<ReturnType<typeof createAgentHarness>>;
