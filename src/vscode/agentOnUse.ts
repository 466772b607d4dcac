import type * as vscode from 'vscode';
import { mayHaveModel } from '../agent/models/setUp.js';
import { DisposableOwner } from '../base/disposable.js';
import { Emitter } from '../base/event.js';
import type { McpServerId } from '../config/definition.js';
import { piAgentDir } from '../config/parse/configLocations.js';
import type { SamplingAnswer, SamplingRequest } from '../mcp/connection/session/clientFeatures.js';
import type { HostEnvironment } from '../platform/ports.js';
import type { SamplingModel } from '../presentation/questions/samplingModel.js';
import type { Agent } from './createAgent.js';
import type { QuestionPages } from './questions/questionQueue.js';

/** The agent to all others. It is made when the user opens it or something needs its model: it reads conversations. */
export class AgentOnUse extends DisposableOwner implements SamplingModel, QuestionPages {
  private readonly visibilityEmitter = this.store.add(new Emitter<void>());
  private loaded: Agent | undefined;

  readonly onDidChangeVisibility = this.visibilityEmitter.event;

  /** @param create is called once */
  constructor(
    private readonly environment: HostEnvironment,
    private readonly create: () => Agent,
  ) {
    super();
  }

  load(): Agent {
    if (!this.loaded) {
      const agent = this.create();
      this.loaded = agent;
      this.store.add(agent.view.onDidChangeVisibility(() => this.visibilityEmitter.fire()));
    }
    return this.loaded;
  }

  /** For VS Code, which shows the agent in its view or restores its tabs. */
  get view(): {
    resolveWebviewView(view: vscode.WebviewView): void;
    deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void>;
  } {
    return {
      resolveWebviewView: (view) => this.load().view.resolveWebviewView(view),
      deserializeWebviewPanel: (panel, state) =>
        this.load().view.deserializeWebviewPanel(panel, state),
    };
  }

  /** What the user allowed in the conversations that are open. */
  get allowedInConversations() {
    return this.loaded?.panel.allowedInConversations ?? [];
  }

  shows(server: McpServerId): boolean {
    return this.loaded?.view.shows(server) ?? false;
  }

  isSetUp(): Promise<boolean> {
    return mayHaveModel(piAgentDir(this.environment), this.environment);
  }

  async name(): Promise<string> {
    return this.load().sampling.name();
  }

  async answer(request: SamplingRequest, signal: AbortSignal): Promise<SamplingAnswer> {
    return this.load().sampling.answer(request, signal);
  }
}
