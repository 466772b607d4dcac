/** What a view shows of tools beside what their servers say. */
import { DisposableOwner } from '../../base/disposable.js';
import { Emitter } from '../../base/event.js';
import type { AppConsent } from '../../mcp/apps/consents.js';
import type { SettledExposure } from '../../mcp/catalog/exposure.js';
import type { ChosenProfile } from '../../mcp/catalog/records/toolProfiles.js';
import { sumStatistics, type ToolStatistic } from '../../mcp/catalog/records/toolStatistics.js';
import type { SwitchPlace } from '../../mcp/catalog/records/toolSwitches.js';
import { loadTokenCounter, type TokenCounter } from '../../mcp/catalog/tokens/tokenEstimate.js';
import { type ModelTool, ModelToolDefinition } from '../../mcp/catalog/toolCatalog.js';
import type { McpServer, McpService } from '../../mcp/mcpApi.js';
import type { McpTool } from '../../mcp/mcpTypes.js';
import type { HostEnvironment } from '../../platform/ports.js';
import type { AllowedTool } from '../policy/approvalStore.js';
import type { ToolFeatures } from '../policy/toolFeatures.js';
import type { ToolPolicy } from '../policy/toolPolicy.js';
import { ModelTools } from './modelTools.js';

export interface ToolFacts {
  /** What the model calls. */
  readonly modelName: string;
  readonly exposure: SettledExposure;
  readonly tokens: number;
  /** As the server describes it, where the entry says something else. */
  readonly tokensBefore?: number | undefined;
  /** Why no model is given the tool; a full sentence. */
  readonly problem?: string;
  /** Why a conversation goes on without the tool: what its provider said. */
  readonly refusal?: string;
  readonly isOn: boolean;
  /** The profile of the folder leaves it out. */
  readonly isOutOfProfile: boolean;
  /** Names of the folders in which a global tool is off. */
  readonly offIn: readonly string[];
  /** Records that let the tool run without asking. */
  readonly allowed: readonly AllowedTool[];
  readonly statistic?: ToolStatistic;
}

export interface ToolOverviewOptions {
  readonly service: McpService;
  readonly features: Pick<
    ToolFeatures,
    'appConsents' | 'switches' | 'offered' | 'profiles' | 'setAside' | 'approvals' | 'statistics'
  >;
  readonly budget: ToolPolicy['budget'];
  readonly environment: HostEnvironment;
}

export class ToolOverview extends DisposableOwner {
  private readonly changeEmitter = this.store.add(new Emitter<void>());
  /** Listed tools by folder URI, empty for the global pool; dropped whenever something changes. */
  private readonly lists = new Map<string, ReadonlyMap<string, ModelTool>>();
  private readonly modelTools: ModelTools;
  private countTokens: TokenCounter | undefined;
  /** Folders whose tools are listed at once, since they were counted before; or are being counted. */
  private readonly counted = new Map</* folder URI */ string | undefined, 'done' | 'begun'>();

  /** Facts of any tool changed. */
  readonly onDidChange = this.changeEmitter.event;

  constructor(private readonly options: ToolOverviewOptions) {
    super();
    const { service, features, budget, environment } = options;
    this.modelTools = new ModelTools({
      service,
      policy: { budget, switches: features.offered },
      directTools: environment.getVariable('MCP_DIRECT_TOOLS'),
    });
    const forget = () => this.lists.clear();
    this.store.add(service.onDidChangePools(forget));
    this.store.add(service.onDidChangeServer(forget));
    const change = () => {
      this.lists.clear();
      this.changeEmitter.fire();
    };
    this.store.add(budget.onDidChange(change));
    this.store.add(features.offered.onDidChange(change));
    this.store.add(features.approvals.onDidChange(change));
    this.store.add(features.statistics.onDidChange(() => this.changeEmitter.fire()));
    this.store.add(features.setAside.onDidChange(() => this.changeEmitter.fire()));
    this.store.add(features.appConsents.onDidChange(() => this.changeEmitter.fire()));
  }

  /** `undefined` until the tools of the folder are counted, which the first question about one of them starts. */
  factsOf(server: McpServer, tool: string): ToolFacts | undefined {
    const { countTokens } = this;
    const folderUri = server.definition.folder?.uri;
    if (!countTokens || this.counted.get(folderUri) !== 'done') {
      void this.count(folderUri);
      return undefined;
    }
    const listed = this.listFor(folderUri, countTokens).get(keyOf(server.id, tool));
    if (!listed) {
      return undefined;
    }
    const { switches, profiles, setAside, statistics } = this.options.features;
    const place = switchPlace(server, tool);
    const name = server.definition.name;
    const replaced = server.catalog.value.replaced?.find((one) => one.name === tool);
    const refusal = setAside.reasonFor(server.id, tool);
    const statistic = statistics.all.find((one) => one.server === name && one.tool === tool);
    return {
      modelName: listed.name,
      exposure: listed.exposure,
      tokens: listed.model.tokens(countTokens),
      tokensBefore: replaced && tokensOfTool(replaced, listed, countTokens),
      problem: listed.problem,
      refusal,
      isOn: switches.isOn(place),
      isOutOfProfile: !profiles.allows(place),
      offIn: this.foldersWithout(server, tool),
      allowed: this.allowedOf(server, tool),
      statistic,
    };
  }

  /** See {@link ToolProfiles.active}. */
  profileOf(folderUri: string | undefined): ChosenProfile | undefined {
    return this.options.features.profiles.active(folderUri);
  }

  /** Of the profile that {@link profileOf} gives. */
  unknownPatterns(folderUri: string): readonly string[] {
    const { profiles } = this.options.features;
    return profiles.unknownPatterns(folderUri, profiles.active(folderUri)?.profile);
  }

  statisticOf(server: McpServer): ToolStatistic | undefined {
    return sumStatistics(server.definition.name, this.options.features.statistics.all);
  }

  /** Where apps of the server may be shown. */
  appConsentsOf(server: McpServer): readonly AppConsent[] {
    return this.options.features.appConsents.all.filter(({ serverId }) => serverId === server.id);
  }

  private async count(folderUri: string | undefined): Promise<void> {
    if (this.counted.has(folderUri)) {
      return;
    }
    this.counted.set(folderUri, 'begun');
    try {
      const countTokens = await loadTokenCounter();
      const servers = this.options.service.serversFor(folderUri);
      await this.modelTools.listWithPauses(servers, folderUri, countTokens);
      this.countTokens = countTokens;
      this.counted.set(folderUri, 'done');
      this.changeEmitter.fire();
    } catch (error) {
      // the next question tries again
      this.counted.delete(folderUri);
      throw error;
    }
  }

  private listFor(
    folderUri: string | undefined,
    countTokens: TokenCounter,
  ): ReadonlyMap<string, ModelTool> {
    const known = this.lists.get(folderUri ?? '');
    if (known) {
      return known;
    }
    const servers = this.options.service.serversFor(folderUri);
    const listed = this.modelTools.list(servers, folderUri, countTokens);
    const byKey = new Map(listed.map((tool) => [keyOf(tool.serverId, tool.tool), tool] as const));
    this.lists.set(folderUri ?? '', byKey);
    return byKey;
  }

  private foldersWithout({ definition }: McpServer, tool: string): readonly string[] {
    const { service, features } = this.options;
    if (definition.scope === 'folder') {
      return [];
    }
    return service.pools.flatMap(({ folder }) => {
      const place = folder && { folderUri: folder.uri, server: definition.name, tool };
      return place && features.switches.get(place) === 'off' ? [folder.name] : [];
    });
  }

  private allowedOf({ definition }: McpServer, tool: string): readonly AllowedTool[] {
    const { scope, name, folder } = definition;
    return this.options.features.approvals.all.filter(
      (allowed) =>
        allowed.scope === scope &&
        allowed.server === name &&
        allowed.tool === tool &&
        (folder === undefined || allowed.folderUri === folder.uri),
    );
  }
}

/** Where the checkbox of a tool counts: in its folder, or everywhere for a global server. */
export function switchPlace({ definition }: McpServer, tool: string): SwitchPlace {
  return { folderUri: definition.folder?.uri, server: definition.name, tool };
}

function tokensOfTool(tool: McpTool, { name, server }: ModelTool, countTokens: TokenCounter) {
  return new ModelToolDefinition(name, server, tool).tokens(countTokens);
}

function keyOf(serverId: string, tool: string): string {
  return `${serverId}\0${tool}`;
}
