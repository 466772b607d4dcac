import * as vscode from 'vscode';
import { assertNever } from '../../base/assertNever.js';
import { Coalescer } from '../../base/coalescer.js';
import { type Disposable, DisposableMap, DisposableStore } from '../../base/disposable.js';
import { commandCategory } from '../../contributions.js';
import type { ConfigProblem, ConfigProblemSeverity } from '../../mcp/mcpTypes.js';
import type { ConfigFiles } from './configFiles.js';

const typingPauseMs = 200;

/** Problems of the open configuration files, in Restricted Mode too: parsing runs nothing. */
export class ConfigDiagnostics implements Disposable {
  private readonly store = new DisposableStore();
  private readonly collection = this.store.add(
    vscode.languages.createDiagnosticCollection(commandCategory),
  );
  private readonly pending = this.store.add(
    new DisposableMap</* document URI */ string, Coalescer>(),
  );

  /** @param onError gets what parsing threw, which would be a defect. */
  constructor(
    private readonly files: ConfigFiles,
    private readonly onError: (error: unknown) => void,
  ) {
    this.store.add(vscode.workspace.onDidOpenTextDocument((document) => this.request(document)));
    this.store.add(
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.request(document)),
    );
    this.store.add(
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        this.pending.delete(uri.toString());
        this.collection.delete(uri);
      }),
    );
    for (const document of vscode.workspace.textDocuments) {
      this.request(document);
    }
  }

  dispose(): void {
    this.store.dispose();
  }

  private request(document: vscode.TextDocument): void {
    if (!this.files.find(document)) {
      return;
    }
    const key = document.uri.toString();
    const existing = this.pending.get(key);
    if (existing) {
      existing.request();
      return;
    }
    const coalescer = new Coalescer(async () => this.update(document), {
      delayMs: typingPauseMs,
      onError: this.onError,
    });
    this.pending.set(key, coalescer);
    void coalescer.flush();
  }

  private update(document: vscode.TextDocument): void {
    const file = this.files.parse(document);
    const problems = file
      ? [...file.problems, ...file.entries.flatMap((entry) => entry.problems)]
      : [];
    this.collection.set(
      document.uri,
      problems.map((problem) => toDiagnostic(document, problem)),
    );
  }
}

function toDiagnostic(document: vscode.TextDocument, problem: ConfigProblem): vscode.Diagnostic {
  const { start, end } = problem.range ?? { start: 0, end: 0 };
  const diagnostic = new vscode.Diagnostic(
    new vscode.Range(document.positionAt(start), document.positionAt(end)),
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
    case 'info':
      return vscode.DiagnosticSeverity.Information;
    default:
      return assertNever(severity);
  }
}
