/** Secrets among command line arguments: behind flags, in `NAME=value`, in headers, addresses and well-known tokens. */
import { redactedSentinel } from '../mcpApi.js';
import { isLiteral, isSecretName, redactUrl, replaceTokens, secretsInUrl } from './secretShapes.js';

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
  const [, named, name = '', value = ''] = /^((?:--?)?([A-Za-z_][\w.-]*)=)(.*)$/s.exec(arg) ?? [];
  if (named !== undefined && isSecretName(name)) {
    return named + replaceValue(value, replacer);
  }
  if (named !== undefined && !value.includes(';')) {
    return named + replaceSecrets(value, undefined, replacer);
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

function replaceInText(value: string, replacer: Replacer): string {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(value)) {
    return replacer.url(value);
  }
  // as in connection strings: `Server=db;Password=…`
  const fields = value.replace(
    /(^|;)(\s*([\w ]+?)\s*=)([^;]*)/g,
    (whole, start: string, lead: string, name: string, field: string) =>
      value.includes(';') && isSecretName(name)
        ? start + lead + replaceValue(field, replacer)
        : whole,
  );
  return replaceTokens(fields, replacer.text);
}
