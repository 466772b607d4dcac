/** The profiles that a folder can use, with what each would come to. */
import * as l10n from '@vscode/l10n';
import type { ModelToolsOptions } from '../../agent/tools/modelTools.js';
import { isCallable } from '../../agent/tools/offeredServers.js';
import { showHidden } from '../../base/text/showHidden.js';
import type { ToolProfile } from '../../config/toolProfiles.js';
import type { ProfileRef, ToolProfiles } from '../../mcp/catalog/records/toolProfiles.js';
import type { ToolSwitches } from '../../mcp/catalog/records/toolSwitches.js';
import type { McpService } from '../../mcp/mcpApi.js';
import { unknownPatternsText } from './profileText.js';
import { costlyExposures, type ToolCost, toolCosts } from './toolCosts.js';

export interface ProfileChoice {
  readonly label: string;
  readonly description: string;
  readonly detail: string;
  /** Something of it means nothing: the detail says what. */
  readonly isFlawed: boolean;
  readonly isChosen: boolean;
  /** What would stand in every request. Default: nothing, as it is not understood. */
  readonly cost?: ToolCost;
  /** `undefined`: every tool. */
  readonly ref: ProfileRef | undefined;
}

export interface ProfileChoiceParts {
  readonly service: Pick<McpService, 'serversFor'> & ModelToolsOptions['service'];
  readonly profiles: ToolProfiles;
  /** The user's own switches, without profiles. */
  readonly switches: Pick<ToolSwitches, 'isOn'>;
  readonly budget: ModelToolsOptions['policy']['budget'];
  readonly directTools: string | undefined;
}

/** Without a profile first. */
export async function profileChoices(
  folderUri: string | undefined,
  { service, profiles, switches, budget, directTools }: ProfileChoiceParts,
): Promise<readonly ProfileChoice[]> {
  const servers = service.serversFor(folderUri).filter(isCallable);
  const sumOf = async (isIn: (server: string, tool: string) => boolean) => {
    const isOn: ToolSwitches['isOn'] = (place) =>
      switches.isOn(place) && isIn(place.server, place.tool);
    const policy = { budget, switches: { isOn } };
    const costs = await toolCosts(servers, folderUri, { service, policy, directTools });
    const some = costlyExposures.map((exposure) => costs[exposure]);
    return {
      tools: some.reduce((sum, { tools }) => sum + tools, 0),
      tokens: some.reduce((sum, { tokens }) => sum + tokens, 0),
    };
  };
  const active = profiles.active(folderUri);
  const ofProfile = (profile: ToolProfile | undefined) =>
    sumOf((server, tool) => profiles.isIn(profile, { folderUri, server, tool }));
  const all = await sumOf(() => true);
  const now = active ? await ofProfile(active.profile) : all;
  const detailOf = ({ tools, tokens }: typeof all) =>
    l10n.t('{0}/{1} tools · {2} tokens, now {3}', tools, all.tools, tokens, now.tokens);
  const unknownText = (profile: ToolProfile) => {
    const unknown = profiles.unknownPatterns(folderUri, profile);
    return unknown.length > 0 ? [unknownPatternsText(unknown)] : [];
  };
  const choices: ProfileChoice[] = [
    {
      label: l10n.t('All Tools'),
      description: l10n.t('no profile'),
      detail: detailOf(all),
      isFlawed: false,
      isChosen: active === undefined,
      cost: all,
      ref: undefined,
    },
  ];
  for (const profile of profiles.list(folderUri)) {
    const { source, name, isBroken } = profile;
    const cost = isBroken ? undefined : await ofProfile(profile);
    choices.push({
      label: showHidden(name),
      description: sourceText(profile),
      detail: cost
        ? [detailOf(cost), ...unknownText(profile)].join(' · ')
        : l10n.t('Invalid profile: no tools'),
      isFlawed: isBroken || profiles.unknownPatterns(folderUri, profile).length > 0,
      isChosen: active?.source === source && active.name === name,
      cost,
      ref: { source, name },
    });
  }
  return choices;
}

function sourceText({ source }: ProfileRef): string {
  return source === 'user' ? l10n.t('User') : l10n.t('of this folder');
}
