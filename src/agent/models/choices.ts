/** The models that the user may choose from, with what people want to know of them. */
import * as l10n from '@vscode/l10n';
import { groupBy } from '../../base/lists.js';
import { addressReach } from '../../config/launch/addressReach.js';
import type { PiModel } from '../pi/piModule.js';
import { editorProvider } from './editor/provider.js';
import { isSameModel, type ModelRef, type Models, modelName, modelView } from './models.js';

export interface ModelChoice extends ModelRef {
  readonly label: string;
  /** Under which heading it stands: who offers it, and through which account or key. */
  readonly source: string;
  /** Such as `200K`; tokens. */
  readonly context: string;
  /** Words such as `images`; nothing for what every model can. */
  readonly abilities: readonly string[];
  /** What it costs, as far as that is known; may be empty. */
  readonly price: string;
}

export interface ChoiceGroup {
  readonly kind: 'pinned' | 'recent' | 'source';
  readonly choices: readonly ModelChoice[];
}

/** The user's own in their order. */
export interface OwnModels {
  readonly pinned: readonly ModelRef[];
  /** Newest first. */
  readonly recent: readonly ModelRef[];
}

const maxRecent = 5;

/** In the order in which Pi lists them. */
export function modelChoices(models: Models): readonly ModelChoice[] {
  return models.all.map((model) => {
    const { provider, id, label } = modelView(model);
    return {
      provider,
      id,
      label,
      source: sourceOf(models, model),
      context: countText(model.contextWindow),
      abilities: abilitiesOf(models, model),
      price: priceOf(models, model),
    };
  });
}

/** As a list shows them: pinned ones stand first and nowhere else, nor does the current one stand twice. */
export function groupChoices(
  choices: readonly ModelChoice[],
  { pinned, recent }: OwnModels,
  current: ModelRef | undefined,
): readonly ChoiceGroup[] {
  const find = (refs: readonly ModelRef[]) => [
    ...new Set(refs.flatMap((ref) => choices.find((one) => isSameModel(one, ref)) ?? [])),
  ];
  const first = find(pinned);
  const used = find([...(current ? [current] : []), ...recent])
    .filter((one) => !first.includes(one))
    .slice(0, maxRecent);
  const others = choices.filter(
    (one) => !first.includes(one) && !(current && isSameModel(one, current)),
  );
  const groups: readonly ChoiceGroup[] = [
    { kind: 'pinned', choices: first },
    { kind: 'recent', choices: used },
    ...[...groupBy(others, ({ source }) => source).values()].map(
      (some): ChoiceGroup => ({ kind: 'source', choices: some }),
    ),
  ];
  return groups.filter((group) => group.choices.length > 0);
}

/** The chosen one, those of the list by whose name or id it may be meant. @param wanted as typed */
export function findChoices(
  choices: readonly ModelChoice[],
  wanted: string,
): readonly ModelChoice[] {
  const typed = wanted.toLowerCase();
  const named = choices.filter((one) =>
    [one.id, one.label, modelName(one)].some((text) => text.toLowerCase() === typed),
  );
  return named.length > 0
    ? named
    : choices.filter((one) => `${modelName(one)} ${one.label}`.toLowerCase().includes(typed));
}

function sourceOf({ runtime, editor }: Models, { provider, id }: PiModel): string {
  if (provider === editorProvider) {
    return l10n.t('{0}, through VS Code', editor?.find(id)?.vendorName ?? '');
  }
  const name = runtime.getProvider(provider)?.name ?? provider;
  const { source, label } = runtime.getProviderAuthStatus(provider);
  return source === 'environment' && label !== undefined
    ? l10n.t('{0}, with the key of {1}', name, label)
    : name;
}

function abilitiesOf({ editor }: Models, model: PiModel): readonly string[] {
  const callsTools =
    model.provider !== editorProvider || editor?.find(model.id)?.callsTools !== false;
  return [
    ...(model.input.includes('image') ? [l10n.t('images')] : []),
    ...(model.reasoning ? [l10n.t('thinking')] : []),
    ...(callsTools ? [] : [l10n.t('no tools')]),
  ];
}

function priceOf(models: Models, model: PiModel): string {
  const { cost, provider, baseUrl } = model;
  if (provider === editorProvider) {
    return l10n.t('billed by its provider');
  }
  if (models.runtime.isUsingSubscription(provider)) {
    return l10n.t('part of your subscription');
  }
  // what has a price is somewhere else, behind a proxy
  const isFree = cost.input === 0 && cost.output === 0;
  if (isFree && addressReach(baseUrl) === 'loopback') {
    return l10n.t('runs on this machine');
  }
  return isFree ? '' : l10n.t('${0} in, ${1} out per million tokens', cost.input, cost.output);
}

function countText(tokens: number): string {
  if (tokens < 1_000) {
    return String(tokens);
  }
  if (tokens % 1_024 === 0 && tokens % 1_000 !== 0 && tokens < 1_000_000) {
    return `${tokens / 1_024}K`;
  }
  // at a million, providers mean a round number of either base
  return tokens < 999_500
    ? `${Math.round(tokens / 1_000)}K`
    : `${(tokens / 1_000_000).toFixed(1).replace(/\.0$/, '')}M`;
}
