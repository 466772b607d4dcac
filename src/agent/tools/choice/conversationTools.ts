/** The tools of one conversation: which the user wants it to have, and what they cost. */
import * as l10n from '@vscode/l10n';
import { DisposableOwner, DisposableStore } from '../../../base/disposable.js';
import { Emitter } from '../../../base/event.js';
import { groupBy } from '../../../base/lists.js';
import { nameToken } from '../../../base/text/nameToken.js';
import { showHidden } from '../../../base/text/showHidden.js';
import { ReadOnlyTools } from '../../../mcp/catalog/readOnlyTools.js';
import type { SwitchPlace } from '../../../mcp/catalog/records/toolSwitches.js';
import type { TokenCounter } from '../../../mcp/catalog/tokens/tokenEstimate.js';
import type { ModelTool } from '../../../mcp/catalog/toolCatalog.js';
import type { McpServer } from '../../../mcp/mcpApi.js';
import { stateText } from '../../../mcp/trouble/stateText.js';
import {
  namedProfile,
  type ToolChange,
  type ToolChoiceView,
  type ToolCountView,
  type ToolGroupView,
  type ToolMark,
  type ToolRowView,
} from '../../../protocol/tools/toolChoice.js';
import { sumOf } from '../../context/breakdown.js';
import type { PiSession, PiTool } from '../../pi/piModule.js';
import { piToolTokens } from '../../pi/piToolTokens.js';
import type { ToolPolicy } from '../../policy/toolPolicy.js';
import { ModelTools, type ModelToolsOptions } from '../modelTools.js';
import { isCallable } from '../offeredServers.js';
import type { ToolBridge } from '../toolBridge.js';
import { ToolSearch } from '../toolSearch.js';
import { namedProfiles } from './profiles.js';
import {
  applyChange,
  builtInServer,
  everyTool,
  isChanged,
  isChosen,
  storeChoice,
  type ToolChoice,
  takesNew,
} from './toolChoice.js';

export interface ConversationToolsOptions extends ModelToolsOptions {
  readonly folderUri: string | undefined;
  readonly countTokens: TokenCounter;
  readonly policy: ToolPolicy;
  /** Names of Pi's own tools. */
  readonly builtIns: readonly string[];
}

/** The tools of a conversation, by whom they come from. */
export interface ToolSummary {
  readonly builtIn: readonly string[];
  /** Tools by the names that their servers gave them. */
  readonly servers: readonly { readonly name: string; readonly tools: readonly string[] }[];
  /** Some are only found by searching. */
  readonly isSearched: boolean;
}

/** Characters of a description that a row has. */
const maxDescription = 300;
/** Pi's own tools that change nothing. */
const readers: readonly string[] = ['read', 'ls', 'grep', 'find'];

export class ConversationTools extends DisposableOwner {
  private readonly changeEmitter = this.store.add(new Emitter<void>());
  private readonly modelTools: ModelTools;
  private readonly readOnly = new ReadOnlyTools();
  private choice = everyTool;
  private bridge: ToolBridge | undefined;
  private session: Pick<PiSession, 'getAllTools'> | undefined;
  private stamp = 0;

  private readonly switchEmitter = this.store.add(new Emitter<void>());
  private readonly viewEmitter = this.store.add(new Emitter<void>());
  /** Tools of servers, with those that are off here. */
  private allOfServers: number | undefined;

  /** The user changed the choice. */
  readonly onDidChange = this.changeEmitter.event;
  /** What the bridge offers, {@link view} or {@link counts} may be others. */
  readonly onDidChangeView = this.viewEmitter.event;

  constructor(private readonly options: ConversationToolsOptions) {
    super();
    const { service, policy } = options;
    this.modelTools = new ModelTools(options);
    const changed = () => this.changed();
    this.store.add(service.onDidChangePools(changed));
    this.store.add(service.onDidChangeServer(changed));
    this.store.add(policy.switches.onDidChange(changed));
  }

  /** As {@link ConversationToolsOptions.policy}, without what is off here. */
  get policy(): ToolPolicy {
    const { policy } = this.options;
    return {
      ...policy,
      switches: {
        isOn: (place) => policy.switches.isOn(place) && this.isOn(place),
        onDidChange: (listener) => {
          const store = new DisposableStore();
          store.add(policy.switches.onDidChange(listener));
          store.add(this.switchEmitter.event(listener));
          return store;
        },
      },
    };
  }

  follow(bridge: ToolBridge): void {
    this.bridge = bridge;
    this.store.add(bridge.onDidChange(() => this.changed()));
  }

  /** Whose tools of Pi's own are counted. */
  open(session: Pick<PiSession, 'getAllTools'>): void {
    this.session = session;
  }

  /** As the conversation was left. */
  restore(choice: ToolChoice): void {
    this.choice = choice;
    this.switchEmitter.fire();
    this.changed();
  }

  /** Takes effect on the next model request, also within a run. @returns what it comes to */
  async changeAndRead(change: ToolChange): Promise<ToolChoiceView> {
    this.choice = applyChange(this.choice, change);
    this.switchEmitter.fire();
    this.changeEmitter.fire();
    this.changed();
    // the bridge follows in a microtask of its own
    await Promise.resolve();
    return this.view;
  }

  /** What is kept with the conversation. */
  get stored(): unknown {
    return storeChoice(this.choice);
  }

  /** Pi's own tools that are on. */
  get builtIns(): readonly string[] {
    return this.options.builtIns.filter((tool) => this.isOn({ server: builtInServer, tool }));
  }

  get counts(): ToolCountView {
    const mcp = this.bridge?.tools.size ?? 0;
    const builtIn = this.builtIns.length;
    const ofServers = this.choice === everyTool ? mcp : this.countAll();
    return { mcp, builtIn, all: ofServers + this.options.builtIns.length, stamp: this.stamp };
  }

  get summary(): ToolSummary {
    return summarizeTools(this.builtIns, this.bridge ?? { tools: new Map(), offered: [] });
  }

  get view(): ToolChoiceView {
    const { policy, folderUri } = this.options;
    const { choice } = this;
    const own = this.ownRows();
    const listed = this.list();
    const offered = this.bridge?.offered ?? [];
    const given = new Set(offered.map(({ name }) => name));
    const byServer = groupBy(listed, ({ serverId }) => serverId);
    const ofServers = this.servers().map(({ id, definition, state }): ToolGroupView => {
      const { name } = definition;
      return {
        server: name,
        ...labelOf(name),
        takesNew: takesNew(choice, name),
        state: state.value.kind === 'connected' ? undefined : stateText(state.value).reason,
        tools: (byServer.get(id) ?? []).flatMap((tool) => this.rowOf(tool, given) ?? []),
      };
    });
    const ofPi = { server: builtInServer, takesNew: takesNew(choice, builtInServer), tools: own };
    return {
      profile: choice.profile,
      profiles: namedProfiles(choice.profile, policy.profiles?.list(folderUri) ?? []),
      isChanged: isChanged(choice),
      groups: [ofPi, ...ofServers],
      tokens: {
        now:
          sumOf(own.filter(({ isOn }) => isOn)) +
          this.tokensOf(offered.map(({ definition }) => definition)),
        all: sumOf(own) + this.tokensOfAll(listed),
      },
    };
  }

  /** Of Pi. */
  private ownRows(): readonly ToolRowView[] {
    const tools = (this.session?.getAllTools() ?? []) as unknown as readonly PiTool[];
    return this.options.builtIns.map((name) => {
      const definition = tools.find((tool) => tool.name === name);
      return {
        name,
        description: definition?.description ?? '',
        tokens: definition ? this.tokensOf([definition]) : 0,
        isReadOnly: readers.includes(name) || undefined,
        isOn: this.isOn({ server: builtInServer, tool: name }),
      };
    });
  }

  /** `undefined` for what the configuration keeps from every model. @param given names that the next request carries */
  private rowOf(listed: ModelTool, given: ReadonlySet<string>): ToolRowView | undefined {
    const { server, tool, model, problem, exposure } = listed;
    const { policy, folderUri, countTokens } = this.options;
    const isOffElsewhere = !policy.switches.isOn({ folderUri, server, tool });
    if (exposure === 'hidden' && !isOffElsewhere && problem === undefined) {
      return undefined;
    }
    const locked = isOffElsewhere ? this.whyOff(server, tool) : problem;
    const isOn = locked === undefined && this.isOn({ server, tool });
    return {
      name: tool,
      ...labelOf(tool),
      description: showHidden(model.description).slice(0, maxDescription),
      isOn,
      tokens: problem === undefined ? model.tokens(countTokens) : 0,
      mark: isOn ? this.markOf(listed, given) : undefined,
      isReadOnly: this.isReadOnly(server, tool) || undefined,
      locked,
    };
  }

  private markOf({ name }: ModelTool, given: ReadonlySet<string>): ToolMark | undefined {
    switch (this.bridge?.tools.get(name)?.exposure) {
      case 'proxy':
        return 'gateway';
      case 'search':
        return given.has(name) ? 'found' : 'searched';
      default:
        return undefined;
    }
  }

  private tokensOf(definitions: readonly PiTool[]): number {
    const { countTokens } = this.options;
    return definitions.reduce((sum, one) => sum + piToolTokens(one, countTokens), 0);
  }

  /** What a request would carry with nothing switched off here. */
  private tokensOfAll(listed: readonly ModelTool[]): number {
    const { bridge } = this;
    const found = new Set(bridge?.activated);
    const given = listed.filter(
      ({ name, exposure }) => exposure === 'direct' || (exposure !== 'hidden' && found.has(name)),
    );
    const searched = listed.filter(({ exposure }) => exposure === 'search');
    const isProxied = listed.some(({ exposure }) => exposure === 'proxy');
    const proxy = isProxied ? (bridge?.offeredAs('proxy') ?? []) : [];
    // of its own: what the model was told of a server stays as it was
    const search = new ToolSearch({ findable: () => [], activate: () => undefined });
    return (
      given.reduce((sum, { model }) => sum + model.tokens(this.options.countTokens), 0) +
      this.tokensOf([
        ...(searched.length > 0 ? [search.define(searched)] : []),
        ...proxy.map(({ definition }) => definition),
      ])
    );
  }

  private servers(): readonly McpServer[] {
    return this.options.service.serversFor(this.options.folderUri).filter(isCallable);
  }

  /** Every tool of the servers, with nothing switched off here. */
  private list(): readonly ModelTool[] {
    const { folderUri, countTokens } = this.options;
    return this.modelTools.list(this.servers(), folderUri, countTokens);
  }

  private countAll(): number {
    this.allOfServers ??= this.list().filter(({ exposure }) => exposure !== 'hidden').length;
    return this.allOfServers;
  }

  private changed(): void {
    this.stamp++;
    this.allOfServers = undefined;
    this.viewEmitter.fire();
  }

  private whyOff(server: string, tool: string): string {
    const { policy, folderUri } = this.options;
    const place = { folderUri, server, tool };
    const name = policy.profiles?.active(folderUri)?.name;
    return name === undefined || policy.profiles?.allows(place)
      ? l10n.t('This tool is disabled for all conversations; the tree of servers has its box.')
      : l10n.t(
          'The command Select Profile chooses another profile. This one leaves the tool out: {0}',
          nameToken(name),
        );
  }

  private isOn({ server, tool }: Pick<SwitchPlace, 'server' | 'tool'>): boolean {
    return isChosen(this.choice, server, tool, () => this.isInProfile(server, tool));
  }

  /** Patterns say nothing of Pi's own tools. */
  private isInProfile(server: string, tool: string): boolean {
    const { policy, folderUri } = this.options;
    const named = namedProfile(this.choice.profile);
    if (!named) {
      return this.isReadOnly(server, tool);
    }
    const profile = policy.profiles?.find(folderUri, named);
    return server === builtInServer
      ? !profile?.isReadOnly || this.isReadOnly(server, tool)
      : (policy.profiles?.isIn(profile, { folderUri, server, tool }) ?? false);
  }

  /** A claim of the server, which only narrows what the model gets: approvals ask all the same. */
  private isReadOnly(server: string, tool: string): boolean {
    if (server === builtInServer) {
      return readers.includes(tool);
    }
    const { service, folderUri } = this.options;
    const found = service
      .serversFor(folderUri)
      .find(({ definition }) => definition.name === server);
    return found !== undefined && this.readOnly.has(found, tool);
  }
}

function labelOf(name: string): { readonly label?: string } {
  const label = showHidden(name);
  return label === name ? {} : { label };
}

function summarizeTools(
  builtIn: readonly string[],
  { tools, offered }: Pick<ToolBridge, 'tools' | 'offered'>,
): ToolSummary {
  const servers = new Map<string, string[]>();
  for (const { server, tool } of tools.values()) {
    servers.set(server, [...(servers.get(server) ?? []), tool]);
  }
  const given = new Set(offered.map(({ name }) => name));
  return {
    builtIn,
    servers: [...servers].map(([name, own]) => ({ name, tools: own })),
    isSearched: [...tools.keys()].some((name) => !given.has(name)),
  };
}
