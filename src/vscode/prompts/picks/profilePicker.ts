import * as vscode from 'vscode';
import type { ToolFeatures } from '../../../agent/policy/toolFeatures.js';
import { labelText } from '../../../base/text/labelText.js';
import type { ObservableValue } from '../../../base/valueEmitter.js';
import type { Machine } from '../../../config/ports.js';
import { maxProfileName } from '../../../config/toolProfiles.js';
import { settingIds } from '../../../contributions.js';
import type { McpService } from '../../../mcp/mcpApi.js';
import {
  type ProfileChoice,
  profileChoices,
} from '../../../presentation/switching/profileChoices.js';
import { asTreeNode } from '../../../presentation/tree/targets.js';
import { listHeading, type PickItem, pickOne } from './picks.js';

export interface ProfilePickerParts {
  readonly service: McpService;
  readonly features: Pick<ToolFeatures, 'profiles' | 'switches'>;
  readonly budget: ObservableValue<number>;
  readonly machine: Machine;
}

/** @param argument the row of a folder. Default: the user is asked for one where there are several */
export async function selectProfile(argument: unknown, parts: ProfilePickerParts): Promise<void> {
  const node = asTreeNode(argument);
  await pickProfile(node?.kind === 'pool' ? node.pool.folder?.uri : await pickFolder(parts), parts);
}

/** `undefined` in a window without folders. */
async function pickFolder({ service }: ProfilePickerParts): Promise<string | undefined> {
  const folders = service.pools.flatMap(({ folder }) => folder ?? []);
  return folders.length === 0
    ? undefined
    : await pickOne(
        folders.map(({ name, uri, fsPath }) => ({
          label: labelText(name),
          description: labelText(fsPath ?? uri),
          value: uri,
        })),
        { title: vscode.l10n.t('Select Tool Profile'), takesOnly: true },
      );
}

async function pickProfile(
  folderUri: string | undefined,
  { service, features, budget, machine }: ProfilePickerParts,
): Promise<void> {
  const { profiles, switches } = features;
  const directTools = machine.environment.getVariable('MCP_DIRECT_TOOLS');
  const choices = await profileChoices(folderUri, {
    service,
    profiles,
    switches,
    budget,
    directTools,
  });
  const items: readonly PickItem<ProfileChoice | 'edit'>[] = [
    ...choices.map((choice) => ({
      label: `$(${choice.isChosen ? 'check' : 'blank'}) ${labelText(choice.label)}`,
      description: labelText(choice.description),
      detail: `${choice.isFlawed ? '$(warning) ' : ''}${labelText(choice.detail)}`,
      value: choice,
    })),
    listHeading(),
    { label: `$(gear) ${vscode.l10n.t('Edit Profiles…')}`, value: 'edit' as const },
  ];
  const picked = await pickOne(items, { title: vscode.l10n.t('Select Tool Profile') });
  if (picked === 'edit') {
    await vscode.commands.executeCommand('workbench.action.openSettings', settingIds.profiles);
    return;
  }
  await profiles.choose(folderUri, picked.ref);
}

/** Asks for a name, and writes the profile into the user's settings. @returns the name, or `undefined` without one */
export async function saveProfile(patterns: readonly string[]): Promise<string | undefined> {
  const configuration = vscode.workspace.getConfiguration();
  const own = configuration.inspect<Readonly<Record<string, unknown>>>(settingIds.profiles);
  const before = own?.globalValue ?? {};
  const written = await vscode.window.showInputBox({
    title: vscode.l10n.t('Profile'),
    prompt: vscode.l10n.t(
      'Name of the profile in your settings. It holds the tools of servers that are on.',
    ),
    ignoreFocusOut: true,
    validateInput: (value) => {
      if (value.trim().length > maxProfileName) {
        return vscode.l10n.t(
          '{0} has more than {1} characters.',
          vscode.l10n.t('Name'),
          maxProfileName,
        );
      }
      return Object.hasOwn(before, value.trim())
        ? {
            message: vscode.l10n.t('It takes the place of your profile of that name.'),
            severity: vscode.InputBoxValidationSeverity.Warning,
          }
        : undefined;
    },
  });
  const name = written?.trim();
  if (!name) {
    return undefined;
  }
  const next = Object.fromEntries([...Object.entries(before), [name, patterns]]);
  await configuration.update(settingIds.profiles, next, vscode.ConfigurationTarget.Global);
  return name;
}
