/** Sign-in on another device (RFC 8628): the user enters a code there, and tokens are asked for until that is done. */
import { type OAuthDiscoveryState, OAuthError } from '@modelcontextprotocol/client';
import * as l10n from '@vscode/l10n';
import { delay } from '../../../../base/async/cancellation.js';
import { HumanError } from '../../../../base/errors.js';
import { asObject, asString, definedValues, type JsonObject } from '../../../../base/json.js';
import { quotedName } from '../../../../base/text/nameToken.js';
import type { AuthorizationVisit, DeviceCode } from '../../../oauth/authorizationPrompt.js';
import type { ClientGrant } from '../../../oauth/oauthProvider.js';
import { assertSafeAddress } from '../../../oauth/safeAddress.js';
import type { ServerAuthorization } from '../../../oauth/serverAuthorization.js';
import { isUnreachable } from '../../http/networkErrors.js';
import { postAsClient } from './authentication.js';
import { refusedClient } from './clients.js';
import {
  addParameters,
  ensureClient,
  type FlowOptions,
  isClientRefused,
  requestTokens,
  resourceOf,
  scopeToAskFor,
} from './flow.js';

const deviceGrantType = 'urn:ietf:params:oauth:grant-type:device_code';
/** Seconds, of what servers say. */
const bounds = {
  interval: { least: 1, most: 60, usual: 5 },
  expiry: { least: 1, most: 3600, usual: 600 },
} as const;
/** As the standard wants it when a server says that it is asked too often. */
const slowDownMs = 5000;
/** What people are asked to type. */
const userCodePattern = /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,63}$/u;

/** Asks for tokens with the code of a device. */
class DeviceGrant implements ClientGrant {
  readonly grantTypes = [deviceGrantType, 'refresh_token'];
  deviceCode = '';

  readonly prepareTokenRequest = async (): Promise<URLSearchParams> =>
    new URLSearchParams({ grant_type: deviceGrantType, device_code: this.deviceCode });
}

export function deviceEndpoint({
  authorizationServerMetadata: metadata,
}: OAuthDiscoveryState): string | undefined {
  return asString((metadata as JsonObject | undefined)?.device_authorization_endpoint);
}

interface DeviceFlow extends FlowOptions {
  /** The one of the provider. */
  readonly grant: DeviceGrant;
  readonly showCode: NonNullable<AuthorizationVisit['showCode']>;
  readonly signal: AbortSignal;
}

/**
 * Signs in on another device, if that is what the user wants.
 * @returns false when the user gave up, or does not want it. @throws {HumanError} or the signal's reason.
 */
export async function visitDevice(
  { wantsDevice = false, showCode }: AuthorizationVisit,
  signal: AbortSignal,
  createFlow: (grant: ClientGrant) => Promise<FlowOptions>,
): Promise<boolean> {
  if (!wantsDevice || !showCode) {
    return false;
  }
  const grant = new DeviceGrant();
  return authorizeDevice({ ...(await createFlow(grant)), grant, showCode, signal });
}

async function authorizeDevice(flow: DeviceFlow): Promise<boolean> {
  const { grant, showCode, signal, authorization } = flow;
  const answer = await requestCode(flow);
  grant.deviceCode = answer.deviceCode;
  const over = new AbortController();
  const waiting = AbortSignal.any([signal, over.signal]);
  const shown = authorization
    .whileVisiting(() => showCode(answer.shown, waiting))
    .finally(() => over.abort());
  // the end of the wait is looked at below
  shown.catch(() => undefined);
  try {
    await pollTokens(flow, answer, waiting);
    return true;
  } catch (error) {
    signal.throwIfAborted();
    if (over.signal.aborted) {
      // a code that could not be shown was not refused by the user
      await shown;
      return false;
    }
    throw error;
  } finally {
    over.abort();
  }
}

interface DeviceAnswer {
  readonly deviceCode: string;
  readonly intervalMs: number;
  readonly expiryMs: number;
  readonly shown: DeviceCode;
}

async function requestCode(flow: DeviceFlow): Promise<DeviceAnswer> {
  const { provider, authorization, fetchFn } = flow;
  const endpoint = deviceEndpoint(provider.discovery);
  if (endpoint === undefined) {
    throw new HumanError('no_device_flow', noDeviceSignIn(authorization.serverName), {
      remedy: l10n.t('Sign in with a browser.'),
    });
  }
  const scope = scopeToAskFor(flow);
  const resource = await resourceOf(flow);
  const { settings } = authorization;
  const metadata = provider.discovery.authorizationServerMetadata;
  const post = async () => {
    const client = await ensureClient(flow, scope);
    const form = new URLSearchParams(definedValues({ scope, resource }));
    addParameters(form, settings);
    return postAsClient(endpoint, form, { settings, client, metadata }, fetchFn);
  };
  const response = await post().catch((error: unknown) => {
    if (!provider.usesOldClient || !isClientUnfit(error)) {
      throw error;
    }
    provider.isClientRenewed = true;
    return post();
  });
  return readAnswer(await response.json(), authorization);
}

/** Whether the server has forgotten a client, or holds it to what it registered for. */
function isClientUnfit(error: unknown): boolean {
  return (
    error instanceof OAuthError && (isClientRefused(error) || refusedClient(error) !== undefined)
  );
}

function readAnswer(value: unknown, authorization: ServerAuthorization): DeviceAnswer {
  const answer = asObject(value);
  const { device_code: deviceCode, user_code: userCode, verification_uri_complete } = answer;
  const address = webAddress(answer.verification_uri ?? answer.verification_url);
  if (
    typeof deviceCode !== 'string' ||
    typeof userCode !== 'string' ||
    !userCodePattern.test(userCode) ||
    !address
  ) {
    throw new HumanError('device_answer', noDeviceSignIn(authorization.serverName), {
      remedy: l10n.t('Sign in with a browser.'),
    });
  }
  assertSafeAddress(address, authorization);
  const complete = webAddress(verification_uri_complete);
  const seconds = (found: unknown, { least, most, usual }: (typeof bounds)[keyof typeof bounds]) =>
    typeof found === 'number' ? Math.min(most, Math.max(least, found)) : usual;
  return {
    deviceCode,
    intervalMs: seconds(answer.interval, bounds.interval) * 1000,
    expiryMs: seconds(answer.expires_in, bounds.expiry) * 1000,
    shown: {
      userCode,
      address,
      // only the place that the user sees has been checked
      completeAddress: complete?.origin === address.origin ? complete : undefined,
    },
  };
}

function webAddress(text: unknown): URL | undefined {
  const url = typeof text === 'string' && URL.canParse(text) ? new URL(text) : undefined;
  return url && /^https?:$/.test(url.protocol) ? url : undefined;
}

async function pollTokens(
  flow: DeviceFlow,
  { intervalMs, expiryMs }: DeviceAnswer,
  signal: AbortSignal,
): Promise<void> {
  const endsAt = performance.now() + expiryMs;
  for (let pauseMs = intervalMs; ; ) {
    await delay(pauseMs, signal);
    if (performance.now() >= endsAt) {
      throw expired(undefined);
    }
    try {
      return await requestTokens(flow);
    } catch (error) {
      pauseMs = nextPause(error, pauseMs);
    }
  }
}

/** @throws when asking again does not help. */
function nextPause(error: unknown, pauseMs: number): number {
  const code = error instanceof OAuthError ? error.code : undefined;
  switch (code as string | undefined) {
    case 'authorization_pending':
      return pauseMs;
    case 'slow_down':
      return pauseMs + slowDownMs;
    case 'expired_token':
      throw expired(error);
    case 'access_denied':
      throw new HumanError(
        'sign_in_refused',
        l10n.t('The authorization server refused: {0}', 'access_denied'),
        { remedy: l10n.t('Sign in again, perhaps with another account.'), cause: error },
      );
  }
  if (!isUnreachable(error) && !(error instanceof Error && error.name === 'TimeoutError')) {
    throw error;
  }
  return Math.min(pauseMs * 2, bounds.interval.most * 1000);
}

function noDeviceSignIn(serverName: string): string {
  return l10n.t(
    'The authorization server of {0} offers no sign-in on another device.',
    quotedName(serverName),
  );
}

function expired(cause: unknown): HumanError {
  return new HumanError('device_expired', l10n.t('The sign-in was not completed in time.'), {
    remedy: l10n.t('Start it again when you are ready.'),
    cause,
  });
}
