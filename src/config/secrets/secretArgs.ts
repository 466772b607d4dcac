/** Secrets among command line arguments: behind flags, in `NAME=value`, in headers, addresses and well-known tokens. */
import { isLiteral, isSecretName, redactUrl, replaceTokens, secretsInUrl } from './secretShapes.js';
import { redactedSentinel } from './sentinel.js';

/** Arguments with the values of token-like flags, variables and headers and well-known token shapes hidden. */
export function redactArgs(args: readonly string[]): readonly string[] {
  return args.map((arg, index) => redactArg(arg, args[index - 1]));
}

/** @param previous the argument before, which may be the flag that says what this one is. */
export function redactArg(arg: string, previous: unknown): string {
  return replaceSecrets(arg, previous, { text: () => redactedSentinel, url: redactUrl });
}

/** The secrets themselves, to be masked wherever they turn up. */
export function secretsInArgs(args: readonly string[]): readonly string[] {
  const found: string[] = [];
  const collect = (secrets: readonly string[]) => {
    found.push(...secrets);
    return '';
  };
  for (const [index, arg] of args.entries()) {
    replaceSecrets(arg, args[index - 1], {
      text: (secret) => collect([secret]),
      url: (url) => collect(secretsInUrl(url)),
    });
  }
  return found;
}

/** What stands before the only secret of an argument, at whose end it is: a flag, a name, a scheme. Else empty. */
export function secretLead(arg: string, previous: unknown): string {
  const shown = redactArg(arg, previous);
  const lead = shown.endsWith(redactedSentinel) ? shown.slice(0, -redactedSentinel.length) : '';
  return arg.startsWith(lead) ? lead : '';
}

interface Replacer {
  readonly text: (secret: string) => string;
  readonly url: (url: string) => string;
}

function replaceSecrets(arg: string, previous: unknown, replacer: Replacer): string {
  const flag = typeof previous === 'string' && /^--?[\w.-]+$/.test(previous) ? previous : '';
  if (isSecretName(flag) && !arg.startsWith('-')) {
    return replaceValue(arg, replacer);
  }
  const assigned = assignedPart(arg);
  if (assigned.isSecret) {
    return arg.slice(0, assigned.at) + replaceValue(arg.slice(assigned.at), replacer);
  }
  if (assigned.at > 0) {
    return arg.slice(0, assigned.at) + replaceSecrets(arg.slice(assigned.at), undefined, replacer);
  }
  const [, lead, header = '', text = ''] = /^(([\w-]+):\s*)(.+)$/s.exec(arg) ?? [];
  const isHeader = /^(-H|--headers?)$/.test(flag) || header.toLowerCase() === 'authorization';
  if (lead !== undefined && isHeader && isSecretName(header)) {
    return lead + replaceValue(text, replacer);
  }
  return replaceInText(arg, replacer);
}

/** The scheme in front of a credential is none itself. */
function replaceValue(value: string, { text }: Replacer): string {
  const [, scheme = '', secret = ''] = /^((?:Bearer|Basic|token)\s+)?(.*)$/is.exec(value) ?? [];
  return isLiteral(secret) ? scheme + text(secret) : value;
}

const assignment = /(?:--?)?([A-Za-z_][\w.-]*)=/y;

/**
 * Where the value behind `NAME=`, `--flag=` or several of them starts, and whether the last name says that it is a
 * secret; 0 when there is none. What has fields of its own is left to {@link replaceInText}.
 */
function assignedPart(arg: string): { readonly at: number; readonly isSecret: boolean } {
  const lastSemicolon = arg.lastIndexOf(';');
  for (let at = 0; ; ) {
    assignment.lastIndex = at;
    const [found, name = ''] = assignment.exec(arg) ?? [];
    const next = at + (found?.length ?? 0);
    if (found !== undefined && isSecretName(name)) {
      return { at: next, isSecret: true };
    }
    if (found === undefined || lastSemicolon >= next) {
      return { at, isSecret: false };
    }
    at = next;
  }
}

function replaceInText(value: string, replacer: Replacer): string {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(value)) {
    return replacer.url(value);
  }
  return replaceTokens(replaceFields(value, replacer), replacer.text);
}

/** As in connection strings: `Server=db;Password=…`. */
function replaceFields(value: string, replacer: Replacer): string {
  if (!value.includes(';')) {
    return value;
  }
  const fields = value.split(';').map((field) => {
    const at = field.indexOf('=') + 1;
    const name = field.slice(0, Math.max(0, at - 1)).trim();
    return /^[\w ]+$/.test(name) && isSecretName(name)
      ? field.slice(0, at) + replaceValue(field.slice(at), replacer)
      : field;
  });
  return fields.join(';');
}
