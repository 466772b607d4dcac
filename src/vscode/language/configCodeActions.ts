import * as vscode from 'vscode';
import { type ConfigProblem, serverId } from '../../config/definition.js';
import { installedVersion } from '../../config/fixes/packageVersion.js';
import {
  convertShape,
  pinPackage,
  type QuickFix,
  quickFixes,
} from '../../config/fixes/quickFixes.js';
import { syntaxFixes } from '../../config/fixes/syntaxFixes.js';
import type { LintDetail, LintFinding } from '../../config/lint/lintTypes.js';
import { workingDirectory } from '../../config/lint/machineSurroundings.js';
import { isProjectRule } from '../../config/lint/severityChoices.js';
import { findProperty, nodeRange } from '../../config/parse/jsonDocument.js';
import { type CommandId, commandIds } from '../../contributions.js';
import type { McpService } from '../../mcp/mcpApi.js';
import { pathInFolder } from '../../platform/folderPath.js';
import type { HostEnvironment } from '../../platform/ports.js';
import type { ConfigFiles, OpenConfig } from './configFiles.js';
import type { ConfigProblems, IsConsented } from './configProblems.js';
import type { FixTarget } from './fixCommands.js';
import { toRange, toWorkspaceEdit } from './ranges.js';
import type { HiddenRule, HiddenRuleScope } from './ruleCommands.js';

/** Fixes for the problems at the cursor, the rename between `servers` and `mcpServers`, and a server's way elsewhere. */
export class ConfigCodeActionProvider implements vscode.CodeActionProvider {
  static get kinds(): readonly vscode.CodeActionKind[] {
    const { QuickFix, RefactorMove, RefactorRewrite, Source } = vscode.CodeActionKind;
    return [QuickFix, RefactorMove, RefactorRewrite, Source];
  }

  constructor(
    private readonly files: ConfigFiles,
    private readonly problems: ConfigProblems,
    private readonly environment: HostEnvironment,
    private readonly isConsented: IsConsented,
    private readonly service: McpService,
  ) {}

  async provideCodeActions(
    document: vscode.TextDocument,
    range: vscode.Range,
    { diagnostics, only }: vscode.CodeActionContext,
  ): Promise<vscode.CodeAction[]> {
    const config = this.files.read(document);
    if (!config || (await leavesFolder(config))) {
      return [];
    }
    if (config.file.hasSyntaxError) {
      return syntaxActions(document, config, range, diagnostics);
    }
    const problems = (await this.problems.of(document)).filter(
      (problem) => problem.range && toRange(document, problem.range).intersection(range),
    );
    const fixes = await Promise.all(
      problems.map(async (problem) => {
        const actions = await this.fixesOf(document, config, problem);
        const fixed = diagnostics.filter(({ code }) => code === problem.code);
        return [...actions, ...hidings(problem)].map((action) =>
          Object.assign(action, { diagnostics: fixed }),
        );
      }),
    );
    const wanted = [
      ...fixes.flat(),
      ...conversions(document, config, range),
      ...moves(document, config, range, this.service),
      showHiddenRules(),
    ];
    return wanted.filter(({ kind }) => !only || (kind !== undefined && only.contains(kind)));
  }

  private async fixesOf(
    document: vscode.TextDocument,
    config: OpenConfig,
    problem: ConfigProblem,
  ): Promise<vscode.CodeAction[]> {
    const { detail } = problem as LintFinding;
    switch (detail?.kind) {
      case 'package':
        return [await this.pin(document, config, problem, detail)];
      case 'secret':
        return [moveToSecretStorage(document, detail)];
      default:
        return quickFixes(config.document, config.file, problem).map((fix) =>
          toAction(document, fix, vscode.CodeActionKind.QuickFix),
        );
    }
  }

  /** A version that is installed is known at once; the newest one costs a question to the registry. */
  private async pin(
    document: vscode.TextDocument,
    config: OpenConfig,
    { server }: ConfigProblem,
    detail: Extract<LintDetail, { kind: 'package' }>,
  ): Promise<vscode.CodeAction> {
    const { packageName, valuePath, written } = detail;
    const { document: json, file, folder } = config;
    const entry = file.entries.find(({ name }) => name === server);
    const within = entry && this.isConsented(config, entry) ? undefined : folder?.fsPath;
    const cwd = entry && workingDirectory(entry, folder, this.environment.homeDir);
    const { environment } = this;
    const version = await installedVersion(packageName, written, cwd, environment, within).catch(
      // an unreadable folder is as good as none
      () => undefined,
    );
    if (version !== undefined) {
      const fix = pinPackage(json, detail, version);
      return toAction(document, fix, vscode.CodeActionKind.QuickFix);
    }
    const title = vscode.l10n.t('Pin {0} to Its Newest Version', packageName);
    const target: FixTarget = { uri: document.uri.toString(), valuePath, packageName, written };
    return preferredFix(title, commandIds.pinPackage, target);
  }
}

/** What a fix changes would be saved where a link of a repository leads. */
async function leavesFolder({ location: { folder, path } }: OpenConfig): Promise<boolean> {
  return folder !== undefined && (await pathInFolder(folder, path)).kind === 'outside';
}

/** Of the line of the error, and of the one behind which something is missing. */
function syntaxActions(
  document: vscode.TextDocument,
  { document: { text, error } }: OpenConfig,
  range: vscode.Range,
  diagnostics: readonly vscode.Diagnostic[],
): vscode.CodeAction[] {
  const fixes = syntaxFixes(text);
  const lines = [error?.range.start, fixes[0]?.edits[0]?.offset].flatMap((offset) =>
    offset === undefined ? [] : [document.positionAt(offset).line],
  );
  return lines.some((line) => line >= range.start.line && line <= range.end.line)
    ? fixes.map((fix) =>
        Object.assign(toAction(document, fix, vscode.CodeActionKind.QuickFix), { diagnostics }),
      )
    : [];
}

/** An error stays: the entry cannot be used. */
function hidings({ code, severity }: ConfigProblem): readonly vscode.CodeAction[] {
  const hiding = (title: string, scope: HiddenRuleScope) => {
    const target: HiddenRule = { rule: code, scope };
    return commandAction(title, commandIds.hideRule, vscode.CodeActionKind.QuickFix, target);
  };
  return severity === 'error'
    ? []
    : [
        ...(isProjectRule(code)
          ? [hiding(vscode.l10n.t('Hide Rule "{0}" in This Workspace', code), 'workspace')]
          : []),
        hiding(vscode.l10n.t('Hide Rule "{0}" for You', code), 'user'),
      ];
}

/** In the menu of source actions, where no light bulb is lit for it. */
function showHiddenRules(): vscode.CodeAction {
  const kind = vscode.CodeActionKind.Source.append('piMcp');
  const title = vscode.l10n.t('Show Hidden Rules Again…');
  return commandAction(title, commandIds.showHiddenRules, kind);
}

function moveToSecretStorage(
  document: vscode.TextDocument,
  { valuePath, suggestedId }: Extract<LintDetail, { kind: 'secret' }>,
): vscode.CodeAction {
  const target: FixTarget = { uri: document.uri.toString(), valuePath, suggestedId };
  return preferredFix(vscode.l10n.t('Move Value to Secret Storage'), commandIds.moveSecret, target);
}

function conversions(
  document: vscode.TextDocument,
  { document: json, file }: OpenConfig,
  range: vscode.Range,
): readonly vscode.CodeAction[] {
  const wrapper = findProperty(json.root, file.shape);
  const isAtWrapper =
    wrapper && toRange(document, nodeRange(wrapper.nameNode)).intersection(range) !== undefined;
  return isAtWrapper
    ? convertShape(json, file).map((fix) =>
        toAction(document, { ...fix, isPreferred: false }, vscode.CodeActionKind.RefactorRewrite),
      )
    : [];
}

/** Of the server on whose name the cursor is, where this file is the one that counts. */
function moves(
  document: vscode.TextDocument,
  { file, poolId, location }: OpenConfig,
  range: vscode.Range,
  service: McpService,
): readonly vscode.CodeAction[] {
  const entry = file.entries.find(
    ({ nameRange }) => toRange(document, nameRange).intersection(range) !== undefined,
  );
  const server = entry && service.getServer(serverId(poolId, entry.name));
  if (server?.definition.origin.path !== location.path) {
    return [];
  }
  const title = vscode.l10n.t('Change Scope…');
  const kind = vscode.CodeActionKind.RefactorMove;
  return [commandAction(title, commandIds.moveServer, kind, server.id)];
}

function toAction(
  document: vscode.TextDocument,
  fix: QuickFix,
  kind: vscode.CodeActionKind,
): vscode.CodeAction {
  const action = new vscode.CodeAction(fix.title, kind);
  action.edit = toWorkspaceEdit(document, fix.edits);
  action.isPreferred = fix.isPreferred;
  return action;
}

function preferredFix(title: string, command: CommandId, target: FixTarget): vscode.CodeAction {
  const action = commandAction(title, command, vscode.CodeActionKind.QuickFix, target);
  action.isPreferred = true;
  return action;
}

function commandAction(
  title: string,
  command: CommandId,
  kind: vscode.CodeActionKind,
  ...args: readonly unknown[]
): vscode.CodeAction {
  const action = new vscode.CodeAction(title, kind);
  action.command = { command, title, arguments: [...args] };
  return action;
}
