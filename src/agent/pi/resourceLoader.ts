/** Pi's loader of resources, which itself looks at nothing of the folder. */
import type { RegisteredTool } from '@earendil-works/pi-coding-agent';
import * as l10n from '@vscode/l10n';
import { errorMessage } from '../../base/errors.js';
import {
  type ExtensionReport,
  emptyReport,
  ofFolder,
  reportExtensions,
  sortOut,
} from './extensionReport.js';
import type { FolderExtensions } from './folderExtensions.js';
import {
  type FolderResources,
  type ResourcePlaces,
  readFolderResources,
} from './folderResources.js';
import { expandSkill } from './folderSkills.js';
import type { PiExtensionApi, PiModule, PiResourceLoader, PiSettings } from './piModule.js';
import {
  extensionName,
  type FoundExtension,
  noExtensions,
  type UserExtensions,
} from './userExtensions.js';

export interface LoadedResources {
  readonly loader: PiResourceLoader;
  /** What the folder offered and was not taken, one sentence each. */
  readonly refused: readonly string[];
  readonly extensions: ExtensionReport;
}

export interface ResourceParts {
  readonly settings: PiSettings;
  /** Extensions of the user. Default: none. */
  readonly extensions?: UserExtensions;
  /**
   * Copies of the folder's extensions, by their paths in the folder; `undefined` without consent to them. Default: they
   * are never run.
   */
  readonly consented?: (
    found: FolderExtensions,
  ) => Promise<ReadonlyMap<string, string> | undefined>;
  /** Names that no tool of an extension may take. */
  readonly isReserved: (tool: string) => boolean;
  /** Gets the interface of the extension that every session has. Its tools go before those of others. */
  readonly connect: (api: PiExtensionApi) => void;
  /** The same; its handlers come after those of others. */
  readonly connectLast: (api: PiExtensionApi) => void;
}

/** Milliseconds for all extensions of the user together. */
const loadMs = 10_000;

/** An extension that cannot be loaded, or does not finish, costs itself. */
export async function loadResources(
  pi: PiModule,
  places: ResourcePlaces,
  parts: ResourceParts,
): Promise<LoadedResources> {
  const resources = await readFolderResources(pi, places);
  const { refused } = resources;
  const { extensions = noExtensions } = parts;
  const own = sortOut(extensions.extensions, extensions.missing, places.agentDir);
  const copies = resources.extensions && (await parts.consented?.(resources.extensions));
  const { left: waiting, ...ofThisFolder } = ofFolder(
    resources.extensions,
    copies !== undefined,
    parts.consented !== undefined,
  );
  const wanted = [
    ...own.wanted,
    ...[...(copies ?? [])].map(([inFolder, path]) => ({ path, inFolder })),
  ];
  const left = [...own.left, ...waiting];
  const { loader, report } = createLoader(pi, places, { ...parts, resources, wanted });
  const trouble = wanted.length > 0 ? await troubleIn(loader.reload()) : await loader.reload();
  if (trouble === undefined) {
    const { loaded, left: failed } = report();
    return { loader, refused, extensions: { ...ofThisFolder, loaded, left: [...left, ...failed] } };
  }
  const plain = createLoader(pi, places, { ...parts, resources, wanted: [] });
  await plain.loader.reload();
  const all = wanted.map((one) => ({
    name: extensionName(one, places.agentDir),
    reason: trouble,
  }));
  return {
    loader: plain.loader,
    refused,
    extensions: { ...ofThisFolder, loaded: [], left: [...left, ...all] },
  };
}

/** Why the extensions could not be loaded at all, as a sentence. */
async function troubleIn(work: Promise<void>): Promise<string | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<string>((resolve) => {
    const text = l10n.t('The extensions could not be loaded: {0}', l10n.t('No answer'));
    timer = setTimeout(() => resolve(text), loadMs);
  });
  const done = work.then(
    () => undefined,
    (error: unknown) => l10n.t('The extensions could not be loaded: {0}', errorMessage(error)),
  );
  return await Promise.race([done, late]).finally(() => clearTimeout(timer));
}

interface LoaderParts extends ResourceParts {
  readonly resources: FolderResources;
  readonly wanted: readonly FoundExtension[];
}

function createLoader(
  pi: PiModule,
  places: ResourcePlaces,
  parts: LoaderParts,
): { readonly loader: PiResourceLoader; readonly report: () => ExtensionReport } {
  const { resources, wanted, extensions: own = noExtensions } = parts;
  const { contextFiles, systemPrompt, appendSystemPrompt, skills, prompts } = resources;
  let report = emptyReport;
  const loader = new pi.DefaultResourceLoader({
    cwd: places.cwd,
    agentDir: places.agentDir,
    settingsManager: parts.settings,
    noThemes: true,
    noExtensions: true,
    additionalExtensionPaths: wanted.map(({ path }) => path),
    additionalSkillPaths: [...own.skillPaths],
    additionalPromptTemplatePaths: [...own.promptPaths],
    // empty, so that it looks for none
    noContextFiles: true,
    systemPrompt: '',
    appendSystemPrompt: [],
    agentsFilesOverride: () => ({ agentsFiles: [...contextFiles] }),
    systemPromptOverride: () => systemPrompt,
    appendSystemPromptOverride: () => (appendSystemPrompt ? [appendSystemPrompt] : []),
    skillsOverride: (base) => ({ ...base, skills: firstOfName(skills, base.skills) }),
    promptsOverride: (base) => ({ ...base, prompts: firstOfName(prompts, base.prompts) }),
    extensionFactories: [
      {
        name: firstName,
        hidden: true,
        factory: (api) => {
          expandSkills(api, resources);
          parts.connect(api);
        },
      },
      { name: lastName, hidden: true, factory: parts.connectLast },
    ],
    extensionsOverride: (base) => {
      const [first, last] = [firstName, lastName].map((name) =>
        base.extensions.filter(({ path }) => path === `<inline:${name}>`),
      );
      const others = base.extensions.filter(({ path }) => !path.startsWith('<inline:'));
      const rules = { agentDir: places.agentDir, isReserved: parts.isReserved };
      const sorted = reportExtensions({ ...base, extensions: others }, wanted, rules);
      ({ report } = sorted);
      for (const extension of sorted.kept) {
        extension.tools = new AllowedTools(parts.isReserved, extension.tools);
      }
      return { ...base, extensions: [...(first ?? []), ...sorted.kept, ...(last ?? [])] };
    },
  });
  return { loader, report: () => report };
}

const firstName = 'pi-mcp';
const lastName = 'pi-mcp-gate';

type Tools = Map<string, RegisteredTool>;

/** An extension may add tools at any time. */
class AllowedTools extends Map<string, RegisteredTool> {
  constructor(
    private readonly isReserved: (name: string) => boolean,
    tools: Tools,
  ) {
    super();
    for (const [name, tool] of tools) {
      this.set(name, tool);
    }
  }

  override set(name: string, tool: RegisteredTool): this {
    return this.isReserved(name) ? this : super.set(name, tool);
  }
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
