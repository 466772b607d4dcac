/**
 * What a person agreed to of the words that a server puts before a model, and what the model gets when these change. Pure.
 */
import { createHash } from 'node:crypto';
import { isJsonObject, type JsonObject, stableStringify } from '../../../base/json.js';
import type { DefinitionsMode } from '../../../config/definition.js';
import type { DefinitionChange, McpCatalog, McpPrompt, McpSkill, McpTool } from '../../mcpTypes.js';

export interface PinnedDefinition extends Pick<DefinitionChange, 'kind' | 'name'> {
  /** Of everything that a model reads of it; the order of fields and the widths of blanks do not count. */
  readonly fingerprint: string;
  readonly definition: JsonObject;
}

/** By {@link pinKey}. */
export type DefinitionPins = ReadonlyMap<string, PinnedDefinition>;

export function pinKey({ kind, name }: Pick<PinnedDefinition, 'kind' | 'name'>): string {
  return `${kind} ${name}`;
}

export function toPins(definitions: Iterable<PinnedDefinition>): DefinitionPins {
  return new Map([...definitions].map((one) => [pinKey(one), one]));
}

export function definitionsOf(catalog: McpCatalog): readonly PinnedDefinition[] {
  const { instructions } = catalog;
  return [
    ...catalog.tools.map(pinTool),
    ...catalog.prompts.map(pinPrompt),
    ...(catalog.skills ?? []).map(pinSkill),
    ...(instructions === undefined ? [] : [pinInstructions(instructions)]),
  ];
}

/**
 * The catalog as it is used, with what differs from the pins in `changes`. Held back, a definition that changed in its
 * words alone is the one before; where its parameters, arguments or hints changed, and where it is new, it is left out.
 */
export function settleDefinitions(
  catalog: McpCatalog,
  pins: DefinitionPins,
  mode: DefinitionsMode,
): McpCatalog {
  const changes: DefinitionChange[] = [];
  const settle = <T extends object>(
    item: T,
    now: PinnedDefinition,
    restore: (before: JsonObject) => T | undefined,
  ): readonly T[] => {
    const pin = pins.get(pinKey(now));
    if (mode === 'accept' || pin?.fingerprint === now.fingerprint || (!pin && mode !== 'hold')) {
      return [item];
    }
    const older = pin && mode === 'hold' ? restore(pin.definition) : undefined;
    const shown = mode === 'announce' ? 'now' : older ? 'before' : 'nothing';
    changes.push({ ...now, before: pin?.definition, shown });
    return mode === 'announce' ? [item] : older ? [older] : [];
  };
  const { instructions, skills, changes: _, ...others } = catalog;
  // the files of an earlier skill are not there any more
  const kept = skills?.flatMap((skill) => settle(skill, pinSkill(skill), () => undefined));
  const lists = kept ? { ...others, skills: kept } : others;
  const tools = lists.tools.flatMap((tool) =>
    settle(tool, pinTool(tool), (before) => restoreTool(tool, before)),
  );
  const prompts = lists.prompts.flatMap((prompt) =>
    settle(prompt, pinPrompt(prompt), (before) => restorePrompt(prompt, before)),
  );
  const [said] =
    instructions === undefined
      ? []
      : settle({ text: instructions }, pinInstructions(instructions), (before) => ({
          text: String(before.text),
        }));
  const settled = said ? { ...lists, instructions: said.text } : lists;
  return changes.length === 0
    ? { ...settled, tools, prompts }
    : { ...settled, tools, prompts, changes };
}

const pinsOfTools = new WeakMap<McpTool, PinnedDefinition>();

/** Lists are settled again with each change of one, and most of their tools stay what they are. */
function pinTool(tool: McpTool): PinnedDefinition {
  const known = pinsOfTools.get(tool);
  if (known) {
    return known;
  }
  const { name, title, description, inputSchema, annotations } = tool;
  const pin = pinOf('tool', name, { title, description, inputSchema, annotations });
  pinsOfTools.set(tool, pin);
  return pin;
}

function pinPrompt({ name, title, description, arguments: args }: McpPrompt): PinnedDefinition {
  return pinOf('prompt', name, { title, description, arguments: args });
}

function pinSkill({ name, uri, description, frontmatter, files }: McpSkill) {
  const hashes = files.map(({ path, size, sha256 }) => [path, `${size} ${sha256}`] as const);
  const definition = { uri, description, frontmatter, files: Object.fromEntries(hashes) };
  return pinOf('skill', name, definition);
}

/** That a person was shown all of this skill, and lets it be used. No skill has a slash in its name. */
export function pinUse(skill: McpSkill): PinnedDefinition {
  return { ...pinSkill(skill), name: `${skill.name}/use` };
}

function pinInstructions(text: string): PinnedDefinition {
  return pinOf('instructions', '', { text });
}

function pinOf(
  kind: PinnedDefinition['kind'],
  name: string,
  definition: JsonObject,
): PinnedDefinition {
  const text = stableStringify(withSingleBlanks({ kind, name, ...definition }));
  const fingerprint = createHash('sha256').update(text).digest('hex');
  return { kind, name, fingerprint, definition };
}

function restoreTool(tool: McpTool, before: JsonObject): McpTool | undefined {
  const { title, description, inputSchema, annotations } = before as JsonObject &
    Pick<McpTool, 'title' | 'description' | 'annotations'>;
  const isSame = meansTheSame(
    { inputSchema: tool.inputSchema, annotations: tool.annotations },
    { inputSchema, annotations },
  );
  return isSame && isJsonObject(inputSchema)
    ? { ...tool, title, description, inputSchema, annotations }
    : undefined;
}

function restorePrompt(prompt: McpPrompt, before: JsonObject): McpPrompt | undefined {
  const {
    title,
    description,
    arguments: args,
  } = before as JsonObject & Pick<McpPrompt, 'title' | 'description' | 'arguments'>;
  return args !== undefined && meansTheSame(prompt.arguments, args)
    ? { ...prompt, title, description, arguments: args }
    : undefined;
}

/** Apart from what people and models alone read. */
function meansTheSame(a: unknown, b: unknown): boolean {
  return stableStringify(withoutWords(a)) === stableStringify(withoutWords(b));
}

const words: ReadonlySet<string> = new Set(['title', 'description', '$comment', 'examples']);

function withoutWords(value: unknown): unknown {
  // a parameter may be called like one of these: only their texts and lists are words
  return mapped(value, (key, item) =>
    words.has(key) && (typeof item === 'string' || Array.isArray(item)) ? undefined : item,
  );
}

function withSingleBlanks(value: unknown): unknown {
  return mapped(value, (_key, item) =>
    typeof item === 'string' ? item.replace(/\s+/g, ' ').trim() : item,
  );
}

function mapped(value: unknown, change: (key: string, item: unknown) => unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value, change));
}
