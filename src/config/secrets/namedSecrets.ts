/** Secrets by the names that stand before them. */
import { type FoundSecret, moved, type Origin, type TextPart } from './foundSecret.js';
import { judgeName, type NameVerdict } from './secretNames.js';
import {
  isLiteral,
  isPath,
  isPlaceholder,
  isSwitch,
  looksLikeCredential,
  looksRandom,
  looksTyped,
} from './secretValues.js';

// the scheme in front of a credential is none itself
const scheme = /^\s*(?:(?:Bearer|Basic|Token|Digest|ApiKey)\s+)?/i;
// of `${NAME:-default}` the default may be a secret
const fallback = /^\$\{\w+:-([^${}]+)\}$/;

/** The value as a whole, as its name says. */
export function namedSecret(
  value: string,
  verdict: NameVerdict,
  origin: Origin,
): FoundSecret | undefined {
  const [lead = ''] = scheme.exec(value) ?? [];
  const written = value.slice(lead.length);
  const [whole, byDefault] = fallback.exec(written) ?? [];
  const secret = byDefault ?? written;
  const start = lead.length + (whole === undefined ? 0 : whole.length - 1 - secret.length);
  return isNamedSecret(secret, verdict, origin)
    ? { start, end: start + secret.length, reason: 'name' }
    : undefined;
}

function isNamedSecret(value: string, verdict: NameVerdict, origin: Origin): boolean {
  if (verdict === 'plain' || !isLiteral(value) || isPlaceholder(value) || isSwitch(value)) {
    return false;
  }
  if (verdict === 'hint') {
    return looksLikeCredential(value);
  }
  if (origin === 'anything') {
    return looksTyped(value);
  }
  // where a key is kept, such as `GOOGLE_APPLICATION_CREDENTIALS`
  return !(isPath(value) && value.length > 1 && /[\\/]/.test(value) && !looksRandom(value));
}

/** Many programs take a key, a token or a password with one letter. */
export function judgeFlag(flag: string): NameVerdict {
  return /^-[kpt]$/.test(flag) ? 'hint' : judgeName(flag);
}

// the end of a name, what ends it, and the quote before its value
const namedValue =
  /(?:token|secret|passw(?:or)?d|passphrase|passcode|pass|pwd|keys?|auth(?:orization)?|credentials?|signature|sig|pat|jwt|otp|cookie|dsn|_value|_\d{1,3}|(?<=(?:^|[\s"'`])-)[kpt])(?:\\{0,3}["'`])?(?:\s{0,4}(?::|=>?)\s{0,4}|,?\s{1,4}(?=[^\s=:-])|,(?=\\{0,3}["']))(\\{0,3}["'`])?/gi;
const bearer = /(?<![\w-])(?:Bearer|Basic)\s{1,4}(?=\S)/gi;
const nameBefore = /[\w.-]*$/;
const longestName = 64;
// up to the quote that ends it, or to the first that is escaped as the one before it was
const quotedEnds: Readonly<Record<string, RegExp>> = {
  '"': /["\\\n\r]/g,
  "'": /['\\\n\r]/g,
  '`': /[`\\\n\r]/g,
};
const escapedEnd = /["'`\\\n\r]/g;
const bareEnd = /[\s"'`;&|<>)}\],\\$]/g;
/** What ends no value, although it begins as an end. */
const quotedPart = /\\[^\n\r]/y;
const barePart = /\$(?:\{[^}\s]{0,100}\})?/y;

/** Values behind their names: in JSON, headers, connection strings and the arguments of a shell. */
export function findNamed(
  text: string,
  addresses: readonly TextPart[],
  origin: Origin,
  found: FoundSecret[],
): void {
  const named = new NamedValues(text, origin, found);
  let next = 0;
  for (const { 0: lead, 1: quote, index } of text.matchAll(namedValue)) {
    // those of addresses are known already
    while (index >= (addresses[next]?.end ?? Number.POSITIVE_INFINITY)) {
      next++;
    }
    if (index >= (addresses[next]?.start ?? Number.POSITIVE_INFINITY)) {
      continue;
    }
    const [separator = lead] = /[\\"'`\s:=,>]+$/.exec(lead) ?? [];
    const end = index + lead.length - separator.length;
    const name = nameBefore.exec(text.slice(Math.max(0, end - longestName), end))?.[0] ?? '';
    const isFlag = name.startsWith('-');
    // only a flag has its value behind a blank or a comma
    if (!isFlag && !/[:=]/.test(separator)) {
      continue;
    }
    const verdict = isFlag ? judgeFlag(name) : judgeName(name);
    if (verdict !== 'plain') {
      named.push(index + lead.length, quote, verdict);
    }
  }
  const schemes = new NamedValues(text, origin, found);
  for (const { 0: lead, index } of text.matchAll(bearer)) {
    schemes.push(index + lead.length, undefined, 'hint');
  }
}

/** Values of a text, from its beginning to its end; none of it is read twice, however many names stand in a value. */
class NamedValues {
  private secretEnd = 0;
  /** Of the value that was read last; every value that begins in it ends there. */
  private bareEnd = 0;

  constructor(
    private readonly text: string,
    private readonly origin: Origin,
    private readonly found: FoundSecret[],
  ) {}

  push(at: number, quote: string | undefined, verdict: NameVerdict): void {
    if (at < this.secretEnd) {
      return;
    }
    const [lead = ''] = scheme.exec(this.text.slice(at, at + 20)) ?? [];
    const start = at + lead.length;
    const value = this.text.slice(start, this.endOf(start, quote));
    const secret = namedSecret(
      quote === undefined ? withoutFullStop(value) : value,
      verdict,
      this.origin,
    );
    if (secret) {
      this.found.push(moved(secret, start));
      this.secretEnd = start + secret.end;
    }
  }

  private endOf(start: number, quote: string | undefined): number {
    if (quote === undefined && start < this.bareEnd) {
      return this.bareEnd;
    }
    const quoted = quote === undefined ? undefined : quotedEnds[quote];
    const part = quote === undefined ? barePart : quoted && quotedPart;
    const end = this.findEnd(start, quoted ?? (quote === undefined ? bareEnd : escapedEnd), part);
    if (quote === undefined) {
      this.bareEnd = end;
    }
    return end;
  }

  /** Piece by piece: one pattern for a value of megabytes would exhaust the stack. */
  private findEnd(start: number, ends: RegExp, part: RegExp | undefined): number {
    ends.lastIndex = start;
    for (let found = ends.exec(this.text); found; found = ends.exec(this.text)) {
      const { index } = found;
      if (part) {
        part.lastIndex = index;
      }
      if (!part?.test(this.text)) {
        return index;
      }
      ends.lastIndex = part.lastIndex;
    }
    return this.text.length;
  }
}

/** A sentence may end behind it. */
function withoutFullStop(text: string): string {
  return /[.:!?]$/.test(text) ? text.slice(0, -1) : text;
}
