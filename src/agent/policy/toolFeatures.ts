/** What the user decides about tools and what their calls amount to, shared by all windows. */
import { DisposableOwner, DisposableStore } from '../../base/disposable.js';
import type { ObservableValue } from '../../base/valueEmitter.js';
import { AppConsents } from '../../mcp/apps/consents.js';
import { type ChosenProfiles, ToolProfiles } from '../../mcp/catalog/records/toolProfiles.js';
import { findStatisticsPlace, ToolStatistics } from '../../mcp/catalog/records/toolStatistics.js';
import { ToolSwitches } from '../../mcp/catalog/records/toolSwitches.js';
import type { McpService } from '../../mcp/mcpApi.js';
import type { FileWatcher, HostEnvironment, KeptValue, Logger } from '../../platform/ports.js';
import { ApprovalStore, toolRule } from './approvalStore.js';
import { RuleUses } from './rules/ruleUses.js';
import { SetAsideTools } from './setAsideTools.js';
import { CommandRuleStore } from './shell/commandRuleStore.js';
import type { ToolPolicy } from './toolPolicy.js';

export interface ToolFeaturesOptions {
  /** Absolute; `undefined` keeps decisions in memory only. */
  readonly directory: string | undefined;
  readonly watcher: FileWatcher;
  readonly logger: Logger;
  readonly service: McpService;
  readonly environment: HostEnvironment;
  /** The user's setting `piMcp.profiles`. */
  readonly profiles: ObservableValue<unknown>;
  readonly profileMemory: KeptValue<ChosenProfiles>;
}

export class ToolFeatures extends DisposableOwner {
  readonly switches: ToolSwitches;
  readonly profiles: ToolProfiles;
  /** What is left of the tools by the user's switches and the profile of the folder. */
  readonly offered: ToolPolicy['switches'];
  readonly approvals: ApprovalStore;
  readonly commands: CommandRuleStore;
  readonly uses: RuleUses;
  readonly statistics: ToolStatistics;
  readonly appConsents: AppConsents;
  readonly setAside: SetAsideTools;

  constructor(private readonly options: ToolFeaturesOptions) {
    super();
    this.switches = this.store.add(new ToolSwitches(options));
    const { service, profiles: own, profileMemory: memory } = options;
    this.profiles = this.store.add(new ToolProfiles({ service, own, memory }));
    this.offered = {
      isOn: (place) => this.switches.isOn(place) && this.profiles.allows(place),
      onDidChange: (listener) => {
        const store = new DisposableStore();
        store.add(this.switches.onDidChange(listener));
        store.add(this.profiles.onDidChange(listener));
        return store;
      },
    };
    this.approvals = this.store.add(new ApprovalStore(options));
    this.commands = this.store.add(new CommandRuleStore(options));
    this.uses = this.store.add(new RuleUses(options, () => this.ruleIds));
    this.appConsents = this.store.add(new AppConsents(options));
    this.setAside = this.store.add(new SetAsideTools());
    this.statistics = this.store.add(new ToolStatistics(options));
    this.store.add(options.service.onDidChangePools(() => void this.placeStatistics()));
  }

  /** Reads the files. Never rejects. */
  async start(): Promise<void> {
    const { switches, approvals, commands, uses, appConsents } = this;
    const starts = [switches, approvals, commands, uses, appConsents].map((store) => store.start());
    await Promise.all([...starts, this.placeStatistics()]);
  }

  private get ruleIds(): ReadonlySet<string> {
    const ofTools = this.approvals.all.map((allowed) => toolRule(allowed).id);
    return new Set([...ofTools, ...this.commands.rules.map(({ id }) => id)]);
  }

  private async placeStatistics(): Promise<void> {
    const { service, environment } = this.options;
    await this.statistics.keepIn(findStatisticsPlace(service, environment));
  }
}
