import * as l10n from '@vscode/l10n';
import { nameToken } from '../../../base/text/nameToken.js';
import { commandIds, itemFlags } from '../../../contributions.js';
import type { McpServer } from '../../../mcp/mcpApi.js';
import type {
  McpCatalog,
  McpPrompt,
  McpResource,
  McpResourceTemplate,
  McpSkill,
} from '../../../mcp/mcpTypes.js';
import { skillFileText } from '../../questions/skillCard.js';
import { firstLine, type NodePresentation, type PresentationContext } from '../presentation.js';
import { toolsInUse } from '../toolsInUse.js';
import { itemPicture } from './itemPicture.js';
import { tokensWithoutProfile, toolCost } from './toolPresentation.js';

export const groupKinds = ['tools', 'resources', 'prompts', 'skills'] as const;
export type GroupKind = (typeof groupKinds)[number];

/** Files of a skill in its tooltip. */
const shownFiles = 10;

const groupIcons: Readonly<Record<GroupKind, string>> = {
  tools: 'tools',
  resources: 'library',
  prompts: 'comment',
  skills: 'mortar-board',
};

export function groupItems(group: GroupKind, catalog: McpCatalog): readonly unknown[] {
  return group === 'resources'
    ? [...catalog.resources, ...catalog.resourceTemplates]
    : (catalog[group] ?? []);
}

export function resourceKey(resource: McpResource | McpResourceTemplate): string {
  return 'uri' in resource ? resource.uri : resource.uriTemplate;
}

export function presentGroup(
  group: GroupKind,
  server: McpServer,
  context: PresentationContext,
): NodePresentation {
  const count = groupItems(group, server.catalog.value).length;
  const cost = group === 'tools' ? toolCost(server, context) : undefined;
  const label = groupLabel(group);
  const narrowed = group === 'tools' ? toolsInUse(server, context) : undefined;
  const before = narrowed === undefined ? undefined : tokensWithoutProfile(server, context);
  const facts = [
    narrowed ?? String(count),
    ...(cost
      ? [
          before === undefined || before === cost.all
            ? l10n.t('{0} tokens', cost.all)
            : l10n.t('{0} of {1} tokens', cost.all, before),
        ]
      : []),
  ];
  return {
    label,
    description: facts.join(' · '),
    icon: groupIcons[group],
    tooltip: [],
    spoken: [label, ...facts, l10n.t('server {0}', nameToken(server.definition.name))].join(', '),
    flags: group,
    expansion: 'collapsed',
  };
}

function groupLabel(group: GroupKind): string {
  switch (group) {
    case 'tools':
      return l10n.t('Tools');
    case 'resources':
      return l10n.t('Resources');
    case 'prompts':
      return l10n.t('Prompts');
    case 'skills':
      return l10n.t('Skills');
  }
}

export function presentResource(resource: McpResource | McpResourceTemplate): NodePresentation {
  const key = resourceKey(resource);
  const isTemplate = !('uri' in resource);
  return {
    label: resource.title ?? resource.name,
    description: key,
    icon: isTemplate ? 'symbol-namespace' : 'file',
    ...itemPicture(resource),
    tooltip: [
      { kind: 'title', text: resource.title ?? resource.name },
      ...(resource.description ? [{ kind: 'paragraph', text: resource.description } as const] : []),
      { kind: 'code', text: key },
      ...(resource.mimeType ? [{ kind: 'paragraph', text: resource.mimeType } as const] : []),
    ],
    spoken: [resource.title ?? resource.name, l10n.t('resource'), key].join(', '),
    flags: itemFlags.resource,
    expansion: 'none',
    command: { id: commandIds.openResource, title: l10n.t('Open Resource') },
  };
}

export function presentPrompt(prompt: McpPrompt): NodePresentation {
  const args = prompt.arguments.map(({ name, title, required }) => {
    const shown = required ? name : `${name}?`;
    return title === undefined || title === name ? shown : `${shown} (${title})`;
  });
  return {
    label: prompt.name,
    description: firstLine(prompt.description ?? prompt.title),
    icon: 'comment-discussion',
    ...itemPicture(prompt),
    tooltip: [
      { kind: 'title', text: prompt.title ?? prompt.name },
      ...(prompt.description ? [{ kind: 'paragraph', text: prompt.description } as const] : []),
      ...(args.length > 0
        ? [{ kind: 'paragraph', text: l10n.t('Parameters: {0}', args.join(', ')) } as const]
        : []),
    ],
    spoken: [prompt.name, l10n.t('prompt')].join(', '),
    flags: itemFlags.prompt,
    expansion: 'none',
    command: { id: commandIds.getPrompt, title: l10n.t('Get Prompt') },
  };
}

export function presentSkill({ name, description, files }: McpSkill): NodePresentation {
  return {
    label: name,
    description: firstLine(description),
    icon: 'mortar-board',
    tooltip: [
      { kind: 'title', text: name },
      { kind: 'paragraph', text: description },
      { kind: 'code', text: files.slice(0, shownFiles).map(skillFileText).join('\n') },
    ],
    spoken: [name, l10n.t('skill')].join(', '),
    flags: itemFlags.skill,
    expansion: 'none',
    command: { id: commandIds.openResource, title: l10n.t('Open Resource') },
  };
}
