/** Lists of models and of how much they think, to choose from. */

import * as vscode from 'vscode';
import { findChoices, type ModelChoice } from '../../agent/models/choices.js';
import { isSameModel, type ModelRef } from '../../agent/models/models.js';
import { levelText, levelWord } from '../../agent/models/thinking.js';
import type { AgentPanelModel } from '../../agent/panel/agentApi.js';
import { HumanError } from '../../base/errors.js';
import { groupBy } from '../../base/lists.js';
import { labelText } from '../../base/text/labelText.js';
import { nameToken } from '../../base/text/nameToken.js';
import { commandIds } from '../../contributions.js';
import { type Heading, type PickItem, pickOne } from '../prompts/picks/picks.js';

export type ModelPickerPanel = Pick<
  AgentPanelModel,
  'chooseThinking' | 'ensureSession' | 'models' | 'recentModels' | 'selectModel' | 'shown'
>;

/** What an item stands for. */
type Choice =
  | { readonly kind: 'model'; readonly model: ModelChoice }
  | { readonly kind: 'command'; readonly command: string };

const maxRecent = 5;

/** @param wanted a part of names; default: all models */
export async function chooseModel(panel: ModelPickerPanel, wanted = ''): Promise<void> {
  const { state } = await panel.ensureSession();
  const models = wanted === '' ? panel.models : findChoices(panel.models, wanted);
  const items =
    wanted === ''
      ? [...recentItems(panel, models, state.model), ...providerItems(models, state.model)]
      : models.map((one) => modelItem(one, state.model));
  const choice = await pickOne<Choice>([...items, ...otherItems(panel)], {
    title: vscode.l10n.t('Choose the Model'),
    placeHolder: vscode.l10n.t('Type a name, a provider, or what it can, such as "images"'),
  });
  if (choice.kind === 'command') {
    await vscode.commands.executeCommand(choice.command);
    return;
  }
  await panel.selectModel(choice.model.provider, choice.model.id);
}

/** @throws {HumanError} when the model does not think. */
export async function chooseThinking(panel: ModelPickerPanel): Promise<void> {
  const { state } = await panel.ensureSession();
  const controls = panel.shown?.controls;
  const levels = controls?.thinkingLevels ?? [];
  if (!controls || levels.length < 2) {
    throw new HumanError(
      'no_thinking',
      vscode.l10n.t('This model does not think before it answers.'),
      { remedy: vscode.l10n.t('Choose a model that does; the list says so.') },
    );
  }
  const level = await pickOne(
    levels.map((value) => ({
      label: levelWord(value),
      description: value === controls.thinkingLevel ? vscode.l10n.t('used now') : '',
      value,
    })),
    {
      title: vscode.l10n.t('Thinking Level for {0}', nameToken(state.model?.label ?? '')),
      placeHolder: vscode.l10n.t('More takes longer and costs more; kept for this model'),
    },
  );
  await panel.chooseThinking(level);
}

/** The one that is used first. */
function recentItems(
  { recentModels }: ModelPickerPanel,
  models: readonly ModelChoice[],
  current: ModelRef | undefined,
): readonly PickItem<Choice>[] {
  const refs = [...(current ? [current] : []), ...recentModels];
  const found = new Set(refs.flatMap((ref) => models.find((one) => isSameModel(one, ref)) ?? []));
  const items = [...found].slice(0, maxRecent).map((one) => ({
    ...modelItem(one, current),
    description: labelText([one.source, describe(one)].join(' · ')),
  }));
  return items.length === 0 ? [] : [heading(vscode.l10n.t('Recently used')), ...items];
}

function providerItems(
  models: readonly ModelChoice[],
  current: ModelRef | undefined,
): readonly PickItem<Choice>[] {
  // the current one stands above all others
  const others = models.filter((one) => current === undefined || !isSameModel(one, current));
  return [...groupBy(others, ({ source }) => source)].flatMap(([source, some]) => [
    heading(source),
    ...some.map((one) => modelItem(one, current)),
  ]);
}

function otherItems({ shown }: ModelPickerPanel): readonly PickItem<Choice>[] {
  const { thinkingLevel, wantedLevel, thinkingLevels } = shown?.controls ?? {};
  const command = (label: string, icon: string, id: string): PickItem<Choice> => ({
    label,
    iconPath: new vscode.ThemeIcon(icon),
    value: { kind: 'command', command: id },
  });
  return [
    heading(vscode.l10n.t('More')),
    ...(thinkingLevel !== undefined && (thinkingLevels?.length ?? 0) > 1
      ? [
          command(
            vscode.l10n.t('Thinking: {0}…', levelText(thinkingLevel, wantedLevel)),
            'lightbulb',
            commandIds.chooseThinking,
          ),
        ]
      : []),
    command(vscode.l10n.t('Log In to Another Provider…'), 'account', commandIds.logIn),
    command(vscode.l10n.t('Find Local Models…'), 'vm', commandIds.findLocalModels),
    command(vscode.l10n.t('Add Model Server…'), 'add', commandIds.addModelServer),
  ];
}

function modelItem(model: ModelChoice, current: ModelRef | undefined): PickItem<Choice> {
  const isCurrent = current !== undefined && isSameModel(model, current);
  return {
    label: labelText(model.label),
    description: [...(isCurrent ? [vscode.l10n.t('used now')] : []), describe(model)].join(' · '),
    iconPath: isCurrent ? new vscode.ThemeIcon('check') : undefined,
    value: { kind: 'model', model },
  };
}

/** Such as `200K tokens · images, thinking · $3 in, $15 out per million tokens`. */
function describe({ context, abilities, price }: ModelChoice): string {
  return [vscode.l10n.t('{0} tokens', context), abilities.join(', '), price]
    .filter((text) => text !== '')
    .join(' · ');
}

function heading(label: string): Heading {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}
