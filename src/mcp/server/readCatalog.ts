import * as l10n from '@vscode/l10n';
import { errorMessage } from '../../base/errors.js';
import { defined } from '../../base/json.js';
import { boundIcons } from '../catalog/icons.js';
import type { ListItems, McpList } from '../connection/reading/readList.js';
import { cutText, maxDescriptionLength } from '../connection/reading/serverBounds.js';
import type { McpSession, RequestOptions } from '../connection/session/engine.js';
import { emptyCatalog, type McpCatalog, type McpListKind } from '../mcpTypes.js';

/** What is read together. Skills are resources, and have no announcement of their own. */
export const listsOfKind = {
  tools: ['tools'],
  resources: ['resources', 'resourceTemplates', 'skills'],
  prompts: ['prompts'],
} as const satisfies Readonly<Record<McpListKind, readonly (keyof ListItems)[]>>;

/**
 * Reads every list that the server declares. A failing list other than the tools is left out and named in `notices`.
 * @throws the failure of `tools/list`, or the signal's reason.
 */
export async function readCatalog(
  session: McpSession,
  options: RequestOptions,
): Promise<McpCatalog> {
  const hasTools = session.capabilities.tools !== undefined;
  const [tools, resources, resourceTemplates, prompts, skills] = await Promise.all([
    hasTools ? session.list('tools', options) : { items: [], notices: [] },
    tolerant('resources', session.list('resources', options)),
    tolerant('resource templates', session.list('resourceTemplates', options)),
    tolerant('prompts', session.list('prompts', options)),
    tolerant('skills', session.list('skills', options)),
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
        ? [l10n.t('{0}: {1} long texts were cut.', 'instructions', 1)]
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
  const keys: readonly (keyof ListItems)[] = listsOfKind[kind];
  const lists = keys.map(async (key) => [key, (await session.list(key, options)).items] as const);
  const part: Partial<McpCatalog> = Object.fromEntries(await Promise.all(lists));
  const { skills, ...catalog } = boundIcons({ ...emptyCatalog, ...part });
  // no skills are none, as in a catalog that never had any
  const read: Partial<McpCatalog> = { ...catalog, skills: skills?.length ? skills : undefined };
  return Object.fromEntries(keys.map((key) => [key, read[key]]));
}
