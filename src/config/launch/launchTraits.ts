import * as l10n from '@vscode/l10n';
import { showText } from '../../base/text/showText.js';
import type { McpHttpLaunch, McpServerLaunch } from '../definition.js';
import { addressReach, isInnerReach } from './addressReach.js';
import { variablesOf } from './variables.js';

/**
 * What about a launch could do harm. A remote entry of a folder that has one of them asks for consent; a process of a
 * folder asks in any case.
 */
export const launchTraits = [
  'reads_environment',
  'runs_command',
  'runs_other_code',
  'uses_places',
  'skips_tls',
  'skips_issuer_check',
  'reaches_inner',
  'brings_oauth',
  'shadows_global',
] as const;
export type LaunchTrait = (typeof launchTraits)[number];

/**
 * Those that decide whether a remote entry asks; `traitsWithWords` has all.
 * @param isGlobalName whether one of the user's own servers has the same name.
 */
export function traitsOf(launch: McpServerLaunch, isGlobalName: boolean): readonly LaunchTrait[] {
  const kinds = new Set(variablesOf(launch).map(({ kind }) => kind));
  const http = launch.kind === 'http' ? launch : undefined;
  const inheritsAll = launch.kind === 'stdio' && launch.inheritEnv;
  const found: Readonly<Record<LaunchTrait, boolean>> = {
    reads_environment: kinds.has('env') || kinds.has('input') || inheritsAll,
    runs_command: kinds.has('command'),
    runs_other_code: false,
    // a process of the folder knows them anyway
    uses_places: http !== undefined && kinds.has('place'),
    skips_tls: http?.ignoreCertificateErrors === true,
    skips_issuer_check: http?.oauth?.skipIssuerMetadataValidation === true,
    reaches_inner: http !== undefined && addressesOf(http).some(isInner),
    brings_oauth: http !== undefined && bringsOAuth(http),
    shadows_global: isGlobalName,
  };
  return launchTraits.filter((trait) => found[trait]);
}

/** A clause that completes "the server …". @param words what of the launch is not plain. */
export function traitText(trait: LaunchTrait, words: readonly string[] = []): string {
  switch (trait) {
    case 'reads_environment':
      return l10n.t('it reads environment variables or secrets');
    case 'runs_command':
      return l10n.t('it runs a command to get a secret');
    case 'runs_other_code':
      return words.length === 0
        ? l10n.t('it may run other code')
        : l10n.t('it may run other code: {0}', words.map(showText).join(', '));
    case 'skips_tls':
      return l10n.t('it switches certificate verification off');
    case 'skips_issuer_check':
      return l10n.t('it does not check who issues its sign-in');
    case 'uses_places':
      return l10n.t('it sends places of your machine');
    case 'reaches_inner':
      return l10n.t('it reaches addresses of your own machine or network');
    case 'brings_oauth':
      return l10n.t('it brings its own sign-in');
    case 'shadows_global':
      return l10n.t('it has the name of a User server');
  }
}

export interface AddressField {
  readonly field: string;
  readonly text: string;
}

/** Every address that a remote entry names. */
export function addressesOf({
  url,
  oauth,
}: Partial<Pick<McpHttpLaunch, 'url' | 'oauth'>>): readonly AddressField[] {
  const provider = oauth?.identityProvider;
  const fields: readonly (readonly [string, string | undefined])[] = [
    ['url', url],
    ['oauth.issuer', oauth?.issuer],
    ['oauth.authorizationUrl', oauth?.authorizationUrl],
    ['oauth.tokenUrl', oauth?.tokenUrl],
    ['oauth.registrationUrl', oauth?.registrationUrl],
    ['oauth.clientMetadataUrl', oauth?.clientMetadataUrl],
    [redirectField, oauth?.redirectUrl],
    ['oauth.identityProvider.issuer', provider?.issuer],
    ['oauth.identityProvider.tokenEndpoint', provider?.tokenEndpoint],
  ];
  return fields.flatMap(([field, text]) => (text === undefined ? [] : [{ field, text }]));
}

const redirectField = 'oauth.redirectUrl';

/** The place that the browser returns to is on this machine by its nature. */
function isInner({ field, text }: AddressField): boolean {
  return field !== redirectField && isInnerReach(addressReach(text));
}

function bringsOAuth(launch: McpHttpLaunch): boolean {
  const {
    grant = 'authorization_code',
    clientId,
    clientSecret,
    privateKey,
    assertion,
    resource,
    audience,
    parameters,
  } = launch.oauth ?? {};
  const own = [clientId, clientSecret, privateKey, assertion, resource, audience, parameters];
  const hasEndpoint = addressesOf(launch).some(({ field }) => field !== 'url');
  return grant !== 'authorization_code' || hasEndpoint || own.some((value) => value !== undefined);
}
