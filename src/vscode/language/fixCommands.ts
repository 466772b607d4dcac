import * as vscode from 'vscode';
import { HumanError } from '../../base/errors.js';
import { isJsonObject } from '../../base/json.js';
import { latestVersion } from '../../config/fixes/packageVersion.js';
import { moveSecret, pinPackage } from '../../config/fixes/quickFixes.js';
import type { SecretKeeper } from '../../config/fixes/secretKeeper.js';
import type { InputStore } from '../../config/inputs/inputStore.js';
import type { ConfigPath } from '../../config/parse/configTypes.js';
import type { Machine } from '../../config/ports.js';
import { commandIds } from '../../contributions.js';
import type { McpService } from '../../mcp/mcpApi.js';
import { realPathInFolder } from '../../platform/folderPath.js';
import type { CommandHandlers } from '../commandHandlers.js';
import { showInformation } from '../notifications.js';
import { withCancellableProgress } from '../workspace/cancelling.js';
import type { ConfigFiles, OpenConfig } from './configFiles.js';
import { toWorkspaceEdit } from './ranges.js';

/** Argument of the fixes that have to ask or store something before they can edit. */
export interface FixTarget {
  readonly uri: string;
  readonly valuePath: ConfigPath;
  readonly packageName?: string;
  /** The package with its version, as it stands in the value. */
  readonly written?: string;
  readonly suggestedId?: string;
}

export interface FixParts {
  readonly files: ConfigFiles;
  readonly service: Pick<McpService, 'getPool'>;
  readonly inputs: InputStore;
  readonly secrets: Pick<SecretKeeper, 'takenIds'>;
  readonly machine: Machine;
}

export function fixCommands(parts: FixParts): CommandHandlers {
  return {
    [commandIds.pinPackage]: async (argument) => {
      const target = toTarget(argument);
      if (target?.packageName !== undefined) {
        const { valuePath, packageName, written = packageName } = target;
        await pinToNewest(target, { valuePath, packageName, written }, parts);
      }
    },
    [commandIds.moveSecret]: async (argument) => {
      const target = toTarget(argument);
      if (target?.suggestedId !== undefined) {
        await moveToSecretStorage(target, target.suggestedId, parts);
      }
    },
  };
}

function toTarget(argument: unknown): FixTarget | undefined {
  return isJsonObject(argument) &&
    typeof argument.uri === 'string' &&
    Array.isArray(argument.valuePath)
    ? (argument as unknown as FixTarget)
    : undefined;
}

async function pinToNewest(
  target: FixTarget,
  found: Parameters<typeof pinPackage>[1],
  parts: FixParts,
): Promise<void> {
  const { packageName } = found;
  const { workspace, environment } = parts.machine;
  if (!workspace.isTrusted) {
    throw new HumanError('restricted_mode', vscode.l10n.t('The workspace is in Restricted Mode.'), {
      remedy: vscode.l10n.t('Trust the workspace.'),
    });
  }
  const version = await withCancellableProgress(
    vscode.l10n.t('Looking up the newest version of {0}', packageName),
    (signal) => latestVersion(packageName, environment, signal),
  );
  const { document, config } = await openTarget(target, parts.files);
  const { edits } = pinPackage(config.document, found, version);
  await vscode.workspace.applyEdit(toWorkspaceEdit(document, edits));
}

/** Stores first: a secret that is nowhere would be lost. */
async function moveToSecretStorage(
  target: FixTarget,
  suggestedId: string,
  parts: FixParts,
): Promise<void> {
  const { document, config } = await openTarget(target, parts.files);
  const { version } = document;
  const { poolId: id, document: json, file } = config;
  const { inputs = [] } = parts.service.getPool(id) ?? {};
  const taken = await parts.secrets.takenIds({ id, inputs });
  const move = moveSecret(json, file, target.valuePath, suggestedId, taken);
  if (!move) {
    throw new HumanError('secret_gone', vscode.l10n.t('This is not there any more.'), {
      remedy: vscode.l10n.t('Try again.'),
    });
  }
  const key = { poolId: id, inputId: move.inputId };
  await parts.inputs.set(key, move.value);
  const isSame = document.version === version;
  const edit = toWorkspaceEdit(document, move.edits);
  if (!isSame || !(await vscode.workspace.applyEdit(edit))) {
    await parts.inputs.forget(key);
    throw new HumanError(
      'secret_not_moved',
      vscode.l10n.t('The file was changed at the same time; the secret is still in it.'),
      { remedy: vscode.l10n.t('Try again.') },
    );
  }
  void showInformation(
    vscode.l10n.t(
      'The value is now in the secret storage of VS Code as "{0}". Save the file; a secret that was committed before should be replaced where it is used.',
      move.inputId,
    ),
  );
}

async function openTarget(
  { uri }: FixTarget,
  files: ConfigFiles,
): Promise<{ readonly document: vscode.TextDocument; readonly config: OpenConfig }> {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri, true));
  const config = files.read(document);
  if (!config) {
    throw new HumanError(
      'not_a_configuration',
      vscode.l10n.t('{0} is no MCP configuration file.', document.uri.fsPath),
    );
  }
  const { folder, path } = config.location;
  if (folder !== undefined) {
    await realPathInFolder(folder, path);
  }
  return { document, config };
}
