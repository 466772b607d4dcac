/**
 * The one place that decides what is a secret, and why: in values of a configuration, in arguments and addresses, and
 * in any other text. Linear in the length of the text.
 */
import { findInAddresses } from './addressSecrets.js';
import { findTokens } from './findTokens.js';
import {
  type FoundSecret,
  moved,
  type Origin,
  type TextPart,
  withoutOverlaps,
} from './foundSecret.js';
import { findNamed, judgeFlag, namedSecret } from './namedSecrets.js';
import { findRandomWords } from './randomWords.js';
import { isIdentifierName, judgeName, judgeVariableName } from './secretNames.js';
import { isKnownToAll, isLiteral, isPlaceholder } from './secretValues.js';
import { redactedSentinel } from './sentinel.js';

/** The value of a variable, header or field of a configuration. */
export function findInValue(value: string, name: string): readonly FoundSecret[] {
  const whole = namedSecret(value, judgeVariableName(name), 'configuration');
  if (whole) {
    return [whole];
  }
  const found = findEverywhere(value, 'configuration');
  return isIdentifierName(name) ? found.filter(({ reason }) => reason !== 'random') : found;
}

/** @param previous the argument before, which may be the flag that says what this one is. */
export function findInArgument(arg: string, previous: unknown): readonly FoundSecret[] {
  const flag = typeof previous === 'string' && /^--?[\w.-]+$/.test(previous) ? previous : '';
  if (flag !== '' && !arg.startsWith('-')) {
    const whole = namedSecret(arg, judgeFlag(flag), 'configuration');
    if (whole) {
      return [whole];
    }
    const user = /^(?:-u|--user)$/.test(flag) ? userAndPassword(arg) : undefined;
    if (user) {
      return [user];
    }
  }
  const at = isShellFlag(previous)
    ? { name: '', value: 0 }
    : assignedAt(arg, /^(?:-H|--headers?)$/.test(flag));
  const rest = arg.slice(at.value);
  const assigned =
    at.value > 0 ? namedSecret(rest, judgeName(at.name), 'configuration') : undefined;
  if (assigned) {
    return [moved(assigned, at.value)];
  }
  const found = findEverywhere(arg, 'configuration');
  return isIdentifierName(at.name === '' ? flag : at.name)
    ? found.filter(({ reason }) => reason !== 'random')
    : found;
}

/** An address of a configuration. */
export function findInUrl(url: string): readonly FoundSecret[] {
  return findEverywhere(url, 'configuration');
}

/** What a server, a program or a provider says: words and identifiers stay, whatever stands before them. */
export function findInText(text: string): readonly FoundSecret[] {
  return findEverywhere(text, 'anything');
}

/** The text with each secret replaced. */
export function replaceSecrets(text: string, found: readonly TextPart[]): string {
  if (found.length === 0) {
    return text;
  }
  let replaced = '';
  let done = 0;
  for (const { start, end } of found) {
    replaced += text.slice(done, start) + redactedSentinel;
    done = end;
  }
  return replaced + text.slice(done);
}

/** Everybody's first guess: hidden where it stands, but neither a leak nor to be looked for elsewhere. */
export function isRealSecret(value: string): boolean {
  return isLiteral(value) && !isPlaceholder(value) && !isKnownToAll(value);
}

function findEverywhere(text: string, origin: Origin): readonly FoundSecret[] {
  const found: FoundSecret[] = findTokens(text)
    .filter(({ start, end }) => !isPlaceholder(text.slice(start, end)))
    .map((part) => ({ ...part, reason: 'token' }));
  const addresses = findInAddresses(text, origin, found);
  findNamed(text, addresses, origin, found);
  if (origin === 'configuration') {
    findRandomWords(text, found);
  }
  return withoutOverlaps(found);
}

/** What follows is a line of a shell, of which a value is only a part. */
function isShellFlag(flag: unknown): boolean {
  return typeof flag === 'string' && /^-[a-z]{0,3}c$/.test(flag);
}

/** As curl takes them: `user:password`. */
function userAndPassword(arg: string): FoundSecret | undefined {
  const start = arg.indexOf(':') + 1;
  const password = arg.slice(start);
  return start > 1 && isLiteral(password) && !isPlaceholder(password)
    ? { start, end: arg.length, reason: 'password' }
    : undefined;
}

const assignment = /(?:--?)?([A-Za-z_][\w.-]*)=/y;

/**
 * The last name of `NAME=`, `--flag=` or several of them at the beginning, or that of a header, and where its value
 * starts; 0 when there is none. What has fields of its own is left to {@link findNamed}.
 */
function assignedAt(
  arg: string,
  isHeader: boolean,
): { readonly name: string; readonly value: number } {
  const [header, headerName = ''] = /^([\w-]+):\s*/.exec(arg) ?? [];
  if (header !== undefined && (isHeader || headerName.toLowerCase() === 'authorization')) {
    return { name: headerName, value: header.length };
  }
  const lastSemicolon = arg.lastIndexOf(';');
  let at = { name: '', value: 0 };
  for (;;) {
    assignment.lastIndex = at.value;
    const [found, name = ''] = assignment.exec(arg) ?? [];
    const next = at.value + (found?.length ?? 0);
    if (found === undefined) {
      return at;
    }
    if (judgeName(name) === 'secret') {
      // fields, as in `Password=…;Server=…`
      return /;\s*[\w ]{1,40}=/.test(arg.slice(next, next + 400)) ? at : { name, value: next };
    }
    if (lastSemicolon >= next) {
      return at;
    }
    at = { name, value: next };
  }
}
