import { variablesOf } from '../config/variables.js';
import type {
  LaunchSummary,
  McpHttpLaunch,
  McpServerDefinition,
  RemoteTrait,
  TrustReason,
} from '../mcpTypes.js';
import { launchHash } from './launchHash.js';

/** What is known about the surroundings of a definition. */
export interface TrustFacts {
  /** VS Code's Workspace Trust; false in Restricted Mode. */
  readonly isWorkspaceTrusted: boolean;
  readonly globalNames: ReadonlySet<string>;
}

/** Consent to one definition, as the user saw it. */
export interface ServerConsent {
  readonly hash: string;
  readonly summary: LaunchSummary;
}

/** What the user has consented to in one folder. */
export interface FolderConsent {
  /** When the folder as a whole was trusted (ISO); undefined: it was not. */
  readonly folderGrantedAt?: string;
  readonly servers: Readonly<Record<string, ServerConsent>>;
}

export const noConsent: FolderConsent = { servers: {} };

export type StartVerdict =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly reason: TrustReason };

const allowed: StartVerdict = { allowed: true };

/** The trust decision of design §6. Pure; asked before every spawn and connect, and again after every wait. */
export function canStart(
  definition: McpServerDefinition,
  facts: TrustFacts,
  consent: FolderConsent,
): StartVerdict {
  const { scope, launch, name } = definition;
  if (scope === 'global') {
    return allowed;
  }
  if (!facts.isWorkspaceTrusted) {
    return refuse({ kind: 'workspace_untrusted' });
  }
  if (consent.folderGrantedAt !== undefined) {
    return allowed;
  }
  const traits = launch?.kind === 'http' ? remoteTraits(launch, facts.globalNames.has(name)) : [];
  if (launch?.kind === 'http' && traits.length === 0) {
    return allowed;
  }
  const given = Object.hasOwn(consent.servers, name) ? consent.servers[name] : undefined;
  if (given && launch) {
    return given.hash === launchHash(launch)
      ? allowed
      : refuse({ kind: 'changed', consented: given.summary });
  }
  return refuse(
    traits.length > 0 ? { kind: 'sensitive_remote', traits } : { kind: 'never_consented' },
  );
}

/** What makes a remote entry of a project ask for consent. */
export function remoteTraits(launch: McpHttpLaunch, isGlobalName: boolean): readonly RemoteTrait[] {
  const kinds = new Set(variablesOf(launch).map(({ kind }) => kind));
  const found: readonly (readonly [RemoteTrait, boolean])[] = [
    ['reads_environment', kinds.has('env') || kinds.has('input')],
    ['runs_command', kinds.has('command')],
    ['skips_tls', launch.ignoreCertificateErrors],
    ['skips_issuer_check', launch.oauth?.skipIssuerMetadataValidation === true],
    ['shadows_global', isGlobalName],
  ];
  return found.filter(([, isPresent]) => isPresent).map(([trait]) => trait);
}

function refuse(reason: TrustReason): StartVerdict {
  return { allowed: false, reason };
}
