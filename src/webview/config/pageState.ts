/** What the page keeps beyond the extension's state: the open form and which rows are unfolded. */
import * as l10n from '@vscode/l10n';
import { isJsonObject } from '../../base/json.js';
import type { ConfigViewState, FieldProblem } from '../../protocol/configProtocol.js';
import { type FormDraft, isFormDraft } from './formDraft.js';

export interface OpenForm {
  readonly draft: FormDraft;
  /** What the form was opened with; equal to `draft` while nothing was changed. */
  readonly original: FormDraft;
  readonly problems: readonly FieldProblem[];
  readonly isSaving: boolean;
  readonly showsMoreOptions: boolean;
  /** The user is asked whether to give up the changes. */
  readonly asksToDiscard: boolean;
}

export interface PageState {
  /** `undefined` until the extension has answered. */
  readonly view?: ConfigViewState;
  readonly form?: OpenForm;
  /** A request that failed, as a sentence. */
  readonly failure?: string;
  readonly expanded: ReadonlySet</* server id */ string>;
  /** Servers with a request under way. */
  readonly busy: ReadonlySet</* server id */ string>;
}

export interface SavedPage {
  readonly form?: Pick<OpenForm, 'draft' | 'original'>;
  readonly expanded: readonly string[];
}

const emptyPage: PageState = { expanded: new Set(), busy: new Set() };

export function openForm(draft: FormDraft, original = draft): OpenForm {
  return {
    draft,
    original,
    problems: [],
    isSaving: false,
    showsMoreOptions: hasMoreOptions(draft),
    asksToDiscard: false,
  };
}

/** Values that were typed for secrets are left out: what is saved is not encrypted. */
export function toSavedPage({ form, expanded }: PageState): SavedPage {
  return {
    ...(form ? { form: { draft: withoutSecrets(form.draft), original: form.original } } : {}),
    expanded: [...expanded],
  };
}

export function fromSavedPage(saved: unknown): PageState {
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

/** A form that was kept whole. */
export function restoreForm(kept: unknown): OpenForm | undefined {
  return isJsonObject(kept) && isFormDraft(kept.draft) && isFormDraft(kept.original)
    ? openForm(kept.draft, kept.original)
    : undefined;
}

function lostValues(draft: FormDraft): readonly FieldProblem[] {
  return (['env', 'headers'] as const)
    .filter((field) => draft[field].some((row) => row.storedKey === undefined && row.key !== ''))
    .map((field) => ({
      code: 'values-lost',
      field,
      message: l10n.t('Values are not kept when the window reloads.'),
      remedy: l10n.t('Enter the empty ones again.'),
    }));
}

function withoutSecrets(draft: FormDraft): FormDraft {
  return {
    ...draft,
    env: draft.env.map((row) => ({ ...row, value: '' })),
    headers: draft.headers.map((row) => ({ ...row, value: '' })),
  };
}

function hasMoreOptions(draft: FormDraft): boolean {
  return [
    draft.lifecycle,
    draft.idleTimeout,
    draft.startupTimeoutMs,
    draft.requestTimeoutMs,
    draft.kind === 'stdio' ? draft.cwd : draft.transport,
  ].some((value) => value !== '');
}
