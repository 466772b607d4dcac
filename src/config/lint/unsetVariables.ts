import * as l10n from '@vscode/l10n';
import { type VariableUse, variablesOf } from '../launch/variables.js';
import { findingAt, writtenPath } from './finding.js';
import type { LintFinding, LintSubject, LintSurroundings } from './lintTypes.js';

/** Variables that would stop the server because nothing sets them. */
export function unsetVariables(
  subject: LintSubject,
  surroundings: LintSurroundings,
): readonly LintFinding[] {
  return subject.file.entries.flatMap((entry) => {
    const uses = entry.launch ? variablesOf(entry.launch) : [];
    return uses.flatMap((use) => {
      const text = textFor(use, surroundings);
      return text
        ? [findingAt(subject, entry, 'unknown-variable', writtenPath(entry, use.field), text)]
        : [];
    });
  });
}

function textFor(use: VariableUse, surroundings: LintSurroundings) {
  if (use.kind === 'unknown') {
    return {
      message: l10n.t('"{0}" is not a variable that Pi MCP knows.', use.name),
      remedy: l10n.t(
        'Use ${VAR}, ${VAR:-default}, ${env:VAR}, ${workspaceFolder}, ${userHome} or ${input:id}.',
      ),
    };
  }
  if (use.kind === 'env' && !use.hasDefault && !surroundings.isVariableSet(use.name)) {
    return {
      message: l10n.t('The environment variable {0} is not set.', use.name),
      remedy: l10n.t(
        'Set it before the editor starts, or write a default: {0}.',
        `\${${use.name}:-…}`,
      ),
    };
  }
  return undefined;
}
