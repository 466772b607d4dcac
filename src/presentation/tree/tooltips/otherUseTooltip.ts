/** What is said about other programs that use, run or would start the same server, and offered against it. */
import * as l10n from '@vscode/l10n';
import { importLabels } from '../../../config/imports/importLabels.js';
import { type CommandId, commandIds } from '../../../contributions.js';
import type { McpServer } from '../../../mcp/mcpApi.js';
import {
  type DoubleStartChoice,
  doubleStartChoices,
} from '../../../protocol/doctor/doctorProtocol.js';
import type { OtherUse, TooltipAction } from '../presentation.js';

/** As whole sentences: what is known of other clients, and what the user has said to it. For every surface. */
export function doubleStartSentences({
  isPredicted,
  running,
  choice,
}: NonNullable<OtherUse['start']>): readonly string[] {
  return [
    ...running.map(({ client, pid }) =>
      pid === undefined
        ? l10n.t('{0} has started a copy of its own.', importLabels[client])
        : l10n.t('{0} has started a copy of its own, process {1}.', importLabels[client], pid),
    ),
    ...(isPredicted && running.length === 0
      ? [l10n.t("VS Code's own agent reads the same entry and may start a copy of its own.")]
      : []),
    ...(choice === 'both' ? [l10n.t('You chose to run both.')] : []),
    ...(choice === 'left' ? [l10n.t('You left it to VS Code.')] : []),
  ];
}

/** What the user can do about it. For every surface. */
export function otherUseActions(server: McpServer, use: OtherUse): readonly TooltipAction[] {
  return [...handOverActions(server, use.handOver), ...choices(server, use)];
}

export function handOverSentence(handOver: 'offered' | 'waiting'): string {
  return handOver === 'offered'
    ? l10n.t("VS Code's own agent has it from the gateway, by the connection that is here.")
    : l10n.t(
        "You share it with VS Code's own agent, which gets it when the gateway of the folder runs.",
      );
}

function action(title: string, command: CommandId, argument: string): TooltipAction {
  return { title, command, argument };
}

function handOverActions(
  { id, definition }: McpServer,
  handOver: OtherUse['handOver'],
): readonly TooltipAction[] {
  const folderUri = definition.folder?.uri;
  return [
    ...(handOver === 'waiting' && folderUri !== undefined
      ? [action(l10n.t('Start Gateway'), commandIds.startGateway, folderUri)]
      : []),
    ...(handOver === undefined
      ? []
      : [action(l10n.t('Stop Sharing With VS Code'), commandIds.takeBackServer, id)]),
  ];
}

const choiceTitles: Readonly<Record<DoubleStartChoice, () => string>> = {
  useConnectionThere: () => l10n.t("Use Pi MCP's Connection There"),
  leaveToVsCode: () => l10n.t('Leave It to VS Code'),
  runBoth: () => l10n.t('Run Both'),
};

function choices(server: McpServer, use: OtherUse): readonly TooltipAction[] {
  return offeredChoices(server, use).map((choice) =>
    action(choiceTitles[choice](), commandIds[choice], server.id),
  );
}

/** What the user may say to it now. For every surface. */
export function offeredChoices(
  { definition }: McpServer,
  { handOver, start }: OtherUse,
): readonly DoubleStartChoice[] {
  if (!start || !definition.enabled) {
    return [];
  }
  return doubleStartChoices.filter(
    (choice) =>
      !(choice === 'useConnectionThere' && handOver !== undefined) &&
      !(choice === 'runBoth' && start.choice === 'both'),
  );
}
