/** Named sets of servers and tools. A set only ever leaves tools out: it gives nobody what is off without it. */
import { asObject, isJsonObject } from '../base/json.js';
import { fitsGlob, type Glob, toGlob } from '../base/text/glob.js';

/** Whose set it is: of the user, or of the files of a folder. Sets of one name never take each other's place. */
export const profileSources = ['user', 'folder'] as const;
export type ProfileSource = (typeof profileSources)[number];

interface ProfileRule {
  /** As written, without its `!`. */
  readonly pattern: string;
  readonly glob: Glob;
  /** The pattern names a tool, not only a server. */
  readonly isForTools: boolean;
  /** It begins with `!`: takes away what rules before it gave. */
  readonly isExcluding: boolean;
}

export interface ToolProfile {
  readonly source: ProfileSource;
  readonly name: string;
  readonly rules: readonly ProfileRule[];
  /** Only tools that say that they only read. */
  readonly isReadOnly: boolean;
  /** It is written in a way that is not understood: it leaves everything out. */
  readonly isBroken: boolean;
}

export interface ProfileTool {
  readonly server: string;
  /** As its server calls it. */
  readonly tool: string;
  /** Asked only where the profile wants to know. */
  readonly isReadOnly: () => boolean;
}

const maxProfiles = 100;
/** Characters. */
export const maxProfileName = 100;
export const maxPatterns = 200;
/** Characters. */
const maxPattern = 200;

/** @param value of the setting `profiles`, of whatever shape somebody wrote */
export function readProfiles(value: unknown, source: ProfileSource): readonly ToolProfile[] {
  return Object.entries(asObject(value))
    .filter(([name]) => name.trim() !== '' && name.length <= maxProfileName)
    .slice(0, maxProfiles)
    .map(([name, written]) => readProfile(name, written, source));
}

/** The last rule that means the tool decides. Before the first one everything is in where it takes something away. */
export function isInProfile(profile: ToolProfile, tool: ProfileTool): boolean {
  const { rules, isReadOnly, isBroken } = profile;
  if (isBroken) {
    return false;
  }
  const rule = rules.findLast((one) => means(one, tool));
  const isNamed = rule ? !rule.isExcluding : (rules[0]?.isExcluding ?? true);
  return isNamed && (!isReadOnly || tool.isReadOnly());
}

/** A server that a pattern may mean. */
export interface PatternTarget {
  readonly server: string;
  /** `undefined`: nobody knows them yet. */
  readonly tools: readonly string[] | undefined;
}

/** Whether a pattern of a profile means any of the tools. */
export function isPatternKnown(written: string, servers: readonly PatternTarget[]): boolean {
  const rule = readRule(written);
  return rule !== undefined && meansAny(rule, servers);
}

/** Patterns, as written, that mean none of the tools. */
export function unknownPatterns(
  { rules }: ToolProfile,
  servers: readonly PatternTarget[],
): readonly string[] {
  return rules
    .filter((rule) => !meansAny(rule, servers))
    .map(({ pattern, isExcluding }) => (isExcluding ? `!${pattern}` : pattern));
}

function meansAny(rule: ProfileRule, servers: readonly PatternTarget[]): boolean {
  const ofServer = toGlob(rule.pattern.split('/')[0] ?? '');
  return servers.some(({ server, tools }) =>
    tools === undefined || !rule.isForTools
      ? fitsGlob(rule.isForTools ? ofServer : rule.glob, server)
      : tools.some((tool) => means(rule, { server, tool })),
  );
}

/** Patterns of a profile as it is written; `undefined` when it is not understood. */
export function patternsOf(written: unknown): readonly string[] | undefined {
  // what has another name would narrow nothing
  const {
    tools: list = [],
    readOnly = false,
    ...others
  } = isJsonObject(written) ? written : { tools: written };
  const isList =
    typeof readOnly === 'boolean' &&
    Object.keys(others).length === 0 &&
    Array.isArray(list) &&
    list.length <= maxPatterns &&
    list.every((one) => readRule(one));
  return isList ? (list as readonly string[]) : undefined;
}

function readProfile(name: string, written: unknown, source: ProfileSource): ToolProfile {
  const patterns = patternsOf(written);
  return {
    source,
    name,
    rules: (patterns ?? []).flatMap((one) => readRule(one) ?? []),
    isReadOnly: isJsonObject(written) && written.readOnly === true,
    isBroken: patterns === undefined,
  };
}

function readRule(written: unknown): ProfileRule | undefined {
  if (typeof written !== 'string' || written.length > maxPattern) {
    return undefined;
  }
  const isExcluding = written.startsWith('!');
  const pattern = (isExcluding ? written.slice(1) : written).trim();
  return pattern === ''
    ? undefined
    : { pattern, glob: toGlob(pattern), isForTools: pattern.includes('/'), isExcluding };
}

/** Names of servers may hold slashes themselves. */
function means(
  { glob, isForTools }: ProfileRule,
  { server, tool }: Omit<ProfileTool, 'isReadOnly'>,
): boolean {
  return fitsGlob(glob, server) || (isForTools && fitsGlob(glob, `${server}/${tool}`));
}
