import * as l10n from '@vscode/l10n';
import type { McpServerLaunch } from '../definition.js';
import { findInField, type LaunchFieldPlace } from '../launch/launchSecrets.js';
import { commandInValue, templateFields, variablesIn } from '../launch/variables.js';
import type { ParsedEntry } from '../parse/configTypes.js';
import { type ParseOptions, parseConfig } from '../parse/parseConfig.js';
import { isRealSecret } from '../secrets/findSecrets.js';
import { tokenService } from '../secrets/findTokens.js';
import type { FoundSecret } from '../secrets/foundSecret.js';
import { secretLead } from '../secrets/redact.js';
import { isUuid } from '../secrets/secretValues.js';
import { ofServer } from '../sentences.js';
import { findingAt, writtenPath } from './finding.js';
import type { LintFinding, LintSubject, LintSurroundings } from './lintTypes.js';

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

/** Whether the text of a configuration file has a credential in it, and not only where to find one. */
export function holdsLiteralSecret(text: string, place: ParseOptions): boolean {
  return parseConfig(text, { ...place, maxLength: text.length }).entries.some(
    ({ launch }) =>
      launch !== undefined &&
      writtenFields(launch).some(({ value, place: at }) => writtenSecret(value, at) !== undefined),
  );
}

interface WrittenField {
  readonly value: string;
  readonly place: LaunchFieldPlace;
  /** Of an argument; else -1. */
  readonly index: number;
}

function writtenFields(launch: McpServerLaunch): readonly WrittenField[] {
  const args = launch.kind === 'stdio' ? launch.args : [];
  return templateFields(launch).map(({ field, value }) => {
    const index = Number(/^args\[(\d+)\]$/.exec(field)?.[1] ?? -1);
    return { value, place: { field, previous: args[index - 1] }, index };
  });
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
  return writtenFields(entry.launch).flatMap(({ value, place: at, index }) => {
    const { field } = at;
    const secret = writtenSecret(value, at);
    if (!secret) {
      return [];
    }
    const key = index === -1 ? keyOf(field) : keyOfArgument(args, index);
    const place = writtenPath(entry, field);
    return [
      findingAt(
        subject,
        entry,
        'literal-secret',
        place,
        {
          message: secretText(field, entry.name, tokenService(secret)),
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

function secretText(field: string, server: string, issuer: string | undefined): string {
  const place = issuer === undefined ? field : `${field} (${issuer})`;
  return ofServer(server, l10n.t('This looks like a secret.'), place);
}

/** The first that is more than a placeholder, a word that everybody tries, or an identifier. */
function writtenSecret(value: string, place: LaunchFieldPlace): string | undefined {
  if (variablesIn(value).length > 0 || commandInValue(value) !== undefined) {
    return undefined;
  }
  const isIdentifier = ({ reason }: FoundSecret, text: string) =>
    reason === 'random' && isUuid(text);
  return findInField(value, place)
    .map((found) => ({ found, text: value.slice(found.start, found.end) }))
    .find(({ found, text }) => isRealSecret(text) && !isIdentifier(found, text))?.text;
}

/** What the secret would be called. */
function keyOf(field: string): string {
  return field === 'url' ? 'url' : field.slice(field.indexOf('.') + 1);
}

function keyOfArgument(args: readonly string[], index: number): string {
  const before = args[index - 1] ?? '';
  const named = nameInLead(secretLead(args[index] ?? '', before)) ?? before;
  return /^-{0,2}[A-Za-z][\w.-]*$/.test(named) ? named.replace(/^-+/, '') || 'token' : 'token';
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

export function inputId(server: string, key: string): string {
  const words = `${server}-${key}`.replace(/[^A-Za-z0-9]+/g, '-');
  return words.replace(/^-+|-+$/g, '').toLowerCase();
}
