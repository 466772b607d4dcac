/** The tools of a conversation as rows, by server. */
import { groupBy } from '../../../base/lists.js';
import { showHidden } from '../../../base/text/showHidden.js';
import type { TokenCounter } from '../../../mcp/catalog/tokens/tokenEstimate.js';
import type { ModelTool } from '../../../mcp/catalog/toolCatalog.js';
import type { McpServer } from '../../../mcp/mcpApi.js';
import { stateText } from '../../../mcp/trouble/stateText.js';
import type {
  ToolChoiceView,
  ToolGroupView,
  ToolMark,
  ToolRowView,
} from '../../../protocol/tools/toolChoice.js';
import type { PiTool } from '../../pi/piModule.js';
import type { BridgedTool } from '../bridgedTool.js';
import type { ToolBridge } from '../toolBridge.js';
import { ToolSearch } from '../toolSearch.js';
import { builtInServer, isChanged, type ToolChoice, takesNew } from './toolChoice.js';

/** Characters of a description that a row has. */
const maxDescription = 300;

export interface ChoiceParts {
  readonly choice: ToolChoice;
  readonly servers: readonly McpServer[];
  /** Every tool with nothing switched off here, hidden ones included. */
  readonly listed: readonly ModelTool[];
  /** Pi's own. */
  readonly own: readonly {
    readonly name: string;
    readonly description: string;
    readonly tokens: number;
    readonly isReadOnly: boolean;
    readonly isOn: boolean;
  }[];
  /** Names that the next request carries. */
  readonly given: ReadonlySet<string>;
  /** What the model can reach now, by the names that it uses. */
  readonly current: ReadonlyMap<string, BridgedTool>;
  readonly countTokens: TokenCounter;
  readonly isOn: (server: string, tool: string) => boolean;
  /** As the user's own switches say. */
  readonly isOnElsewhere: (server: string, tool: string) => boolean;
  /** Why the tool is off for all conversations; a full sentence. */
  readonly whyOff: (server: string, tool: string) => string;
  readonly isReadOnly: (server: string, tool: string) => boolean;
  readonly tokens: ToolChoiceView['tokens'];
  readonly profiles: ToolChoiceView['profiles'];
}

export function choiceView(parts: ChoiceParts): ToolChoiceView {
  const { choice, servers, listed, own, tokens, profiles } = parts;
  const byServer = groupBy(listed, ({ serverId }) => serverId);
  const ofPi: ToolGroupView = {
    server: builtInServer,
    takesNew: takesNew(choice, builtInServer),
    tools: own.map(({ isReadOnly, ...tool }) => ({ ...tool, isReadOnly: isReadOnly || undefined })),
  };
  const groups = servers.flatMap(({ id, definition, state }): readonly ToolGroupView[] => {
    const tools = (byServer.get(id) ?? []).flatMap((tool) => rowOf(tool, parts) ?? []);
    const { kind } = state.value;
    return [
      {
        server: definition.name,
        ...labelOf(definition.name),
        takesNew: takesNew(choice, definition.name),
        state: kind === 'connected' ? undefined : stateText(state.value).reason,
        tools,
      },
    ];
  });
  return {
    profile: choice.profile,
    profiles,
    isChanged: isChanged(choice),
    groups: [ofPi, ...groups],
    tokens,
  };
}

/** `undefined` for what the configuration keeps from every model. */
function rowOf(tool: ModelTool, parts: ChoiceParts): ToolRowView | undefined {
  const { server, tool: name, model, problem, exposure } = tool;
  const isOffElsewhere = !parts.isOnElsewhere(server, name);
  if (exposure === 'hidden' && !isOffElsewhere && problem === undefined) {
    return undefined;
  }
  const locked = isOffElsewhere ? parts.whyOff(server, name) : problem;
  const isOn = locked === undefined && parts.isOn(server, name);
  const mark = isOn ? markOf(tool, parts) : undefined;
  return {
    name,
    ...labelOf(name),
    description: showHidden(model.description).slice(0, maxDescription),
    isOn,
    tokens: problem === undefined ? model.tokens(parts.countTokens) : 0,
    mark,
    isReadOnly: parts.isReadOnly(server, name) || undefined,
    locked,
  };
}

function labelOf(name: string): { readonly label?: string } {
  const label = showHidden(name);
  return label === name ? {} : { label };
}

function markOf({ name }: ModelTool, { given, current }: ChoiceParts): ToolMark | undefined {
  const exposure = current.get(name)?.exposure;
  if (exposure === 'proxy') {
    return 'gateway';
  }
  return exposure === 'search' ? (given.has(name) ? 'found' : 'searched') : undefined;
}

/** What a request would carry of these tools. */
export function tokensOfChoice(
  listed: readonly ModelTool[],
  activated: readonly string[],
  bridge: Pick<ToolBridge, 'offeredAs'> | undefined,
  tokensOf: (definition: PiTool) => number,
  countTokens: TokenCounter,
): number {
  const found = new Set(activated);
  const given = listed.filter(
    ({ name, exposure }) => exposure === 'direct' || (exposure !== 'hidden' && found.has(name)),
  );
  const searched = listed.filter(({ exposure }) => exposure === 'search');
  const proxied = listed.some(({ exposure }) => exposure === 'proxy');
  // of its own: what the model was told of a server stays as it was
  const search = new ToolSearch({ findable: () => [], activate: () => undefined });
  const extra = [
    ...(searched.length > 0 ? [search.define(searched)] : []),
    ...(proxied ? (bridge?.offeredAs('proxy').map(({ definition }) => definition) ?? []) : []),
  ];
  return (
    given.reduce((sum, { model }) => sum + model.tokens(countTokens), 0) +
    extra.reduce((sum, definition) => sum + tokensOf(definition), 0)
  );
}
