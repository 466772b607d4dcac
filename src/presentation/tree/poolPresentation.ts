import * as l10n from '@vscode/l10n';
import { type ConfigProblem, type FileProblem, isAdvice } from '../../config/definition.js';
import { commandIds, itemFlags } from '../../contributions.js';
import type { FolderTrust, McpPool } from '../../mcp/mcpApi.js';
import { awaitsConsent } from '../../mcp/stateText.js';
import { profileText, unknownPatternsText } from '../switching/profileText.js';
import { type NodePresentation, type PresentationContext, poolLabel } from './presentation.js';

/** Problems of files that somebody must mend; advice is for the editor of the file. */
export function fileFaults(pool: McpPool): readonly FileProblem[] {
  return pool.fileProblems.filter(({ problem }) => !isAdvice(problem));
}

export function presentReview(count: number): NodePresentation {
  const text = waitingText(count);
  return {
    label: l10n.t('Review'),
    icon: 'shield',
    color: 'list.warningForeground',
    tooltip: [
      { kind: 'paragraph', text },
      {
        kind: 'paragraph',
        text: l10n.t('Nothing of them runs before you have seen it and agreed.'),
      },
    ],
    spoken: l10n.t('Review: {0}', text),
    flags: 'review',
    expansion: 'none',
    command: { id: commandIds.reviewServers, title: l10n.t('Review') },
  };
}

export function presentPool(pool: McpPool, context: PresentationContext): NodePresentation {
  const trust = pool.folder && context.folderTrust(pool.folder.uri);
  const isLent = pool.folder !== undefined && context.isLent?.(pool.folder.uri) === true;
  const awaiting = pool.servers.filter(awaitsConsent).length;
  const profile = pool.folder && context.profileOf?.(pool.folder.uri);
  const unknown = (pool.folder && context.unknownPatterns?.(pool.folder.uri)) ?? [];
  const facts = [
    serverCount(pool.servers.length),
    ...(pool.isMasterDisabled ? [l10n.t('switched off')] : []),
    ...(pool.folder && !context.isWorkspaceTrusted ? [l10n.t('Restricted Mode')] : []),
    ...(awaiting > 0 ? [l10n.t('{0} to review', awaiting)] : []),
    ...(profile ? [profileText(profile)] : []),
    ...(unknown.length > 0 ? [l10n.t('patterns without a tool: {0}', unknown.length)] : []),
    ...(trust?.kind === 'folder' ? [l10n.t('trusted')] : []),
    ...(isLent ? [l10n.t('gateway on')] : []),
    ...(fileFaults(pool).length > 0 ? [l10n.t('file problem')] : []),
  ];
  const label = poolLabel(pool);
  return {
    label,
    description: facts.join(' · '),
    icon: pool.folder ? 'root-folder' : 'globe',
    tooltip: [
      { kind: 'title', text: label },
      ...(trust ? [{ kind: 'paragraph', text: folderTrustText(trust) } as const] : []),
      ...(isLent
        ? [
            {
              kind: 'paragraph',
              text: l10n.t('Its servers are lent to other programs of this machine.'),
            } as const,
          ]
        : []),
      ...(unknown.length > 0
        ? [{ kind: 'paragraph', text: unknownPatternsText(unknown) } as const]
        : []),
      ...pool.files.map((path) => ({ kind: 'code', text: path }) as const),
      ...(pool.files.length === 0
        ? [{ kind: 'paragraph', text: l10n.t('No configuration file yet.') } as const]
        : []),
    ],
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

function folderTrustText(trust: FolderTrust): string {
  switch (trust.kind) {
    case 'none':
      return l10n.t('You have not consented to any server of this folder.');
    case 'folder':
      return l10n.t('You trust the configuration files of this folder.');
    case 'servers':
      return trust.count === 1
        ? l10n.t('You consented to one server of this folder.')
        : l10n.t('You consented to {0} servers of this folder.', trust.count);
  }
}

export function presentProblem({ problem, path }: FileProblem): NodePresentation {
  // the whole path would push the cause out of sight; the tooltip has it
  const message = problem.message.replaceAll(path, shortPath(path));
  return {
    label: message,
    ...severityIcon(problem),
    tooltip: [
      { kind: 'paragraph', text: problem.message },
      { kind: 'paragraph', text: problem.remedy },
      { kind: 'code', text: path },
    ],
    spoken: spokenProblem(problem, message),
    flags: itemFlags.problem,
    expansion: 'none',
    command: { id: commandIds.openProblem, title: l10n.t('Open File at Problem') },
  };
}

function severityIcon({ severity }: ConfigProblem): Pick<NodePresentation, 'icon' | 'color'> {
  switch (severity) {
    case 'error':
      return { icon: 'error', color: 'list.errorForeground' };
    case 'warning':
      return { icon: 'warning', color: 'list.warningForeground' };
    case 'info':
      return { icon: 'info' };
    case 'hint':
      return { icon: 'lightbulb' };
  }
}

function spokenProblem({ severity, remedy }: ConfigProblem, message: string): string {
  switch (severity) {
    case 'error':
      return l10n.t('error: {0} {1}', message, remedy);
    case 'warning':
      return l10n.t('warning: {0} {1}', message, remedy);
    case 'info':
    case 'hint':
      return l10n.t('advice: {0} {1}', message, remedy);
  }
}

/** `.mcp.json`, but `.pi/mcp.json`. */
function shortPath(path: string): string {
  const parts = path.split(/[\\/]/);
  return parts.slice(parts.at(-1) === 'mcp.json' ? -2 : -1).join('/');
}

/** As a sentence. */
export function waitingText(count: number): string {
  return count === 1
    ? l10n.t('1 server waits for review.')
    : l10n.t('{0} servers wait for review.', count);
}

function serverCount(count: number): string {
  return count === 1 ? l10n.t('1 server') : l10n.t('{0} servers', count);
}
