import * as l10n from '@vscode/l10n';
import { isShellVariable } from '../launch/variableProblems.js';
import { commandOf, templateFields, variablesIn } from '../launch/variables.js';
import type { ParsedEntry } from '../parse/configTypes.js';
import { secretLead, secretsInArgs } from '../secrets/secretArgs.js';
import { holdsToken, isSecretName, secretsInUrl } from '../secrets/secretShapes.js';
import { findingAt, writtenPath } from './finding.js';
import type { LintFinding, LintSubject, LintSurroundings } from './lintTypes.js';

const placeholder =
  /^(<.*>|your[-_ ].*|x{3,}|\*+|\.{3}|changeme|password|postgres|example|todo|none|true|false|\d{1,4})$/i;

/** Values that look like credentials written into a file that others get to see. */
export async function literalSecrets(
  subject: LintSubject,
  surroundings: Pick<LintSurroundings, 'isIgnoredByGit'>,
): Promise<readonly LintFinding[]> {
  const findings = subject.isCommitted
    ? subject.file.entries.flatMap((entry) => inEntry(subject, entry))
    : [];
  const isLocal = findings.length > 0 && (await surroundings.isIgnoredByGit(subject.file.path));
  return isLocal ? findings.map(asLocal) : findings;
}

function asLocal(finding: LintFinding): LintFinding {
  const note = l10n.t('Git ignores this file, so it is not shared.');
  return { ...finding, severity: 'info', message: `${finding.message} ${note}` };
}

function inEntry(subject: LintSubject, entry: ParsedEntry): readonly LintFinding[] {
  if (!entry.launch) {
    return [];
  }
  const args = entry.launch.kind === 'stdio' ? entry.launch.args : [];
  return templateFields(entry.launch).flatMap(({ field, value }) => {
    const key = nameOfSecret(field, value, args);
    if (key === undefined || !isLiteral(value)) {
      return [];
    }
    const place = writtenPath(entry, field);
    return [
      findingAt(
        subject,
        entry,
        'literal-secret',
        place,
        {
          message: l10n.t(
            '{0} of server {1} looks like a secret written in clear text.',
            field,
            entry.name,
          ),
          remedy: l10n.t('Use an environment variable or move the value to the secret storage.'),
        },
        {
          kind: 'secret',
          valuePath: [...entry.path, ...place],
          suggestedId: inputId(entry.name, key),
        },
      ),
    ];
  });
}

/** What the secret would be called; `undefined` when the value is none. */
function nameOfSecret(field: string, value: string, args: readonly string[]): string | undefined {
  const index = Number(/^args\[(\d+)\]$/.exec(field)?.[1] ?? -1);
  if (index !== -1) {
    return nameOfSecretArgument(args, index);
  }
  if (field === 'url') {
    return secretsInUrl(value).some((secret) => !placeholder.test(secret)) ? 'url' : undefined;
  }
  const name = field.slice(field.indexOf('.') + 1);
  const isSecret = isSecretName(name) || holdsToken(value) || holdsPassword(value);
  return isSecret && !placeholder.test(bare(value)) ? name : undefined;
}

/** An address or connection string with a password; a user's name alone is none. */
function holdsPassword(value: string): boolean {
  const secrets = URL.canParse(value)
    ? secretsInUrl(value).filter((secret) => secret !== new URL(value).username)
    : secretsInArgs([value]);
  return secrets.some((secret) => !placeholder.test(secret));
}

function nameOfSecretArgument(args: readonly string[], index: number): string | undefined {
  const arg = args[index] ?? '';
  const before = args[index - 1] ?? '';
  // secrets of the argument before are its own
  const secrets = secretsInArgs([before, arg]).slice(secretsInArgs([before]).length);
  const [secret] = secrets.filter((found) => !placeholder.test(found));
  if (secret === undefined) {
    return undefined;
  }
  const named = nameInLead(secretLead(arg, before)) ?? before;
  return named.replace(/^-+/, '') || 'token';
}

/** The name in front of the last `=` or `:`, if only a scheme such as `Bearer` stands behind. */
function nameInLead(lead: string): string | undefined {
  const at = Math.max(lead.lastIndexOf('='), lead.lastIndexOf(':'));
  if (!/^\s*(?:\w+\s+)?$/.test(lead.slice(at + 1))) {
    return undefined;
  }
  let start = at;
  while (start > 0 && /[\w.-]/.test(lead.charAt(start - 1))) {
    start--;
  }
  return start < at ? lead.slice(start, at) : undefined;
}

function isLiteral(value: string): boolean {
  return (
    bare(value) !== '' &&
    !isShellVariable(bare(value)) &&
    variablesIn(value).length === 0 &&
    commandOf(value) === undefined
  );
}

function bare(value: string): string {
  return value.replace(/^(Bearer|Basic|token)\s+/i, '').trim();
}

function inputId(server: string, key: string): string {
  const words = `${server}-${key}`.replace(/[^A-Za-z0-9]+/g, '-');
  return words.replace(/^-+|-+$/g, '').toLowerCase();
}
