import * as vscode from 'vscode';
import type { ToolFeatures } from '../../agent/policy/toolFeatures.js';
import { HumanError } from '../../base/errors.js';
import type { ObservableValue } from '../../base/valueEmitter.js';
import { commandIds } from '../../contributions.js';
import type { McpService } from '../../mcp/mcpApi.js';
import type { HostEnvironment } from '../../platform/ports.js';
import {
  nothingStaged,
  type StagedSwitches,
  stillStaged,
} from '../../presentation/switching/stagedSwitches.js';
import { previewSwitches } from '../../presentation/switching/switchPreview.js';
import { previewText } from '../../presentation/switching/switchPreviewText.js';
import {
  applySwitches,
  type SwitchFeatures,
  switchTargets,
} from '../../presentation/switching/switchTargets.js';
import type { CommandHandlers } from '../commandHandlers.js';
import { showInformation } from '../notifications.js';
import { selectProfile } from '../prompts/picks/profilePicker.js';
import { pickSwitches, reviewSwitches } from '../prompts/picks/switchPicker.js';
import type { ReportError } from '../reportError.js';

export interface SwitchCommandParts {
  readonly service: McpService;
  readonly features: SwitchFeatures & Pick<ToolFeatures, 'profiles'>;
  readonly budget: ObservableValue<number>;
  readonly environment: HostEnvironment;
  readonly reportError: ReportError;
}

export function switchCommands(parts: SwitchCommandParts): CommandHandlers {
  return {
    [commandIds.switchServers]: () => switchMany(parts),
    [commandIds.selectProfile]: (argument) => selectProfile(argument, parts),
  };
}

/** Boxes first, then what they would change, then all of it at once or nothing. */
async function switchMany(parts: SwitchCommandParts): Promise<void> {
  const { service, features } = parts;
  if (service.servers.length === 0) {
    throw new HumanError('nothing_to_pick', vscode.l10n.t('No MCP server is configured.'));
  }
  let staged: StagedSwitches = nothingStaged;
  for (;;) {
    staged = await pickSwitches(service, switchTargets(service, features), staged);
    // servers may have come and gone meanwhile
    const targets = switchTargets(service, features);
    staged = stillStaged(staged, targets);
    if (staged.size === 0) {
      void showInformation(vscode.l10n.t('Nothing was changed.'));
      return;
    }
    const preview = await previewSwitches(staged, targets, {
      service,
      switches: features.switches,
      budget: parts.budget,
      directTools: parts.environment.getVariable('MCP_DIRECT_TOOLS'),
    });
    const text = previewText(preview);
    if ((await reviewSwitches(text, staged.size)) === 'apply') {
      await apply(staged, text.summary, parts);
      return;
    }
  }
}

async function apply(
  staged: StagedSwitches,
  summary: string,
  { service, features, reportError }: SwitchCommandParts,
): Promise<void> {
  const targets = switchTargets(service, features);
  const takeBack = await applySwitches(stillStaged(staged, targets), targets, {
    service,
    switches: features.switches,
    setAside: features.setAside,
  });
  const undo = vscode.l10n.t('Undo');
  void showInformation(vscode.l10n.t('MCP servers were switched: {0}.', summary), undo)
    .then(async (choice) => {
      if (choice === undo) {
        await takeBack();
      }
    })
    .then(undefined, reportError);
}
