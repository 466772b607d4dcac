import { defined } from '../../base/json.js';
import type { McpServerDefinition } from '../../config/definition.js';
import {
  isAsDescribed,
  type LaunchDescription,
  type LaunchFacts,
} from '../../config/launch/launchDescription.js';
import { launchHash } from '../../config/launch/launchHash.js';
import { traitsOf } from '../../config/launch/launchTraits.js';
import type { FolderIdentity } from '../../platform/folderIdentity.js';
import type { FolderReplaced, TrustReason } from '../mcpTypes.js';

/** What is known about the surroundings of a definition. */
export interface TrustFacts {
  /** VS Code's Workspace Trust; false in Restricted Mode. */
  readonly isWorkspaceTrusted: boolean;
  readonly globalNames: ReadonlySet<string>;
  /** What the machine had for this launch when it was last about to start. Default: it never was. */
  readonly found?: LaunchFacts | undefined;
  /** Another folder stands where the one was that the user consented to. Default: none does. */
  readonly replaced?: FolderReplaced | undefined;
  /** Another folder stands where the one was that the user's own servers for it last ran in. Default: none does. */
  readonly ownReplaced?: FolderReplaced | undefined;
}

/** Consent to one definition, as the user saw it. */
export interface ServerConsent {
  readonly hash: string;
  readonly description: LaunchDescription;
}

/** What the user has consented to in one folder. */
export interface FolderConsent {
  /** When the folder as a whole was trusted (ISO); undefined: it was not. */
  readonly folderGrantedAt?: string;
  /** The folder that all of it is about. Without one, nothing of a folder on a disk is covered. */
  readonly identity?: FolderIdentity;
  /** The folder that the user's own servers for it run in; they run in another one at its path by consent alone. */
  readonly ownIdentity?: FolderIdentity;
  readonly servers: Readonly<Record<string, ServerConsent>>;
  /** Launches that the agent wrote, by the name of the server: they start by consent to exactly them alone. */
  readonly agentWrote?: Readonly<Record</* name */ string, readonly /* hash */ string[]>>;
  /** Pi extensions of the folder, as the user saw them. */
  readonly extensions?: ExtensionConsent;
}

/** Consent to run files inside of the editor. */
export interface ExtensionConsent {
  /** Of the texts of all files. */
  readonly hash: string;
  /** Paths in the folder. */
  readonly files: readonly string[];
}

export const noConsent: FolderConsent = { servers: {} };

export function coversNothing({ folderGrantedAt, servers, extensions }: FolderConsent): boolean {
  return folderGrantedAt === undefined && !extensions && Object.keys(servers).length === 0;
}

/** Of one name; with more, every launch of that name counts as written by the agent. */
const maxAgentHashes = 50;
export const anyHash = '*';

/** With that entry as one that the agent wrote. */
export function addAgentEntry(consent: FolderConsent, name: string, hash: string): FolderConsent {
  const known = consent.agentWrote ?? {};
  const before = Object.hasOwn(known, name) ? (known[name] ?? []) : [];
  const hashes = [...new Set([...before, hash])];
  const kept = hashes.length > maxAgentHashes ? [anyHash] : hashes;
  return { ...consent, agentWrote: { ...known, [name]: kept } };
}

function isByAgent({ agentWrote = {} }: FolderConsent, name: string, hash: string): boolean {
  const hashes = Object.hasOwn(agentWrote, name) ? agentWrote[name] : undefined;
  return hashes?.some((one) => one === hash || one === anyHash) ?? false;
}

/** What remains of a consent that is withdrawn, or about another folder: what the user did not decide. */
export function withoutConsent({ ownIdentity, agentWrote }: FolderConsent): FolderConsent {
  return ownIdentity === undefined && agentWrote === undefined
    ? noConsent
    : { ...noConsent, ...defined({ ownIdentity, agentWrote }) };
}

export type StartVerdict =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly reason: TrustReason };

const allowed: StartVerdict = { allowed: true };

/** Whether a server may start or connect. Pure; asked before every spawn and connect, and again after every wait. */
export function canStart(
  definition: McpServerDefinition,
  facts: TrustFacts,
  consent: FolderConsent,
): StartVerdict {
  const { scope, launch, name, origin } = definition;
  if (scope === 'global') {
    return allowed;
  }
  // also what the user declared for the folder: it runs among the folder's files
  if (!facts.isWorkspaceTrusted) {
    return refuse({ kind: 'workspace_untrusted' });
  }
  const isOwn = origin.layer === 'local';
  const isAgents = launch !== undefined && isByAgent(consent, name, launchHash(launch));
  if (!isAgents && ((isOwn && !facts.ownReplaced) || consent.folderGrantedAt !== undefined)) {
    return allowed;
  }
  const traits = launch?.kind === 'http' ? traitsOf(launch, facts.globalNames.has(name)) : [];
  if (launch?.kind === 'http' && traits.length === 0 && !isAgents) {
    return allowed;
  }
  const given = Object.hasOwn(consent.servers, name) ? consent.servers[name] : undefined;
  if (given && launch) {
    const { found } = facts;
    const isSame =
      given.hash === launchHash(launch) && (!found || isAsDescribed(given.description, found));
    return isSame ? allowed : refuse({ kind: 'changed', consented: given.description });
  }
  const replaced = isOwn ? facts.ownReplaced : facts.replaced;
  if (replaced) {
    return refuse({ kind: 'folder_replaced', ...replaced });
  }
  if (isAgents) {
    return refuse({ kind: 'agent_wrote' });
  }
  return refuse(
    traits.length > 0 ? { kind: 'sensitive_remote', traits } : { kind: 'never_consented' },
  );
}

/** Whether Pi extensions of a folder may run. Trust in its servers says nothing about them. Pure. */
export function canLoad(
  hash: string,
  { isWorkspaceTrusted }: Pick<TrustFacts, 'isWorkspaceTrusted'>,
  { extensions }: FolderConsent,
): boolean {
  return isWorkspaceTrusted && extensions?.hash === hash;
}

function refuse(reason: TrustReason): StartVerdict {
  return { allowed: false, reason };
}
