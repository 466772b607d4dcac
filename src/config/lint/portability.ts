/** What other programs that read the same `.mcp.json` would ignore or refuse. */
import * as l10n from '@vscode/l10n';
import { type ParseError, parse } from 'jsonc-parser';
import { nameToken } from '../../base/text/nameToken.js';
import type { TextRange } from '../definition.js';
import { templateFields, variablesIn } from '../launch/variables.js';
import type { ParsedEntry } from '../parse/configTypes.js';
import { findProperty, nameRange } from '../parse/jsonDocument.js';
import { findField } from '../schema/fields.js';
import { findingAt, writtenPath } from './finding.js';
import {
  type LintFinding,
  type LintSubject,
  type LintSurroundings,
  lintRules,
} from './lintTypes.js';

const ignoredByVsCode = ['cwd', 'enabled', 'disabled', 'envFile'] as const;

/** Only for the shared project file; the others belong to us. */
export function portability(
  subject: LintSubject,
  { usesClient }: Pick<LintSurroundings, 'usesClient'>,
): readonly LintFinding[] {
  if (subject.file.layer !== 'project') {
    return [];
  }
  const ofClaudeCode = usesClient('claude-code');
  const ofVsCode = usesClient('vscode');
  return [
    ...strictJson(subject),
    ...(ofClaudeCode ? shape(subject) : []),
    ...subject.file.entries.flatMap((entry) => [
      ...(ofClaudeCode ? claudeName(subject, entry) : []),
      ...claudeType(subject, entry),
      ...ignoredFields(subject, entry),
      ...(ofVsCode ? unexpandedVariables(subject, entry) : []),
    ]),
  ];
}

function claudeName(subject: LintSubject, entry: ParsedEntry): readonly LintFinding[] {
  if (/^[A-Za-z0-9_-]+$/.test(entry.name)) {
    return [];
  }
  const finding = findingAt(subject, entry, 'claude-code-name', [], {
    message: l10n.t('Claude Code refuses this server: {0}', nameToken(entry.name)),
    remedy: l10n.t('Use letters, digits, "-" and "_" only.'),
  });
  return [{ ...finding, range: entry.nameRange }];
}

function claudeType(subject: LintSubject, entry: ParsedEntry): readonly LintFinding[] {
  if (entry.kind !== 'http' || entry.raw?.type !== undefined) {
    return [];
  }
  const text = {
    message: l10n.t('Claude Code refuses this server: {0}', nameToken(entry.name)),
    remedy: l10n.t('Add "type": "http".'),
  };
  const detail = { kind: 'type', entryPath: entry.path } as const;
  return [
    findingAt(subject, entry, 'claude-code-needs-type', writtenPath(entry, 'url'), text, detail),
  ];
}

/** What is written out, but would be so without, misleads nobody. */
function ignoredFields(subject: LintSubject, entry: ParsedEntry): readonly LintFinding[] {
  return ignoredByVsCode
    .filter((field) => {
      const value = entry.raw?.[field];
      const plain: readonly unknown[] =
        field === 'cwd' ? ['.', './', '${workspaceFolder}'] : [findField(field)?.defaultValue];
      return value !== undefined && !plain.includes(value);
    })
    .map((field) =>
      findingAt(subject, entry, 'vscode-ignores-field', [field], {
        message: ignored('VS Code', field),
        remedy: l10n.t('Nothing to do unless other clients read this file.'),
      }),
    );
}

function unexpandedVariables(subject: LintSubject, entry: ParsedEntry): readonly LintFinding[] {
  const withVariable = entry.launch
    ? templateFields(entry.launch).find(({ value }) => variablesIn(value).length > 0)
    : undefined;
  return withVariable
    ? [
        findingAt(subject, entry, 'vscode-no-variables', writtenPath(entry, withVariable.field), {
          message: ignored('VS Code', '${…}'),
          remedy: l10n.t('Nothing to do unless other clients read this file.'),
        }),
      ]
    : [];
}

function ignored(reader: 'Claude Code' | 'VS Code', what: string): string {
  return l10n.t('{0} ignores "{1}" in this file.', reader, what);
}

function shape(subject: LintSubject): readonly LintFinding[] {
  const { shape: written } = subject.file;
  if (written === 'mcpServers' || written === 'empty') {
    return [];
  }
  const property = findProperty(subject.document.root, written);
  return [
    {
      code: 'claude-code-shape',
      severity: lintRules['claude-code-shape'],
      message: ignored('Claude Code', written),
      remedy: l10n.t('Put the servers under "mcpServers".'),
      range: property ? nameRange(property) : { start: 0, end: 1 },
    },
  ];
}

function strictJson(subject: LintSubject): readonly LintFinding[] {
  const range = firstLooseSyntax(subject.document.text);
  return range
    ? [
        {
          code: 'strict-json',
          severity: lintRules['strict-json'],
          message: l10n.t(
            'Comments and trailing commas make other clients refuse this whole file.',
          ),
          remedy: l10n.t('Nothing to do unless other clients read this file.'),
          range,
        },
      ]
    : [];
}

/** The first comment or trailing comma: what a strict reader stumbles over in a document that is otherwise fine. */
function firstLooseSyntax(text: string): TextRange | undefined {
  const errors: ParseError[] = [];
  parse(text, errors, {
    disallowComments: true,
    allowTrailingComma: false,
    allowEmptyContent: true,
  });
  const [first] = errors;
  return first ? { start: first.offset, end: first.offset + first.length } : undefined;
}
