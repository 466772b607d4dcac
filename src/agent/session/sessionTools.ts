import * as l10n from '@vscode/l10n';
import type { Disposable } from '../../base/disposable.js';
import { asObject, asTexts } from '../../base/json.js';
import type { ObservableValue } from '../../base/valueEmitter.js';
import type { AgentMode } from '../../protocol/tools/modes.js';
import { lastToolChoice, toolChoiceEntry } from '../branches/fork.js';
import { planName } from '../builtIn/planTool.js';
import { toolLimitOf } from '../models/editor/provider.js';
import type {
  PiExtensionApi,
  PiSession,
  PiSessionEntry,
  PiSessionManager,
} from '../pi/piModule.js';
import type { ConversationTools } from '../tools/choice/conversationTools.js';
import { readChoice } from '../tools/choice/toolChoice.js';
import type { ToolBridge } from '../tools/toolBridge.js';

/** Type of Pi's session entries that hold the tools activated by ToolSearch. */
const activatedEntry = 'pi-mcp.activatedTools';

/** Keeps the tools of a Pi session equal to what its bridge offers. */
export class SessionTools implements Disposable {
  private readonly registered = new Map</* tool name */ string, /* signature */ string>();
  private api: PiExtensionApi | undefined;
  private savedActivated = 0;
  private isLeftOutTold = false;
  private readonly subscription: Disposable;

  constructor(
    private readonly bridge: ToolBridge,
    private readonly choice: ConversationTools,
    /** Shows a sentence in the conversation. */
    private readonly say: (text: string) => void,
    private readonly mode: Pick<ObservableValue<AgentMode>, 'value'>,
  ) {
    this.subscription = choice.onDidChange(() =>
      this.api?.appendEntry(toolChoiceEntry, choice.stored),
    );
  }

  /** Registered before the session runs, since each later registration rebuilds its whole list of tools. */
  connect(api: PiExtensionApi): void {
    this.api = api;
    this.register(api);
    api.on('before_agent_start', () => this.bridge.refreshLists());
    // what comes of it is there for the next one
    api.on('turn_end', () => void this.bridge.refreshLists());
  }

  /** Tools that ToolSearch activated stay so when the conversation goes on later. */
  restore(entries: readonly PiSessionEntry[]): void {
    const entry = entries.findLast(
      (candidate) => candidate.type === 'custom' && candidate.customType === activatedEntry,
    );
    const names = entry?.type === 'custom' ? asTexts(asObject(entry.data).names) : [];
    this.savedActivated = names.length;
    this.bridge.restoreActivated(names);
  }

  /** As the conversation was left. */
  open(manager: PiSessionManager): void {
    this.restore(manager.getBranch());
    // of all branches: what the user switched off does not come back with an earlier message
    const choice = readChoice(lastToolChoice(manager.getEntries()));
    if (choice) {
      this.choice.restore(choice);
    }
  }

  /** Takes effect on the next model request, also within a run. */
  offer(session: PiSession): void {
    const { api, bridge } = this;
    if (!api) {
      return;
    }
    this.register(api);
    this.choice.open(session);
    const names = [
      ...this.choice.builtIns,
      ...[planName].filter(() => this.mode.value === 'plan'),
      ...bridge.offered.map(({ name }) => name),
      ...activeExtensionTools(session),
    ];
    const limit = toolLimitOf(session.model);
    session.setActiveToolsByName(names.slice(0, limit));
    this.tellLeftOut(Math.max(0, names.length - limit), limit);
    if (bridge.activated.length > this.savedActivated) {
      this.savedActivated = bridge.activated.length;
      api.appendEntry(activatedEntry, { names: bridge.activated });
    }
  }

  dispose(): void {
    this.subscription.dispose();
    this.api = undefined;
  }

  /** Once, however the count changes later. */
  private tellLeftOut(count: number, limit: number): void {
    if (count > 0 && !this.isLeftOutTold) {
      this.say(
        l10n.t(
          'The model takes at most {0} tools in a request, so it is not offered the last {1} of this conversation. Disable those that you do not need, or let the agent search for tools.',
          limit,
          count,
        ),
      );
    }
    this.isLeftOutTold = count > 0;
  }

  private register(api: PiExtensionApi): void {
    for (const { name, signature, definition } of this.bridge.offered) {
      if (this.registered.get(name) !== signature) {
        this.registered.set(name, signature);
        api.registerTool(definition);
      }
    }
  }
}

/** Tools of extensions of the user, as far as these have not put them aside themselves. */
function activeExtensionTools(session: PiSession): readonly string[] {
  const active = new Set(session.getActiveToolNames());
  return session
    .getAllTools()
    .filter(({ name, sourceInfo }) => active.has(name) && isFile(sourceInfo))
    .map(({ name }) => name);
}

/** The file of the extension that a tool of this name is from; `undefined`: it is from none. */
export function extensionOf(session: PiSession | undefined, tool: string): string | undefined {
  const found = session?.getAllTools().find(({ name }) => name === tool);
  return found && isFile(found.sourceInfo) ? found.sourceInfo.path : undefined;
}

/** What Pi and this host bring along has a name in angle brackets instead. */
function isFile({ path }: { readonly path: string }): boolean {
  return !path.startsWith('<');
}
