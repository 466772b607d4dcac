/** What a form keeps beyond what the extension says. */
import * as l10n from '@vscode/l10n';
import { isJsonObject } from '../../base/json.js';
import { nameToken } from '../../base/text/nameToken.js';
import type {
  ConfigPoolView,
  FieldProblem,
  FormCheck,
  FormGroup,
  FormModels,
  FormTarget,
} from '../../protocol/configProtocol.js';
import {
  type FormDraft,
  isFormDraft,
  isSameDraft,
  lostDraftFields,
  withoutDraftSecrets,
} from './formDraft.js';

export interface OpenForm {
  readonly draft: FormDraft;
  /** What the form was opened with; equal to `draft` while nothing was changed. */
  readonly original: FormDraft;
  readonly problems: readonly FieldProblem[];
  readonly isSaving: boolean;
  /** Ids of the groups that are unfolded. */
  readonly openGroups: readonly string[];
  /** The user is asked whether to give up the changes. */
  readonly asksToDiscard: boolean;
  /** Ids of the fields that were changed, those that were changed back included. */
  readonly touched: readonly string[];
  /** What the extension says of the draft, or of the one before while it looks. */
  readonly check?: FormCheck | undefined;
}

/** What came of the user's last step. */
export interface Outcome {
  readonly isError: boolean;
  readonly text: string;
}

export interface FormPageState {
  /** These three are `undefined` until the extension has answered. */
  readonly target?: FormTarget;
  readonly pools?: readonly ConfigPoolView[];
  readonly forms?: FormModels;
  readonly form?: OpenForm | undefined;
  readonly outcome?: Outcome | undefined;
  /** To which field somebody was led: another object each time. */
  readonly lookedAt?: { readonly field: string };
}

export function openForm(draft: FormDraft, original = draft): OpenForm {
  return {
    draft,
    original,
    problems: [],
    isSaving: false,
    openGroups: [],
    asksToDiscard: false,
    touched: [],
  };
}

/** Values that were typed for secrets are left out: what is saved is not encrypted. */
export function toSavedForm(
  state: FormPageState,
): Pick<OpenForm, 'draft' | 'original'> | undefined {
  const { form } = state;
  const withoutSecrets = (draft: FormDraft) => withoutDraftSecrets(draft, groupsOf(state, draft));
  return form && isDirty(form)
    ? { draft: withoutSecrets(form.draft), original: withoutSecrets(form.original) }
    : undefined;
}

export function fromSavedForm(saved: unknown): FormPageState {
  const form = restoreForm(saved);
  return { form: form && { ...form, problems: lostValues(form.draft) } };
}

export function isDirty({ draft, original }: OpenForm): boolean {
  return !isSameDraft(draft, original);
}

/** What is wrong with the name, which nobody has to hear before something was entered. */
export function nameProblem({ check, touched }: OpenForm): FieldProblem | undefined {
  return touched.includes('name') ? check?.name : undefined;
}

/** A form that was kept whole. */
export function restoreForm(kept: unknown): OpenForm | undefined {
  if (!isJsonObject(kept) || !isFormDraft(kept.draft) || !isFormDraft(kept.original)) {
    return undefined;
  }
  const { draft, original } = kept;
  return { ...openForm(draft, original), touched: draft.name === original.name ? [] : ['name'] };
}

export function formTitle(
  { draft, original }: OpenForm,
  pools: readonly ConfigPoolView[] | undefined,
): string {
  if (draft.isSettings) {
    const pool = pools?.find(({ id }) => id === draft.poolId);
    return l10n.t('{0}: {1}', l10n.t('Settings'), pool?.label ?? '');
  }
  return draft.serverId === undefined
    ? l10n.t('Add Server')
    : l10n.t('{0}: {1}', l10n.t('Settings'), nameToken(original.name));
}

/** What the form of the draft consists of; nothing before the extension has said it. */
export function groupsOf(
  { forms, pools }: FormPageState,
  { isSettings, poolId }: FormDraft,
): readonly FormGroup[] {
  if (!isSettings) {
    return forms?.server ?? [];
  }
  const pool = pools?.find(({ id }) => id === poolId);
  return (pool?.isGlobal ? forms?.settings : forms?.folderSettings) ?? [];
}

function lostValues(draft: FormDraft): readonly FieldProblem[] {
  return lostDraftFields(draft).map((field) => ({
    code: 'values-lost',
    field,
    message: l10n.t('Values are not kept when the window reloads.'),
    remedy: l10n.t('Enter the empty ones again.'),
  }));
}
