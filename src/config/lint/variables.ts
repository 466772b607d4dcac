import { unresolved, variableProblems } from '../launch/variableProblems.js';
import { findingAt, writtenPath, writtenRoots } from './finding.js';
import type { LintDetail, LintFinding, LintSubject, LintSurroundings } from './lintTypes.js';

/** Variables that would stop the server because nothing sets them, or that no shell fills in. */
export function variables(
  subject: LintSubject,
  surroundings: LintSurroundings,
): readonly LintFinding[] {
  return subject.file.entries.flatMap((entry) => {
    const { isVariableSet } = surroundings;
    // what a file of the project may read for its roots is no question of what is set
    const roots = subject.isCommitted ? [] : writtenRoots(entry);
    const problems = [
      ...(entry.launch ? variableProblems(entry.launch, isVariableSet) : []),
      ...roots.flatMap(({ text: value, index }) =>
        unresolved({ field: `roots[${index}]`, value, mayRunCommand: false }, isVariableSet),
      ),
    ];
    return problems.map(({ code, field, message, remedy, replacement }) => {
      const place = writtenPath(entry, field);
      const detail: LintDetail | undefined = replacement && {
        kind: 'variable',
        valuePath: [...entry.path, ...place],
        ...replacement,
      };
      return findingAt(subject, entry, code, place, { message, remedy }, detail);
    });
  });
}
