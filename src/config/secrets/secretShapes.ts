/** What secrets look like: by their names, and by the prefixes of well-known tokens. */
import { redactedSentinel } from './sentinel.js';

/** Lead, name and value of a parameter, each as written. */
export const queryParameter = /([?&])([^?=&#]+)=([^&#]*)/g;

/** The address with user information and token-like query values hidden; variables stay as written. */
export function redactUrl(url: string): string {
  return url
    .replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/?#@]*@/i, `$1${redactedSentinel}@`)
    .replace(queryParameter, (whole, lead: string, key: string, value: string) =>
      isSecretParameter(key) && isLiteral(value) ? `${lead}${key}=${redactedSentinel}` : whole,
    );
}

export function secretsInUrl(url: string): readonly string[] {
  if (!URL.canParse(url)) {
    return [];
  }
  const { username, password, search } = new URL(url);
  return [username, password, ...secretParameters(search)]
    .filter((secret) => secret !== '')
    .map(decode);
}

/** One by one: the time of `URLSearchParams` grows with the square of the number of parameters without a value. */
function secretParameters(search: string): readonly string[] {
  return [...search.matchAll(/(?:^\?|&)([^=&]*)=([^&]+)/g)]
    .filter(([, key = '']) => isSecretParameter(decodeParameter(key)))
    .map(([, , value = '']) => decodeParameter(value));
}

function decodeParameter(text: string): string {
  return /[%+]/.test(text) ? (new URLSearchParams(`=${text}`).get('') ?? text) : text;
}

/** A reference such as `${TOKEN}` gives nothing away. */
export function isLiteral(value: string): boolean {
  return value !== '' && !/^(\$\{[^}]*\}|\$env:\w+|\{env:[^}]*\})$/.test(value);
}

const secretWords =
  /(^|[-_. ])(token|secret|password|passwd|passphrase|pass|pwd|api-?_?key|apikey|access-?_?key|secret-?_?key|subscription-?_?key|auth|authorization|bearer|credentials?|private-?_?key|signature|sig|pat)$/i;

/** The name of a variable, header, flag or query parameter says that its value is a credential. */
export function isSecretName(name: string): boolean {
  // camelCase counts as separate words: `accessToken`
  return secretWords.test(name.replace(/([a-z0-9])([A-Z])/g, '$1_$2'));
}

/** `key` is what many services call an API key in an address; elsewhere it is the name of anything. */
function isSecretParameter(key: string): boolean {
  return isSecretName(key) || key.toLowerCase() === 'key';
}

// prefixes that their issuers reserve for tokens
const tokenShape =
  /\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|sk-[\w-]{16,}|[sr]k_(?:live|test)_\w{16,}|xox[abprs]-[\w-]{10,}|xapp-[\w-]{16,}|AKIA[A-Z0-9]{16}|AIza[\w-]{35}|npm_[A-Za-z0-9]{30,}|hf_[A-Za-z0-9]{30,}|lin_api_\w{30,}|ntn_\w{30,})/g;

// at the beginning of its first part, so that every part is looked at once however the text goes on
const webTokenParts = /(?<![\w-])([\w-]+)\.(?=[\w-]{10,}\.)/g;
const webTokenStart = /\beyJ[\w-]{10,}$/;
const restOfWebToken = /[\w-]+\.[\w-]*/y;

export function replaceTokens(text: string, replace: (token: string) => string): string {
  return replaceWebTokens(text, replace).replace(tokenShape, (token) => replace(token));
}

/** JSON Web Tokens: three parts with dots between them, the first of which begins with that of a JSON object. */
function replaceWebTokens(text: string, replace: (token: string) => string): string {
  let replaced = '';
  let done = 0;
  for (const { 0: found, 1: first = '', index } of text.matchAll(webTokenParts)) {
    const lead = webTokenStart.exec(first)?.index;
    if (lead === undefined || index + lead < done) {
      continue;
    }
    restOfWebToken.lastIndex = index + found.length;
    restOfWebToken.test(text);
    replaced += text.slice(done, index + lead);
    done = restOfWebToken.lastIndex;
    replaced += replace(text.slice(index + lead, done));
  }
  return replaced + text.slice(done);
}

/** The text holds something in the shape of a well-known kind of token. */
export function holdsToken(text: string): boolean {
  return replaceTokens(text, () => '') !== text;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // a stray percent sign: the text is literal
    return text;
  }
}
