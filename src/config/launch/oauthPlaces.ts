import * as l10n from '@vscode/l10n';
import type { OAuthSettings } from '../definition.js';
import { mustBe, ofServer, required } from '../sentences.js';
import { isSafeAddress, parseAddress } from './addressReach.js';

const endpoints = ['authorizationUrl', 'tokenUrl', 'registrationUrl'] as const;

/** What is wrong, and what to do. */
interface PlaceTrouble {
  readonly message: string;
  readonly remedy: string;
}

/**
 * What is wrong with the places that an entry names for its sign-in, variables resolved. A repository may have no code or
 * token go elsewhere than to whoever gave it, and none made for anybody but its server: what the user sees while they
 * sign in would be of another place than what gets it.
 * @param name of the server.
 */
export function oauthPlaceTrouble(
  name: string,
  { url, oauth }: { readonly url: string; readonly oauth: OAuthSettings },
  isOfRepository: boolean,
): PlaceTrouble | undefined {
  const unsafe = endpoints.find((key) => {
    const address = parseAddress(oauth[key] ?? '');
    return oauth[key] !== undefined && !(address && isSafeAddress(address));
  });
  if (unsafe) {
    return {
      message: ofServer(name, mustBe(`oauth.${unsafe}`, '"https://…" | "http://localhost…"')),
      remedy: l10n.t('Correct the value.'),
    };
  }
  const missing = missingEndpoint(oauth);
  if (missing) {
    return {
      message: ofServer(name, required(`oauth.${missing}`)),
      remedy: l10n.t('Correct "{0}".', 'oauth'),
    };
  }
  const foreign = isOfRepository ? foreignPlace(url, oauth) : undefined;
  return foreign === undefined
    ? undefined
    : {
        message: ofServer(
          name,
          l10n.t(
            '"{0}" leads to another place, which only your own files may do.',
            `oauth.${foreign}`,
          ),
        ),
        remedy: l10n.t('If you trust that place, write the server into your own file.'),
      };
}

function missingEndpoint({ grant, authorizationUrl, tokenUrl, registrationUrl }: OAuthSettings) {
  if (tokenUrl === undefined) {
    return (authorizationUrl ?? registrationUrl) === undefined ? undefined : 'tokenUrl';
  }
  const visitsPage = (grant ?? 'authorization_code') === 'authorization_code';
  return visitsPage && authorizationUrl === undefined ? 'authorizationUrl' : undefined;
}

function foreignPlace(url: string, oauth: OAuthSettings): string | undefined {
  const { tokenUrl } = oauth;
  const isElsewhere = (key: keyof OAuthSettings, home: string) =>
    oauth[key] !== undefined && originOf(String(oauth[key])) !== originOf(home);
  const ofTokens = [...endpoints, 'issuer'] as const;
  return (
    (tokenUrl === undefined ? undefined : ofTokens.find((key) => isElsewhere(key, tokenUrl))) ??
    (['resource', 'audience'] as const).find((key) => isElsewhere(key, url))
  );
}

/** A text that is no address is a place of its own. */
function originOf(text: string): string {
  return parseAddress(text)?.origin ?? text;
}
