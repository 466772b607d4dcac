/** The words of the consent prompt. Runs in plain Node, hence `@vscode/l10n`; both readers share one bundle. */
import * as l10n from '@vscode/l10n';
import { commandLine } from '../../mcp/commandLine.js';
import type { ConsentRequest } from '../../mcp/mcpApi.js';
import type { LaunchSummary, WorkspaceFolder } from '../../mcp/mcpTypes.js';
import { remoteTraitText } from '../../mcp/stateText.js';

const maxLineLength = 600;
const maxServers = 25;

/** What waits for consent in one folder. */
export interface FolderRequests {
  readonly folder: WorkspaceFolder;
  readonly requests: readonly ConsentRequest[];
}

export interface ConsentText {
  readonly detail: string;
  /** False when something had to be cut: then the file has to be read before deciding. */
  readonly isComplete: boolean;
}

/** Everything that decides what would run, one block per server. */
export function consentText(waiting: readonly FolderRequests[]): ConsentText {
  const lines = new Lines();
  const all = waiting.flatMap(({ folder, requests }) =>
    requests.map((request) => ({ folder, request })),
  );
  for (const { folder, request } of all.slice(0, maxServers)) {
    addRequest(lines, request, folder, waiting.length > 1);
  }
  const more = all.length - maxServers;
  if (more > 0) {
    lines.isComplete = false;
    lines.add(l10n.t('… and {0} more servers: read the configuration file.', more));
  }
  return { detail: lines.text.trimEnd(), isComplete: lines.isComplete };
}

class Lines {
  text = '';
  isComplete = true;

  add(line: string): void {
    if (line.length > maxLineLength) {
      this.isComplete = false;
      const cut = line.length - maxLineLength;
      this.text += `${line.slice(0, maxLineLength)}… ${l10n.t('({0} more characters)', cut)}\n`;
    } else {
      this.text += `${line}\n`;
    }
  }
}

function addRequest(
  lines: Lines,
  request: ConsentRequest,
  folder: WorkspaceFolder,
  isFolderNamed: boolean,
): void {
  const { launch, reason } = request;
  // where a server runs that does not say where
  const cwd = launch.cwd ?? folder.fsPath;
  const name = commandLine([request.name]);
  lines.add(
    isFolderNamed ? l10n.t('{0}, folder {1}:', name, commandLine([folder.name])) : `${name}:`,
  );
  if (reason.kind === 'changed') {
    addChange(lines, reason.consented, launch);
  } else {
    lines.add(launchLine(launch));
  }
  if (launch.kind === 'stdio') {
    lines.add(
      request.resolvedExecutable === undefined
        ? l10n.t('executable: not found')
        : l10n.t('executable: {0}', request.resolvedExecutable),
    );
  }
  if (launch.kind === 'stdio' && cwd !== undefined) {
    lines.add(l10n.t('working directory: {0}', commandLine([cwd])));
  }
  if (launch.envKeys.length > 0) {
    lines.add(l10n.t('environment: {0}', names(launch.envKeys)));
  }
  if (launch.headerKeys.length > 0) {
    lines.add(l10n.t('headers: {0}', names(launch.headerKeys)));
  }
  if (reason.kind === 'sensitive_remote') {
    lines.add(l10n.t('asks because {0}', reason.traits.map(remoteTraitText).join(', ')));
  }
  lines.add('');
}

function addChange(lines: Lines, before: LaunchSummary, now: LaunchSummary): void {
  if (launchLine(before) !== launchLine(now)) {
    lines.add(l10n.t('was: {0}', launchLine(before)));
    lines.add(l10n.t('is now: {0}', launchLine(now)));
    return;
  }
  lines.add(launchLine(now));
  if (names(before.envKeys) !== names(now.envKeys)) {
    lines.add(l10n.t('environment was: {0}', names(before.envKeys)));
    return;
  }
  lines.add(l10n.t('Its directory, or values of its environment or headers, changed.'));
}

function launchLine(launch: LaunchSummary): string {
  return commandLine(launch.argv);
}

function names(keys: readonly string[]): string {
  return keys.map((key) => commandLine([key])).join(', ');
}
