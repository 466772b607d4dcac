import * as l10n from '@vscode/l10n';
import { counted } from '../../base/text/counted.js';
import { type FileProblem, isAdvice } from '../../config/definition.js';
import { commandIds, itemFlags } from '../../contributions.js';
import type { McpPool } from '../../mcp/mcpApi.js';
import { awaitsReview } from '../../mcp/stateKinds.js';
import { profileText } from '../switching/profileText.js';
import { type NodePresentation, type PresentationContext, poolLabel } from './presentation.js';

/** Problems of files that somebody must mend; advice is for the editor of the file. */
export function fileFaults(pool: McpPool): readonly FileProblem[] {
  return pool.fileProblems.filter(({ problem }) => !isAdvice(problem));
}

export function presentReview(count: number): NodePresentation {
  return {
    label: l10n.t('Review'),
    icon: 'shield',
    color: 'list.warningForeground',
    tooltip: [],
    spoken: `${l10n.t('Review')}: ${waitingText(count)}`,
    flags: 'review',
    expansion: 'none',
    command: { id: commandIds.reviewServers, title: l10n.t('Review') },
  };
}

export function presentStarter(): NodePresentation {
  const label = l10n.t('VS Code also starts these servers');
  return {
    label,
    description: l10n.t('Choose…'),
    icon: 'versions',
    color: 'list.warningForeground',
    tooltip: [],
    spoken: label,
    flags: 'starter',
    expansion: 'none',
    command: { id: commandIds.chooseStarter, title: l10n.t('Choose…') },
  };
}

export function presentPool(pool: McpPool, context: PresentationContext): NodePresentation {
  const trust = pool.folder && context.folderTrust(pool.folder.uri);
  const isLent = pool.folder !== undefined && context.isLent?.(pool.folder.uri) === true;
  const awaiting = pool.servers.filter(awaitsReview).length;
  const profile = pool.folder && context.profileOf?.(pool.folder.uri);
  const unknown = (pool.folder && context.unknownPatterns?.(pool.folder.uri)) ?? [];
  const facts = [
    serverCount(pool.servers.length),
    ...(pool.isMasterDisabled ? [l10n.t('disabled')] : []),
    ...(pool.folder && !context.isWorkspaceTrusted ? [l10n.t('Restricted Mode')] : []),
    ...(awaiting > 0 ? [l10n.t('{0} to review', awaiting)] : []),
    ...(profile ? [profileText(profile)] : []),
    ...(unknown.length > 0 ? [l10n.t('unmatched patterns: {0}', unknown.length)] : []),
    ...(trust?.kind === 'folder' ? [l10n.t('trusted')] : []),
    ...(isLent ? [l10n.t('gateway on')] : []),
    ...(fileFaults(pool).length > 0 ? [l10n.t('file problem')] : []),
  ];
  const label = poolLabel(pool);
  return {
    label,
    description: facts.join(' · '),
    icon: pool.folder ? 'root-folder' : 'globe',
    tooltip: [],
    spoken: [label, ...facts].join(', '),
    flags: [
      itemFlags.pool,
      ...(pool.folder ? [isLent ? itemFlags.lent : itemFlags.lendable] : []),
      ...(trust && trust.kind !== 'none' ? [itemFlags.hasConsent] : []),
      ...(awaiting > 0 ? [itemFlags.awaitsConsent] : []),
      ...(pool.folder && !context.isWorkspaceTrusted ? [itemFlags.restricted] : []),
    ].join(' '),
    expansion: 'expanded',
  };
}

/** As a sentence. */
export function waitingText(count: number): string {
  return counted(
    l10n.t('1 MCP server waits for your review.|{0} MCP servers wait for your review.'),
    count,
  );
}

function serverCount(count: number): string {
  return counted(l10n.t('1 server|{0} servers'), count);
}
