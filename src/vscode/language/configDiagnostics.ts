import { basename } from 'node:path';
import * as vscode from 'vscode';
import { assertNever } from '../../base/assertNever.js';
import { Coalescer } from '../../base/async/coalescer.js';
import { DisposableMap, DisposableOwner } from '../../base/disposable.js';
import { withRemedy } from '../../base/errors.js';
import type { Event } from '../../base/event.js';
import type { ConfigProblem, ConfigProblemSeverity } from '../../config/definition.js';
import { commandCategory } from '../../contributions.js';
import type { ConfigProblems } from './configProblems.js';
import { toRange } from './ranges.js';

const typingPauseMs = 200;

export interface DiagnosticsParts {
  readonly problems: ConfigProblems;
  /** Something beside the text changed what is a problem. */
  readonly onDidChangeRules: Event<void>;
  /** Gets what checking threw, which would be a defect. */
  readonly onError: (error: unknown) => void;
}

/** Problems of the open configuration files, in Restricted Mode too. */
export class ConfigDiagnostics extends DisposableOwner {
  private readonly collection = this.store.add(
    vscode.languages.createDiagnosticCollection(commandCategory),
  );
  /** Documents whose syntax errors are left to VS Code to mark. */
  private readonly left = new Set</* document URI */ string>();
  private readonly pending = this.store.add(
    new DisposableMap</* document URI */ string, Coalescer>(),
  );

  constructor(private readonly parts: DiagnosticsParts) {
    super();
    const { workspace } = vscode;
    this.store.add(workspace.onDidOpenTextDocument((document) => this.request(document)));
    this.store.add(workspace.onDidChangeTextDocument(({ document }) => this.request(document)));
    // what an entry names may have been installed or created meanwhile
    this.store.add(
      workspace.onDidSaveTextDocument((document) => {
        if (basename(document.uri.fsPath) === '.gitignore') {
          this.requestAll();
        }
        this.requestAfresh(document);
      }),
    );
    this.store.add(parts.onDidChangeRules(() => this.requestAll()));
    this.store.add(vscode.languages.onDidChangeDiagnostics(({ uris }) => this.compare(uris)));
    this.store.add(
      workspace.onDidCloseTextDocument(({ uri }) => {
        this.pending.delete(uri.toString());
        this.left.delete(uri.toString());
        this.collection.delete(uri);
      }),
    );
    this.requestAll();
  }

  /** VS Code marked a syntax error after we did, or does so no longer. */
  private compare(uris: readonly vscode.Uri[]): void {
    for (const document of vscode.workspace.textDocuments) {
      const isChanged = uris.some((uri) => uri.toString() === document.uri.toString());
      if (isChanged && this.left.has(document.uri.toString()) !== isMarkedByVsCode(document)) {
        this.request(document);
      }
    }
  }

  private requestAll(): void {
    this.parts.problems.forget();
    for (const document of vscode.workspace.textDocuments) {
      this.request(document);
    }
  }

  private requestAfresh(document: vscode.TextDocument): void {
    if (this.parts.problems.concern(document)) {
      this.parts.problems.forget();
      this.request(document);
    }
  }

  private request(document: vscode.TextDocument): void {
    if (!this.parts.problems.concern(document)) {
      // it may have been one before
      if (this.collection.has(document.uri)) {
        this.collection.delete(document.uri);
      }
      return;
    }
    const key = document.uri.toString();
    const existing = this.pending.get(key);
    if (existing) {
      existing.request();
      return;
    }
    const coalescer = new Coalescer(() => this.update(document), {
      delayMs: typingPauseMs,
      onError: this.parts.onError,
    });
    this.pending.set(key, coalescer);
    void coalescer.flush();
  }

  private async update(document: vscode.TextDocument): Promise<void> {
    const { version } = document;
    const problems = await this.parts.problems.of(document);
    // a newer text has asked for its own problems; a closed one shows none
    if (this.store.isDisposed || document.isClosed || document.version !== version) {
      return;
    }
    const isMarked = isMarkedByVsCode(document);
    this.left[isMarked ? 'add' : 'delete'](document.uri.toString());
    this.collection.set(
      document.uri,
      // a hint is for who looks at the place
      problems
        .filter(({ severity, code }) => severity !== 'hint' && !(isMarked && code === 'syntax'))
        .map((problem) => toDiagnostic(document, problem)),
    );
  }
}

/**
 * VS Code's own JSON support marks a syntax error, and cannot be told to leave that to others for one file. Of all it
 * says about a file, only those are errors. What we know beyond it, the hover says.
 */
export function isMarkedByVsCode({ uri }: vscode.TextDocument): boolean {
  return vscode.languages
    .getDiagnostics(uri)
    .some(
      ({ source, severity }) =>
        (source === 'json' || source === 'jsonc') && severity === vscode.DiagnosticSeverity.Error,
    );
}

function toDiagnostic(document: vscode.TextDocument, problem: ConfigProblem): vscode.Diagnostic {
  const diagnostic = new vscode.Diagnostic(
    toRange(document, problem.range ?? { start: 0, end: 0 }),
    withRemedy(problem.message, problem.remedy),
    toSeverity(problem.severity),
  );
  diagnostic.source = commandCategory;
  diagnostic.code = problem.code;
  return diagnostic;
}

function toSeverity(severity: ConfigProblemSeverity): vscode.DiagnosticSeverity {
  switch (severity) {
    case 'error':
      return vscode.DiagnosticSeverity.Error;
    case 'warning':
      return vscode.DiagnosticSeverity.Warning;
    case 'hint':
      return vscode.DiagnosticSeverity.Hint;
    case 'info':
      return vscode.DiagnosticSeverity.Information;
    default:
      return assertNever(severity);
  }
}
