import * as l10n from '@vscode/l10n';
import { errorMessage } from '../../base/errors.js';
import { defined } from '../../base/json.js';
import { boundIcons } from '../catalog/icons.js';
import type { McpList } from '../connection/reading/readList.js';
import { cutText, maxDescriptionLength } from '../connection/reading/serverBounds.js';
import type { McpSession, RequestOptions } from '../connection/session/engine.js';
import { emptyCatalog, type McpCatalog, type McpListKind } from '../mcpTypes.js';

const nothing: McpList<never> = { items: [], notices: [] };

/**
 * Reads every list that the server declares. A failing list other than the tools is left out and named in `notices`.
 * @throws the failure of `tools/list`, or the signal's reason.
 */
export async function readCatalog(
  session: McpSession,
  options: RequestOptions,
): Promise<McpCatalog> {
  const has = (kind: McpListKind) => session.capabilities[kind] !== undefined;
  const [tools, resources, resourceTemplates, prompts, skills] = await Promise.all([
    has('tools') ? session.listTools(options) : nothing,
    has('resources') ? tolerant('resources', session.listResources(options)) : nothing,
    has('resources')
      ? tolerant('resource templates', session.listResourceTemplates(options))
      : nothing,
    has('prompts') ? tolerant('prompts', session.listPrompts(options)) : nothing,
    tolerant('skills', session.listSkills(options)),
  ]);
  options.signal?.throwIfAborted();
  const { instructions, serverInfo, protocolVersion } = session;
  return boundIcons({
    tools: tools.items,
    resources: resources.items,
    resourceTemplates: resourceTemplates.items,
    prompts: prompts.items,
    ...defined({
      instructions:
        instructions === undefined ? undefined : cutText(instructions, maxDescriptionLength),
      serverInfo,
      protocolVersion,
      skills: skills.items.length > 0 ? skills.items : undefined,
    }),
    notices: [
      ...[tools, resources, resourceTemplates, prompts, skills].flatMap(({ notices }) => notices),
      ...((instructions?.length ?? 0) > maxDescriptionLength
        ? [l10n.t("The server's instructions are too long and were cut.")]
        : []),
    ],
  });
}

async function tolerant<T>(list: string, reading: Promise<McpList<T>>): Promise<McpList<T>> {
  try {
    return await reading;
  } catch (error) {
    const notice = l10n.t('The server could not list its {0}: {1}', list, errorMessage(error));
    return { items: [], notices: [notice] };
  }
}

/** Reads the lists of one kind again. @throws the first failure. */
export async function readCatalogPart(
  session: McpSession,
  kind: McpListKind,
  options: RequestOptions,
): Promise<Partial<McpCatalog>> {
  switch (kind) {
    case 'tools':
      return bounded({ tools: (await session.listTools(options)).items });
    case 'prompts':
      return bounded({ prompts: (await session.listPrompts(options)).items });
    case 'resources': {
      // skills are resources, and have no announcement of their own
      const [resources, templates, skills] = await Promise.all([
        session.listResources(options),
        session.listResourceTemplates(options),
        session.listSkills(options),
      ]);
      return bounded({
        resources: resources.items,
        resourceTemplates: templates.items,
        skills: skills.items.length > 0 ? skills.items : undefined,
      });
    }
  }
}

function bounded<T extends Partial<McpCatalog>>(part: T): T {
  const catalog = boundIcons({ ...emptyCatalog, ...part });
  const kept = Object.keys(part).map((key) => [key, catalog[key as keyof McpCatalog]] as const);
  return Object.fromEntries(kept) as T;
}
