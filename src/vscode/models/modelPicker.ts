/** Lists of models and of how much they think, to choose from. */
import * as vscode from 'vscode';
import {
  type ChoiceGroup,
  findChoices,
  groupChoices,
  type ModelChoice,
} from '../../agent/models/choices.js';
import { isSameModel, type ModelRef, modelName } from '../../agent/models/models.js';
import { levelText, levelWord } from '../../agent/models/thinking.js';
import type { AgentPanel } from '../../agent/panel/agentPanel.js';
import { HumanError } from '../../base/errors.js';
import { labelText } from '../../base/text/labelText.js';
import { nameToken } from '../../base/text/nameToken.js';
import { commandIds } from '../../contributions.js';
import { type LiveItem, liveAction, pickLive } from '../prompts/picks/livePicker.js';
import { type Heading, listHeading, pickMany, pickOne } from '../prompts/picks/picks.js';

export type ModelPickerPanel = Pick<
  AgentPanel,
  'chooseThinking' | 'ensureSession' | 'modelMemory' | 'models' | 'selectModel' | 'shown'
>;

/** What an item stands for. */
type Choice =
  | { readonly kind: 'model'; readonly model: ModelChoice }
  | { readonly kind: 'command'; readonly command: string }
  | { readonly kind: 'pin' };

type ChoiceItem = LiveItem<Choice> | Heading;

/** @param wanted a part of names; default: all models */
export async function chooseModel(panel: ModelPickerPanel, wanted = ''): Promise<void> {
  const { state } = await panel.ensureSession();
  const choice = await pickLive<Choice>({
    title: vscode.l10n.t('Choose the Model'),
    placeholder: vscode.l10n.t('Type a name, a provider, or what it can, such as "images"'),
    read: async () => [...modelItems(panel, state.model, wanted), ...otherItems(panel)],
    isSame: (a, b) => keyOf(a) === keyOf(b),
  });
  switch (choice.kind) {
    case 'command':
      await vscode.commands.executeCommand(choice.command);
      break;
    case 'pin':
      await pinModels(panel);
      await chooseModel(panel, wanted);
      break;
    case 'model':
      await panel.selectModel(choice.model.provider, choice.model.id);
      break;
  }
}

function keyOf(choice: Choice): string {
  return choice.kind === 'model' ? modelName(choice.model) : JSON.stringify(choice);
}

/** What the buttons of the rows do, for the keyboard: a list in which the pinned ones are ticked. */
async function pinModels({ models, modelMemory }: ModelPickerPanel): Promise<void> {
  const isPinned = (model: ModelRef) => modelMemory.pinned.some((one) => isSameModel(one, model));
  const ticked = await pickMany(
    models.map((model) => ({
      label: labelText(model.label),
      description: labelText(model.source),
      picked: isPinned(model),
      value: model,
    })),
    vscode.l10n.t('Pin Models…'),
  );
  for (const model of models) {
    if (ticked.includes(model) !== isPinned(model)) {
      await modelMemory.pin(model, ticked.includes(model));
    }
  }
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
      { remedy: vscode.l10n.t('Choose another model.') },
    );
  }
  const level = await pickOne(
    levels.map((value) => ({
      label: levelWord(value),
      description: value === controls.thinkingLevel ? vscode.l10n.t('current') : '',
      value,
    })),
    {
      title: vscode.l10n.t(
        '{0}: {1}',
        vscode.l10n.t('Thinking'),
        nameToken(state.model?.label ?? ''),
      ),
      placeHolder: vscode.l10n.t('More takes longer and costs more; kept for this model'),
    },
  );
  await panel.chooseThinking(level);
}

function modelItems(
  panel: ModelPickerPanel,
  current: ModelRef | undefined,
  wanted: string,
): readonly ChoiceItem[] {
  const { models, modelMemory } = panel;
  if (wanted !== '') {
    return findChoices(models, wanted).map((one) => modelItem(panel, one, current));
  }
  return groupChoices(models, modelMemory, current).flatMap(({ kind, choices }) => [
    listHeading(groupTitle(kind, choices)),
    ...choices.map((one) => {
      const item = modelItem(panel, one, current);
      return kind === 'source'
        ? item
        : { ...item, description: labelText([one.source, describe(one)].join(' · ')) };
    }),
  ]);
}

function groupTitle(kind: ChoiceGroup['kind'], [first]: readonly ModelChoice[]): string {
  switch (kind) {
    case 'pinned':
      return vscode.l10n.t('Pinned');
    case 'recent':
      return vscode.l10n.t('Recently used');
    case 'source':
      return first?.source ?? '';
  }
}

function otherItems({ shown, models }: ModelPickerPanel): readonly ChoiceItem[] {
  const { thinkingLevel, wantedLevel, thinkingLevels } = shown?.controls ?? {};
  const command = (label: string, icon: string, id: string): ChoiceItem => ({
    label,
    iconPath: new vscode.ThemeIcon(icon),
    value: { kind: 'command', command: id },
  });
  return [
    listHeading(vscode.l10n.t('More')),
    ...(thinkingLevel !== undefined && (thinkingLevels?.length ?? 0) > 1
      ? [
          command(
            vscode.l10n.t(
              '{0}: {1}',
              vscode.l10n.t('Thinking'),
              levelText(thinkingLevel, wantedLevel),
            ),
            'lightbulb',
            commandIds.chooseThinking,
          ),
        ]
      : []),
    ...(models.length > 1
      ? [
          {
            label: vscode.l10n.t('Pin Models…'),
            iconPath: new vscode.ThemeIcon('pin'),
            value: { kind: 'pin' } as const,
          },
        ]
      : []),
    command(vscode.l10n.t('Log In…'), 'account', commandIds.logIn),
    command(vscode.l10n.t('Find Local Models…'), 'vm', commandIds.findLocalModels),
    command(vscode.l10n.t('Add Model Server…'), 'add', commandIds.addModelServer),
  ];
}

function modelItem(
  { modelMemory }: ModelPickerPanel,
  model: ModelChoice,
  current: ModelRef | undefined,
): LiveItem<Choice> {
  const isCurrent = current !== undefined && isSameModel(model, current);
  const isPinned = modelMemory.pinned.some((one) => isSameModel(one, model));
  return {
    label: labelText(model.label),
    description: [...(isCurrent ? [vscode.l10n.t('current')] : []), describe(model)].join(' · '),
    iconPath: isCurrent ? new vscode.ThemeIcon('check') : undefined,
    buttons: [
      liveAction(
        isPinned ? 'pinned' : 'pin',
        isPinned ? vscode.l10n.t('Unpin') : vscode.l10n.t('Pin'),
        () => modelMemory.pin(model, !isPinned),
      ),
    ],
    value: { kind: 'model', model },
  };
}

/** Such as `200K tokens · images, thinking · $3 in, $15 out per million tokens`. */
function describe({ context, abilities, price }: ModelChoice): string {
  return [vscode.l10n.t('{0} tokens', context), abilities.join(', '), price]
    .filter((text) => text !== '')
    .join(' · ');
}
