/** What rows say at length, where that takes time or code: for a tooltip that is about to show. */
import * as l10n from '@vscode/l10n';
import type { FolderTrust, McpPool, McpService } from '../../../mcp/mcpApi.js';
import { awaitsReview } from '../../../mcp/stateKinds.js';
import { unknownPatternsText } from '../../switching/profileText.js';
import type { TreeNode } from '../nodes.js';
import { waitingText } from '../poolPresentation.js';
import { type PresentationContext, poolLabel, type TooltipPart } from '../presentation.js';
import { serverTooltip } from './serverTooltip.js';

/** `undefined` where the row has it all. */
export function nodeTooltip(
  node: TreeNode,
  context: PresentationContext,
): readonly TooltipPart[] | undefined {
  switch (node.kind) {
    case 'server':
      return serverTooltip(node.server);
    case 'pool':
      return poolTooltip(node.pool, context);
    case 'review':
      return reviewTooltip(node.service);
    default:
      return undefined;
  }
}

function reviewTooltip({ servers }: McpService): readonly TooltipPart[] {
  return [
    { kind: 'paragraph', text: waitingText(servers.filter(awaitsReview).length) },
    {
      kind: 'paragraph',
      text: l10n.t('What you have not reviewed does not run, and no model reads it.'),
    },
  ];
}

function poolTooltip(pool: McpPool, context: PresentationContext): readonly TooltipPart[] {
  const { folder } = pool;
  const trust = folder && context.folderTrust(folder.uri);
  const unknown = (folder && context.unknownPatterns?.(folder.uri)) ?? [];
  return [
    { kind: 'title', text: poolLabel(pool) },
    ...(trust ? [{ kind: 'paragraph', text: folderTrustTexts[trust.kind]() } as const] : []),
    ...(unknown.length > 0
      ? [{ kind: 'paragraph', text: unknownPatternsText(unknown) } as const]
      : []),
    ...pool.files.map((path) => ({ kind: 'code', text: path }) as const),
    ...(pool.files.length === 0
      ? [{ kind: 'paragraph', text: l10n.t('No configuration file yet.') } as const]
      : []),
  ];
}

export const folderTrustTexts: Readonly<Record<FolderTrust['kind'], () => string>> = {
  none: () => l10n.t('You trust no server of this folder.'),
  folder: () => l10n.t('You trust the configuration of this folder.'),
  servers: () => l10n.t('You trust some servers of this folder.'),
};
