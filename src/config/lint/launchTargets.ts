import * as l10n from '@vscode/l10n';
import { traitText } from '../launch/launchTraits.js';
import { oddWords } from '../launch/plainLaunch.js';
import { variablesIn } from '../launch/variables.js';
import type { ParsedEntry } from '../parse/configTypes.js';
import { rootRefusal } from '../roots/rootFolders.js';
import { findInArgument, replaceSecrets } from '../secrets/findSecrets.js';
import { executableRemedy, ofServer } from '../sentences.js';
import { findingAt, writtenPath, writtenRoots } from './finding.js';
import type { LintFinding, LintSubject, LintSurroundings } from './lintTypes.js';
import { isPinned, packageOf } from './packageSpec.js';

/** Packages that are looked up afresh: what runs can change without the file changing. */
export function unpinnedPackages(subject: LintSubject): readonly LintFinding[] {
  return subject.file.entries.flatMap((entry) => {
    const { launch } = entry;
    const spec = launch?.kind === 'stdio' ? packageOf(launch.command, launch.args) : undefined;
    if (!spec || isPinned(spec)) {
      return [];
    }
    const place = writtenPath(entry, `args[${spec.argIndex}]`);
    const text = {
      message: ofServer(
        entry.name,
        l10n.t('It names no exact version: what runs can change without notice.'),
        spec.name,
      ),
      remedy: l10n.t('Write an exact version behind its name.'),
    };
    const detail = {
      kind: 'package' as const,
      valuePath: [...entry.path, ...place],
      packageName: spec.name,
      written: spec.written,
    };
    return [
      findingAt(
        subject,
        entry,
        'unpinned-package',
        place,
        text,
        spec.registry === 'npm' ? detail : undefined,
      ),
    ];
  });
}

/** Words that make a runner run something else than it names. A program of one's own is no advice. */
export function otherCode(subject: LintSubject): readonly LintFinding[] {
  return subject.file.entries.flatMap((entry) => {
    const { launch, name } = entry;
    const words = launch?.kind === 'stdio' && subject.isCommitted ? oddWords(launch) : [];
    if (words.every((word) => launch?.kind === 'stdio' && word === launch.command)) {
      return [];
    }
    const text = {
      message: ofServer(
        name,
        traitText(
          'runs_other_code',
          words.map((word) => withoutSecrets(word, launch)),
        ),
      ),
      remedy: l10n.t('Leave it out where the server works without.'),
    };
    return [findingAt(subject, entry, 'may-run-other-code', writtenPath(entry, 'command'), text)];
  });
}

function withoutSecrets(word: string, launch: ParsedEntry['launch']): string {
  const words = launch?.kind === 'stdio' ? [launch.command, ...launch.args] : [];
  // one place that makes it a secret is enough
  const found = words
    .map((other, index) => (other === word ? findInArgument(word, words[index - 1]) : []))
    .find((secrets) => secrets.length > 0);
  return replaceSecrets(word, found ?? []);
}

/** Executables and working directories that are not there. Entries whose paths depend on variables are left alone. */
export async function missingTargets(
  subject: LintSubject,
  surroundings: LintSurroundings,
): Promise<readonly LintFinding[]> {
  const stdio = subject.file.entries.filter((entry) => entry.launch?.kind === 'stdio');
  const findings = await Promise.all(
    stdio.map((entry) =>
      missingTargetOf(subject, entry, surroundings.forEntry?.(entry) ?? surroundings),
    ),
  );
  return findings.flat();
}

async function missingTargetOf(
  subject: LintSubject,
  entry: ParsedEntry,
  surroundings: LintSurroundings,
): Promise<readonly LintFinding[]> {
  const cwd = surroundings.cwdOf(entry);
  if (entry.launch?.kind !== 'stdio' || cwd === undefined) {
    return [];
  }
  if (!(await surroundings.isDirectory(cwd))) {
    return [missingCwd(subject, entry, cwd)];
  }
  const { command, env } = entry.launch;
  // an entry with a PATH of its own is looked up there, whatever that becomes
  const hasOwnPath = Object.keys(env).some((name) => name.toUpperCase() === 'PATH');
  if (hasOwnPath || variablesIn(command).length > 0) {
    return [];
  }
  const search = await surroundings.findCommand(command, cwd);
  return search.isFound ? [] : [missingExecutable(subject, entry, command, search)];
}

/** Folders of `roots` that no server is told of. */
export async function rootFolders(
  subject: LintSubject,
  { findRoot }: Pick<LintSurroundings, 'findRoot'>,
): Promise<readonly LintFinding[]> {
  const written = subject.file.entries.flatMap((entry) =>
    writtenRoots(entry).map((root) => ({ entry, ...root })),
  );
  const findings = await Promise.all(
    written.map(async ({ entry, text, index }) => {
      const found = await findRoot(text, subject.isCommitted);
      const refusal = found && rootRefusal(found, text);
      const place = writtenPath(entry, `roots[${index}]`);
      const detail = { kind: 'root', valuePath: [...entry.path, ...place] } as const;
      return refusal && findingAt(subject, entry, 'root-not-given', place, refusal, detail);
    }),
  );
  return findings.filter((finding) => finding !== undefined);
}

function missingCwd(subject: LintSubject, entry: ParsedEntry, cwd: string): LintFinding {
  return findingAt(subject, entry, 'cwd-missing', ['cwd'], {
    message: l10n.t('The folder "{0}" does not exist.', cwd),
    remedy: l10n.t('Create it, or correct "{0}".', 'cwd'),
  });
}

function missingExecutable(
  subject: LintSubject,
  entry: ParsedEntry,
  command: string,
  search: { readonly elsewhere?: string; readonly searchedCount: number },
): LintFinding {
  const place = writtenPath(entry, 'command');
  return findingAt(
    subject,
    entry,
    'executable-not-found',
    place,
    {
      message: l10n.t(
        'The command "{0}" was not found in any of the {1} folders of PATH.',
        command,
        search.searchedCount,
      ),
      remedy: executableRemedy(command, search.elsewhere),
    },
    { kind: 'executable', valuePath: [...entry.path, ...place], foundAt: search.elsewhere },
  );
}
