/** What of the editors may be mentioned: the selection, the open files, and what is wrong in them. */
import * as vscode from 'vscode';
import type { LineRange } from '../../protocol/attachments.js';
import { fileAttachment, type Mention, mention, placedFile } from './mention.js';

const maxProblems = 200;

export function editorMentions(): readonly Mention[] {
  return [...selectionMention(), ...openEditorsMention(), ...problemMentions()];
}

function selectionMention(): readonly Mention[] {
  const editor = vscode.window.activeTextEditor;
  if (!editor || editor.selection.isEmpty) {
    return [];
  }
  const { document, selection } = editor;
  const name = nameOf(document);
  if (name === undefined) {
    return [];
  }
  const lines = lineRange(selection);
  const text = document.getText(selection);
  const place = lines.from === lines.to ? `${lines.from}` : `${lines.from}-${lines.to}`;
  return [
    mention(
      {
        kind: 'selection',
        label: vscode.l10n.t('Selection'),
        detail: `${name}:${place}`,
        word: 'selection',
        bonus: 30,
        attach: async () => [{ kind: 'text', what: 'selection', name, lines, text }],
      },
      'selection',
    ),
  ];
}

function openEditorsMention(): readonly Mention[] {
  const uris = vscode.window.tabGroups.all.flatMap(({ tabs }) =>
    tabs.flatMap(({ input }) => (input instanceof vscode.TabInputText ? [input.uri] : [])),
  );
  const files = uris.flatMap((uri) => placedFile(uri) ?? []);
  const names = [...new Set(files.map(({ name }) => name))];
  if (names.length < 2) {
    return [];
  }
  const attach = async () => files.map(fileAttachment);
  return [
    mention(
      {
        kind: 'file',
        label: vscode.l10n.t('Open Editors ({0})', names.length),
        detail: names.join(', '),
        word: 'editors',
        attach,
      },
      'editors',
    ),
  ];
}

function problemMentions(): readonly Mention[] {
  const all = problems();
  const active = vscode.window.activeTextEditor?.document;
  const activeName = active && nameOf(active);
  const here = all.filter(({ file }) => file === activeName);
  return [
    ...(all.length > here.length
      ? [problemMention(vscode.l10n.t('Problems ({0})', all.length), all)]
      : []),
    ...(here.length > 0 && activeName !== undefined
      ? [problemMention(vscode.l10n.t('Problems ({0})', here.length), here, activeName)]
      : []),
  ];
}

interface Problem {
  readonly file: string;
  readonly line: string;
}

function problemMention(label: string, found: readonly Problem[], file?: string): Mention {
  const files = [...new Set(found.map((one) => one.file))];
  const left = found.length - maxProblems;
  const text = [
    ...found.slice(0, maxProblems).map(({ line }) => line),
    ...(left > 0 ? [`[${left} more problems]`] : []),
  ].join('\n');
  return mention(
    {
      kind: 'problems',
      label,
      detail: files.join(', '),
      word: 'problems',
      attach: async () => [
        {
          kind: 'text',
          what: 'problems',
          name: label,
          text,
          path: file,
        },
      ],
    },
    'problems',
  );
}

/** Errors and warnings in files of the workspace, errors first. */
function problems(): readonly Problem[] {
  const { DiagnosticSeverity: severities } = vscode;
  const shown = [severities.Error, severities.Warning];
  return vscode.languages
    .getDiagnostics()
    .flatMap(([uri, found]) => {
      const place = placedFile(uri);
      return place ? found.map((one) => ({ file: place.name, one })) : [];
    })
    .filter(({ one }) => shown.includes(one.severity))
    .sort((a, b) => a.one.severity - b.one.severity)
    .map(({ file, one }) => ({ file, line: problemLine(file, one) }));
}

function problemLine(
  file: string,
  { range, severity, source, message }: vscode.Diagnostic,
): string {
  const word = severity === vscode.DiagnosticSeverity.Error ? 'error' : 'warning';
  const by = source ? ` (${source})` : '';
  const { line, character } = range.start;
  return `${file}:${line + 1}:${character + 1} ${word}${by}: ${message.replaceAll(/\s+/g, ' ')}`;
}

/** `undefined` for a file outside of the workspace. */
function nameOf(document: vscode.TextDocument): string | undefined {
  return document.isUntitled ? document.fileName : placedFile(document.uri)?.name;
}

/** A selection that ends before the first character of a line does not have that line. */
export function lineRange({ start, end }: vscode.Range): LineRange {
  const isBeforeLine = end.character === 0 && end.line > start.line;
  return { from: start.line + 1, to: isBeforeLine ? end.line : end.line + 1 };
}
