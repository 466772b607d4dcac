/** What a value looks like, whatever it is called. */

const reference = /\$\{[^{}]*\}|\$env:\w+|\{env:[^{}]*\}|\{\{[^{}]*\}\}/g;

// what is longer is no row of references
const maxReferences = 1000;

/** A reference such as `${TOKEN}` gives nothing away. */
export function isLiteral(value: string): boolean {
  return value.length > maxReferences || value.replace(reference, '') !== '';
}

const placeholder =
  /^(?:<.*>|\[.*\]|\{.*\}|%\w+%|\$\w+|(?:sk|pk|ghp|glpat|xoxb|key|token|pat)?[-_]*x{3,}[-_x]*|\*+|[•.…_-]+|(?:insert|enter|replace|add|put|paste|set|fill)[-_ ].*|(?:.*[-_ ])?your[-_ ].*|(?:my|the|some|an?)[-_ ](?:[a-z]+[-_ ]){0,3}(?:token|key|secret|password)|.*[-_ ](?:here|goes[-_ ]here|placeholder)|.*\.\.\.|change[-_ ]?(?:me|it|this)(?:[-_ ].*)?|place[-_ ]?holder|redacted|to[-_ ]?do|dummy|fake|sample|example|(?:api|access|secret|auth)?[-_ ]?(?:token|key|secret|password))$/i;

const maxPlaceholder = 100;

/** Text where a secret is to be filled in. */
export function isPlaceholder(value: string): boolean {
  if (value.length > maxPlaceholder) {
    return false;
  }
  const bare = value.trim();
  return placeholder.test(bare) && !looksRandom(bare);
}

const knownToAll = new Set(
  `admin administrator changeit default demo dev development devel example foo foobar guest hunter2 letmein local
  localhost minio minioadmin mongo mysql neo4j none passwd password postgres postgresql qwerty redis root sa secret
  staging production prod test testing user username welcome`.split(/\s+/),
);

/** A word that everybody tries first: hidden where it stands under a secret name, and nowhere else. */
export function isKnownToAll(value: string): boolean {
  return knownToAll.has(value.toLowerCase()) || /^\d{1,8}$/.test(value) || isSwitch(value);
}

/** Such as `--auth none`. */
export function isSwitch(value: string): boolean {
  return /^(?:true|false|yes|no|on|off|none|null|undefined|auto|basic|bearer|oauth2?|oidc|required|optional|enabled|disabled|[01])$/i.test(
    value,
  );
}

/** An identifier, or a key that was drawn as one. */
export function isUuid(value: string): boolean {
  return /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(value);
}

/** The value of something that is only perhaps a secret: no word, number, path, host, address, version or package. */
export function looksLikeCredential(value: string): boolean {
  return (
    value.length >= 8 &&
    (looksRandom(value, 8) ? !isPlaceholder(value) : looksTyped(value) && !isOfWords(value))
  );
}

/** What people make up as a password, of whom a word says that it is one. */
export function looksTyped(whole: string): boolean {
  const value = whole.slice(0, maxLooked);
  return (
    value.length >= 6 &&
    /^[\x21-\x7e]+$/.test(value) &&
    !isPlaceholder(value) &&
    !isPlain(value) &&
    hasClasses(value)
  );
}

const privateKey = /^-----BEGIN [A-Z0-9 ]{0,24}PRIVATE KEY[\w\s+/=-]*$/;

/** Nothing but a secret: no shell, program or file system makes anything else of it. */
export function isInertSecret(value: string): boolean {
  return (
    privateKey.test(value) ||
    (value.length >= 6 &&
      value.length <= 4096 &&
      /^[\w.~+/=@%^#:-]*$/.test(value) &&
      /[\d+/=@%^#~]/.test(value) &&
      !isPath(value) &&
      !/\.[A-Za-z]{1,5}\d?$/.test(value) &&
      !hidesText(value))
  );
}

/** Words in Base64 or hexadecimal digits, such as a line of a shell. */
function hidesText(value: string): boolean {
  const encodings = /^[\da-f]+$/i.test(value)
    ? (['hex', 'base64'] as const)
    : (['base64'] as const);
  return encodings.some((encoding) => {
    const text = Buffer.from(value, encoding).toString('latin1');
    return text.length >= 4 && /^[\x20-\x7e\s]+$/.test(text) && /\s/.test(text);
  });
}

function isPlain(value: string): boolean {
  return (
    value.includes('://') ||
    isPath(value) ||
    // a host, or a file of a name
    /^(?:[\w-]+\.)+[a-z]{2,}(?::\d+)?(?:\/.*)?$/i.test(value) ||
    /^localhost\b/.test(value) ||
    // a version, number, date or time
    /^v?\d+(?:\.\d+)+(?:[-+].*)?$/i.test(value) ||
    /^[\d.:TZ/+-]+$/.test(value) ||
    // a package or image
    /^@[\w.-]+(?:\/|$)/.test(value) ||
    /^[\w./-]+[@:]v?\d+(?:\.\d+)*(?:-[\w.]+)?$/.test(value)
  );
}

export function isPath(value: string): boolean {
  return /^(?:~|\.{1,2})?\/|^~$|^[A-Za-z]:[\\/]|^\\\\|^file:|^%\w+%[\\/]/.test(value);
}

/** Letters and digits, or letters and marks as people put them into passwords. */
function hasClasses(value: string): boolean {
  return /[A-Za-z]/.test(value) && (/\d/.test(value) || /[!@#$%^&*?]/.test(value));
}

/** Such as `my-index-2024`, `gpt-4o-mini` or `us-east-1`. */
export function isOfWords(value: string): boolean {
  return value
    .slice(0, maxLooked)
    .split(/[-_./:,+=]+/)
    .every(
      (part) =>
        /^(?:\d*|[A-Za-z]{1,3}\d{1,3}[a-z]?|\d{1,3}[A-Za-z]{1,2})$/.test(part) || isWord(part),
    );
}

/** Letters that follow each other as they do in words, with a number behind them at most. */
function isWord(part: string): boolean {
  const [, letters] = /^([A-Za-z]+)\d{0,4}$/.exec(part) ?? [];
  return letters !== undefined && (letters.length <= 3 || commonShare(letters) >= 0.5);
}

const minRandomLength = 20;
/** Only so much of a value is looked at. */
const maxLooked = 256;

/** Nobody would think of it: long, of several kinds of characters in turn, and not of words. */
export function looksRandom(value: string, minLength = minRandomLength): boolean {
  const text = value.slice(0, maxLooked).replace(/=+$/, '');
  if (text.length < minLength || !/^[\w+/.~-]+$/.test(text)) {
    return false;
  }
  if (isUuid(text)) {
    return true;
  }
  const { letters, digits, upper, changes, pairs, isHex } = countCharacters(text);
  if (letters + digits < minLength || letters === 0 || entropy(text) < 2.8) {
    return false;
  }
  const share = commonShare(text);
  if (digits === 0 && (upper === 0 || upper === letters)) {
    return letters >= 24 && share <= 0.45 && !/[-_.+/~]/.test(text);
  }
  if (isHex && letters > 2) {
    return letters + digits >= 32 || changes / pairs >= 0.2;
  }
  return changes / pairs - (share - drawnShare) >= 0.15;
}

/** Of the pairs of neighbouring letters that were drawn. */
const drawnShare = 0.3;

function countCharacters(text: string) {
  let letters = 0;
  let digits = 0;
  let upper = 0;
  let changes = 0;
  let pairs = 0;
  let last = '';
  for (const character of text) {
    const kind = kindOf(character);
    letters += kind === 'a' || kind === 'A' ? 1 : 0;
    digits += kind === '0' ? 1 : 0;
    upper += kind === 'A' ? 1 : 0;
    pairs += kind !== '' && last !== '' ? 1 : 0;
    changes += kind !== '' && last !== '' && kind !== last ? 1 : 0;
    last = kind;
  }
  const isHex = /^[0-9a-f]+$/i.test(text) && (upper === 0 || upper === letters);
  return { letters, digits, upper, changes, pairs: Math.max(1, pairs), isHex };
}

function kindOf(character: string): '' | 'a' | 'A' | '0' {
  return /[a-z]/.test(character)
    ? 'a'
    : /[A-Z]/.test(character)
      ? 'A'
      : /\d/.test(character)
        ? '0'
        : '';
}

/** Bits for each character, after Shannon. */
function entropy(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) {
    counts.set(character, (counts.get(character) ?? 0) + 1);
  }
  let bits = 0;
  for (const count of counts.values()) {
    bits -= (count / text.length) * Math.log2(count / text.length);
  }
  return bits;
}

/** Of ten neighbouring letters of a word nine are such a pair, and three of letters that were drawn. */
const commonPairs = new Set(
  `ab ac ad ag ai al am an ap ar as at au av ay ba be bl bo br bu ca ce ch ci ck cl co cr ct cu da dd de di do
  ds ea ec ed ee ef el em en ep eq er es et ev ew ex fa fe ff fi fo fr fu ge gi gl ha he hi ho ht hu ia ib ic
  id ie if ig il im in io ip ir is it iv je js ke la ld le li ll lo ls lt lu ly ma me mi mo mp na nc nd ne ng
  ni no np ns nt nu ob oc od og ok ol om on oo op or os ot ou ov ow pa pe pi pl pm po pp pr ps pt pu qu ra rc
  re rg ri rk rl rm rn ro rr rs rt ru ry sa sc se sh si so sp ss st su ta tc te th ti to tp tr ts tt tu ty ub
  ue ui ul um un up ur us ut va ve vi wa we wh wi wo xt yo yp`.split(/\s+/),
);

/** Which part of the neighbouring letters are a common pair; all of them where there are too few to tell. */
function commonShare(text: string): number {
  let pairs = 0;
  let common = 0;
  for (const [run] of text.toLowerCase().matchAll(/[a-z]+/g)) {
    for (let at = 1; at < run.length; at++) {
      pairs++;
      common += commonPairs.has(run.slice(at - 1, at + 1)) ? 1 : 0;
    }
  }
  return pairs === 0 ? 1 : common / pairs;
}
