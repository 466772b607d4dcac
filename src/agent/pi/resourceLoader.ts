/** Pi's loader of resources, which itself looks at nothing of the folder. */

import {
  type FolderResources,
  type ResourcePlaces,
  readFolderResources,
} from './folderResources.js';
import { expandSkill } from './folderSkills.js';
import type { PiExtensionApi, PiModule, PiResourceLoader, PiSettings } from './piModule.js';

export interface LoadedResources {
  readonly loader: PiResourceLoader;
  /** What the folder offered and was not taken, one sentence each. */
  readonly refused: readonly string[];
}

/** @param connect gets the interface of the extension that every session has */
export async function loadResources(
  pi: PiModule,
  places: ResourcePlaces,
  settings: PiSettings,
  connect: (api: PiExtensionApi) => void,
): Promise<LoadedResources> {
  const resources = await readFolderResources(pi, places);
  const { contextFiles, systemPrompt, appendSystemPrompt, skills, prompts } = resources;
  const loader = new pi.DefaultResourceLoader({
    cwd: places.cwd,
    agentDir: places.agentDir,
    settingsManager: settings,
    noThemes: true,
    noExtensions: true,
    // empty, so that it looks for none
    noContextFiles: true,
    systemPrompt: '',
    appendSystemPrompt: [],
    agentsFilesOverride: () => ({ agentsFiles: [...contextFiles] }),
    systemPromptOverride: () => systemPrompt,
    appendSystemPromptOverride: () => (appendSystemPrompt ? [appendSystemPrompt] : []),
    skillsOverride: (own) => ({ ...own, skills: firstOfName(skills, own.skills) }),
    promptsOverride: (own) => ({ ...own, prompts: firstOfName(prompts, own.prompts) }),
    extensionFactories: [
      {
        name: 'pi-mcp',
        hidden: true,
        factory: (api) => {
          expandSkills(api, resources);
          connect(api);
        },
      },
    ],
  });
  await loader.reload();
  return { loader, refused: resources.refused };
}

/** Pi would read the file of a skill anew. */
function expandSkills(api: PiExtensionApi, { skills }: FolderResources): void {
  api.on('input', ({ text }) => {
    const expanded = expandSkill(skills, text);
    return expanded === undefined ? undefined : { action: 'transform', text: expanded };
  });
}

function firstOfName<T extends { readonly name: string }>(
  first: readonly T[],
  second: readonly T[],
): T[] {
  const names = new Set(first.map(({ name }) => name));
  return [...first, ...second.filter(({ name }) => !names.has(name))];
}
