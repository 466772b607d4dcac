/** What the name of a variable, header, flag, field or parameter says about its value. */

/** `secret`: a credential whatever it looks like. `hint`: one if it looks like one. */
export type NameVerdict = 'secret' | 'hint' | 'plain';

const secretWord =
  /(?:^|_)(?:tokens?_?secret|secrets?|client_?secret|passcode|pass|pwd|pat|jwt|otp|bearer|(?:client_)?assertion|credentials?|signature|authorization|cookie|dsn|[a-z]*(?:password|passwd|passphrase)s?|(?:api|auth|access|bot|session|refresh|id|user|app|admin)?_?token|(?:api|access|secret|private|subscription|signing|encryption|master|account|service_role|storage|license|webhook|admin)_?keys?|(?:[a-z]+)?apikeys?)$/;
const hintWord = /(?:^|_)(?:key|auth|sig|session|sid|salt|nonce|code|creds?)$/;

/** A name of the place where a key stands, or of what everyone may see. */
const openWord =
  /(?:^|_)(?:public|publishable|primary|foreign|sort|partition|cache|row|object|hot|shortcut|registry|idempotency|group|max|min|num|total|count|limit|next_page|page|continuation|cancellation)_[a-z]*_?(?:token|keys?)$/;

/** What is added to a name: which one of several, or for where. */
const suffix = /_(?:\d{1,3}|value|prod|production|dev|staging|live|default|main)$/;

/** Names of things that are long and random, and no secrets. */
const identifier =
  /(?:^|_)(?:u?u?id|guid|hash|sha\d*|digest|checksum|fingerprint|commit|revision|rev|ref|version|etag|integrity)$/;

export function judgeName(name: string): NameVerdict {
  const words = wordsOf(name);
  if (openWord.test(words)) {
    return 'plain';
  }
  if (secretWord.test(words)) {
    return 'secret';
  }
  return hintWord.test(words) ? 'hint' : 'plain';
}

/** Of a variable of an environment or a header, where `KEY` and `X-Auth` are nothing else. */
export function judgeVariableName(name: string): NameVerdict {
  const verdict = judgeName(name);
  return verdict === 'hint' && /(?:^|_)(?:key|auth)$/.test(wordsOf(name)) ? 'secret' : verdict;
}

/** The name says that its value is a credential, whatever that looks like. */
export function isSecretName(name: string): boolean {
  return judgeName(name) === 'secret';
}

/** A long random value under this name is no secret. */
export function isIdentifierName(name: string): boolean {
  return identifier.test(wordsOf(name)) || openWord.test(wordsOf(name));
}

/** What many services call a key or a signature in an address; elsewhere it is the name of anything. */
export function isSecretParameter(name: string): boolean {
  return isSecretName(name) || /^(?:key|sig|auth)$/.test(wordsOf(name));
}

const longestName = 100;

/** `--accessToken`, `ACCESS-TOKEN_2` → `access_token`. */
function wordsOf(name: string): string {
  return (
    name
      .slice(-longestName)
      // camelCase counts as separate words
      .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '_')
      .replace(/^_|_$/g, '')
      .replace(suffix, '')
  );
}
