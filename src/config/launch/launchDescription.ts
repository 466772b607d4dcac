import { isJsonObject } from '../../base/json.js';
import { type AddressReach, addressReaches } from './addressReach.js';
import { type LaunchTrait, launchTraits } from './launchTraits.js';

/**
 * Everything that a launch does, reads and talks to, as far as its entry decides it. Made by `describeLaunch`, shown by
 * `descriptionLines`. Variables stay as written: no value of the user is in it. What the repository wrote is in it as it
 * is, so beyond the question about consent only its redacted form is shown (`redactDescription`).
 */
export interface LaunchDescription {
  readonly kind: 'stdio' | 'http';
  /** Executable and arguments as written; empty for a remote server. */
  readonly argv: readonly string[];
  /** What is spawned; `undefined`: nobody has looked yet. */
  readonly executable?: FoundPath;
  /** The package that is started in place of `npx`. */
  readonly package?: FoundPackage;
  /** Only for processes. */
  readonly cwd?: DescribedCwd;
  /** The file that sets further variables. */
  readonly envFile?: DescribedEnvFile;
  /** The process gets every variable of the editor's environment. */
  readonly inheritEnv: boolean;
  readonly env: readonly NamedText[];
  readonly headers: readonly NamedText[];
  /** Everything else that the entry says about the connection, such as `oauth.grant`. */
  readonly settings: readonly NamedText[];
  readonly reads: readonly DescribedRead[];
  /** `url` first, then those of `oauth`. */
  readonly addresses: readonly DescribedAddress[];
  readonly traits: readonly LaunchTrait[];
}

export interface NamedText {
  readonly name: string;
  readonly text: string;
}

const lookUpStates = ['found', 'missing', 'after_consent'] as const;

/** A path, and where it leads. */
export interface FoundPath {
  /** Absolute; as written while it depends on a variable. */
  readonly path: string;
  /** It lies in the folder, by what its links lead to. */
  readonly isInFolder: boolean;
  /** Where its links lead, when they lead elsewhere; as far as they were followed. */
  readonly leadsTo?: string;
  /** `after_consent`: outside of the folder, so nobody has looked. */
  readonly state: (typeof lookUpStates)[number];
}

interface FoundPackage {
  readonly name: string;
  /** Empty when nobody has looked. */
  readonly version: string;
  readonly file: FoundPath;
}

export interface DescribedCwd {
  /** Default: the folder, or the home directory for an entry of the user. */
  readonly written?: string;
  /** `undefined`: nobody has looked yet. */
  readonly found?: FoundPath;
  readonly isOutsideFolder: boolean;
}

export interface DescribedEnvFile extends Partial<FoundEnvFile> {
  readonly written: string;
}

interface FoundEnvFile {
  readonly file: FoundPath;
  /** Of the variables that it sets; `undefined`: nobody has looked, or it cannot be read. */
  readonly names?: readonly string[];
  readonly digest?: string;
}

const readKinds = ['env', 'input', 'place', 'command', 'unknown'] as const;

/** Something outside of the file that is read. */
export interface DescribedRead {
  readonly kind: (typeof readKinds)[number];
  /** Name of the variable, input or place; the command line for `command`. */
  readonly name: string;
  /** Where it goes, such as `env.TOKEN`. */
  readonly field: string;
}

export interface DescribedAddress {
  /** Such as `url` or `oauth.issuer`. */
  readonly field: string;
  /** As written. */
  readonly text: string;
  readonly reach: AddressReach;
}

/** What was found on this machine about the launch of a process. */
export interface LaunchFacts {
  readonly executable: FoundPath;
  readonly package?: FoundPackage;
  readonly cwd: FoundPath;
  readonly envFile?: FoundEnvFile;
}

/**
 * Whether what the folder's files decide is as described: which file of the folder runs, and where its links lead. What
 * lies outside of the folder may change without asking again.
 */
export function isAsDescribed(described: LaunchDescription, facts: LaunchFacts): boolean {
  const { executable, package: found, cwd } = described;
  return (
    isSamePath(cwd?.found, facts.cwd) &&
    isSamePath(executable, facts.executable) &&
    isSamePath(found?.file, facts.package?.file) &&
    isSameEnvFile(described.envFile, facts.envFile)
  );
}

/** A file of the folder counts with what is in it. */
function isSameEnvFile(before: Partial<FoundEnvFile> | undefined, now: FoundEnvFile | undefined) {
  const isOfFolder = before?.file?.isInFolder === true || now?.file.isInFolder === true;
  return isSamePath(before?.file, now?.file) && (!isOfFolder || before?.digest === now?.digest);
}

function isSamePath(described: FoundPath | undefined, now: FoundPath | undefined): boolean {
  const [before, after] = [described, now].map((found) =>
    found && (found.isInFolder || found.leadsTo !== undefined) ? found : undefined,
  );
  return before?.path === after?.path && before?.leadsTo === after?.leadsTo;
}

// #region stored descriptions

type Is = (value: unknown) => boolean;

const isText: Is = (value) => typeof value === 'string';
const isFlag: Is = (value) => typeof value === 'boolean';

function isOneOf(values: readonly unknown[]): Is {
  return (value) => values.includes(value);
}

function isListOf(isItem: Is): Is {
  return (value) => Array.isArray(value) && value.every(isItem);
}

function isOptional(isValid: Is): Is {
  return (value) => value === undefined || isValid(value);
}

function hasParts(parts: Readonly<Record<string, Is>>): Is {
  return (value) =>
    isJsonObject(value) && Object.entries(parts).every(([name, isPart]) => isPart(value[name]));
}

const isNamedTexts = isListOf(hasParts({ name: isText, text: isText }));
const isFoundPath = hasParts({
  path: isText,
  isInFolder: isFlag,
  leadsTo: isOptional(isText),
  state: isOneOf(lookUpStates),
});
const isDescription = hasParts({
  kind: isOneOf(['stdio', 'http']),
  inheritEnv: isFlag,
  argv: isListOf(isText),
  env: isNamedTexts,
  headers: isNamedTexts,
  settings: isNamedTexts,
  reads: isListOf(hasParts({ kind: isOneOf(readKinds), name: isText, field: isText })),
  addresses: isListOf(hasParts({ field: isText, text: isText, reach: isOneOf(addressReaches) })),
  traits: isListOf(isOneOf(launchTraits)),
  executable: isOptional(isFoundPath),
  package: isOptional(hasParts({ name: isText, version: isText, file: isFoundPath })),
  cwd: isOptional(
    hasParts({
      written: isOptional(isText),
      found: isOptional(isFoundPath),
      isOutsideFolder: isFlag,
    }),
  ),
  envFile: isOptional(
    hasParts({
      written: isText,
      file: isOptional(isFoundPath),
      names: isOptional(isListOf(isText)),
      digest: isOptional(isText),
    }),
  ),
});

/** Whether a stored value is a description of today's shape. */
export function isLaunchDescription(value: unknown): value is LaunchDescription {
  return isDescription(value);
}

// #endregion
