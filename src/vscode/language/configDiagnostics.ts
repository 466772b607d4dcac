import { basename } from 'node:path';
import * as vscode from 'vscode';
import { assertNever } from '../../base/assertNever.js';
import { Coalescer } from '../../base/async/coalescer.js';
import { type Disposable, DisposableMap, DisposableStore } from '../../base/disposable.js';
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
export class ConfigDiagnostics implements Disposable {
  private readonly store = new DisposableStore();
  private readonly collection = this.store.add(
    vscode.languages.createDiagnosticCollection(commandCategory),
  );
  private readonly pending = this.store.add(
    new DisposableMap</* document URI */ string, Coalescer>(),
  );

  constructor(private readonly parts: DiagnosticsParts) {
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
    this.store.add(
      workspace.onDidCloseTextDocument(({ uri }) => {
        this.pending.delete(uri.toString());
        this.collection.delete(uri);
      }),
    );
    this.requestAll();
  }

  dispose(): void {
    this.store.dispose();
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
    this.collection.set(
      document.uri,
      // a hint is for who looks at the place
      problems
        .filter(({ severity }) => severity !== 'hint')
        .map((problem) => toDiagnostic(document, problem)),
    );
  }
}

function toDiagnostic(document: vscode.TextDocument, problem: ConfigProblem): vscode.Diagnostic {
  const diagnostic = new vscode.Diagnostic(
    toRange(document, problem.range ?? { start: 0, end: 0 }),
    `${problem.message} ${problem.remedy}`,
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
