/** What the page keeps beyond the extension's state: the open form and which rows are unfolded. */

import * as l10n from '@vscode/l10n';
import { isJsonObject } from '../../base/json.js';
import { nameToken } from '../../base/text/nameToken.js';
import type {
  ConfigViewState,
  FieldProblem,
  FormCheck,
  FormGroup,
  FormModels,
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
  /** What is wanted once the changes are given up. Default: the list of servers. */
  readonly next?: EditTarget | undefined;
  /** Ids of the fields that were changed, those that were changed back included. */
  readonly touched: readonly string[];
  /** What the extension says of the draft, or of the one before while it looks. */
  readonly check?: FormCheck | undefined;
}

interface EditTarget {
  readonly poolId: string;
  /** Default: a new server. */
  readonly id?: string | undefined;
}

/** What came of the user's last step, said where it was taken. */
export interface Outcome {
  /** Id of a server or pool, `form`, or `page`. */
  readonly at: string;
  readonly isError: boolean;
  readonly text: string;
}

export interface ConfigPageState {
  /** `undefined` until the extension has answered. */
  readonly view?: ConfigViewState;
  readonly forms?: FormModels;
  readonly form?: OpenForm;
  readonly outcome?: Outcome | undefined;
  readonly expanded: ReadonlySet</* server id */ string>;
  /** Servers with a request under way. */
  readonly busy: ReadonlySet</* server id */ string>;
}

export interface SavedConfigPage {
  readonly form?: Pick<OpenForm, 'draft' | 'original'>;
  readonly expanded: readonly string[];
}

const emptyPage: ConfigPageState = { expanded: new Set(), busy: new Set() };

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
export function toSavedConfigPage(state: ConfigPageState): SavedConfigPage {
  const { form, expanded } = state;
  const draft = form && withoutDraftSecrets(form.draft, groupsOf(state, form.draft));
  return {
    form: form && draft && { draft, original: form.original },
    expanded: [...expanded],
  };
}

export function fromSavedConfigPage(saved: unknown): ConfigPageState {
  if (!isJsonObject(saved)) {
    return emptyPage;
  }
  const form = restoreForm(saved.form);
  const expanded = Array.isArray(saved.expanded) ? saved.expanded : [];
  return {
    ...emptyPage,
    expanded: new Set(expanded.filter((id): id is string => typeof id === 'string')),
    ...(form ? { form: { ...form, problems: lostValues(form.draft) } } : {}),
  };
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
  view: ConfigViewState | undefined,
): string {
  if (draft.isSettings) {
    const pool = view?.pools.find(({ id }) => id === draft.poolId);
    return l10n.t('Settings: {0}', pool?.label ?? '');
  }
  return draft.serverId === undefined
    ? l10n.t('Add Server')
    : l10n.t('Edit Server: {0}', nameToken(original.name));
}

/** What the form of the draft consists of; nothing before the extension has said it. */
export function groupsOf(
  { forms, view }: ConfigPageState,
  { isSettings, poolId }: FormDraft,
): readonly FormGroup[] {
  if (!isSettings) {
    return forms?.server ?? [];
  }
  const pool = view?.pools.find(({ id }) => id === poolId);
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
