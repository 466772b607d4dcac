/** Owns the state of a form: what is edited, what the extension says of it, and the requests under way. */
import * as l10n from '@vscode/l10n';
import { errorMessage } from '../../base/errors.js';
import { stableStringify } from '../../base/json.js';
import type {
  CommandOffer,
  FieldProblem,
  FormGroup,
  FormRequests,
  SaveServerParams,
} from '../../protocol/configProtocol.js';
import type { MessageChannel } from '../../protocol/messages.js';
import { NewestOnly } from '../shared/newestOnly.js';
import { readSavedPart, savePart } from '../shared/vscodeApi.js';
import { validateDraft } from './draftProblems.js';
import {
  type ConfigFieldDraft,
  type FormDraft,
  fieldOf,
  fromEntry,
  newDraft,
  toEntry,
  withOffer,
} from './formDraft.js';
import {
  type FormPageState,
  formTitle,
  fromSavedForm,
  groupsOf,
  isDirty,
  type OpenForm,
  openForm,
  restoreForm,
  toSavedForm,
} from './pageState.js';

type Send = MessageChannel<FormRequests, object>['request'];

export class FormPage {
  private current: FormPageState = fromSavedForm(readSavedPart('form'));
  /** A field to lead to. */
  private wanted: string | undefined;
  private readonly checks = new NewestOnly<FormDraft>((draft) => this.check(draft));

  constructor(
    private readonly send: Send,
    /** Called after every change, when the next frame already moves the focus as asked. */
    private readonly onDidChange: (state: FormPageState) => void,
  ) {}

  get state(): FormPageState {
    return this.current;
  }

  async start(): Promise<void> {
    await this.attempt(async () => {
      const { target, pools, forms, form } = await this.send('ready', undefined);
      const kept = restoreForm(form) ?? this.current.form;
      this.change({ target, pools, forms, form: kept });
      const isOwn = kept?.draft.serverId === target.id;
      if (kept && isOwn && isDirty(kept)) {
        // after a reload of the window the extension does not know it
        this.keepForm();
        this.unfold(kept.problems.flatMap(({ field }) => field ?? []));
        this.lookAtDraft();
      } else {
        await this.read(isOwn ? undefined : kept?.original);
      }
      this.leadToWanted();
    });
  }

  /** Unfolds a field and leads to it, once there is a form. @param path of it, or of what it is part of: `oauth` */
  lookAt(path: string): void {
    this.wanted = path;
    this.leadToWanted();
  }

  private leadToWanted(): void {
    const { wanted } = this;
    const { form } = this.current;
    if (!form || wanted === undefined) {
      return;
    }
    this.wanted = undefined;
    const found = groupsOf(this.current, form.draft)
      .flatMap(({ fields }) => fields)
      .find(({ id }) => id === wanted || id.startsWith(`${wanted}.`));
    if (found) {
      this.unfold([found.id]);
      this.change({ lookedAt: { field: found.id } });
    }
  }

  /** What the file has by now, where nothing was changed here. */
  async refresh(): Promise<void> {
    const { form, target } = this.current;
    if (target && !(form && isDirty(form))) {
      await this.attempt(() => this.read());
    }
  }

  dismissOutcome(): void {
    this.change({ outcome: undefined });
  }

  changeDraft(change: Partial<Omit<FormDraft, 'fields'>>): void {
    this.edited(change, Object.keys(change));
  }

  changeField(id: string, change: Partial<ConfigFieldDraft>): void {
    const { form } = this.current;
    if (form) {
      const before = fieldOf(form.draft, { id });
      const field = { ...before, isLost: false, ...change };
      const kept = form.draft.kept.filter((other) => other !== id);
      this.edited({ fields: { ...form.draft.fields, [id]: field }, kept }, [id]);
    }
  }

  acceptOffer(offer: CommandOffer): void {
    const { form } = this.current;
    if (form) {
      const draft = withOffer(form.draft, offer);
      const filled = Object.keys(offer.entry.values);
      this.edited(draft, ['name', 'command', ...filled]);
      this.unfold(filled);
    }
  }

  openGroup(id: string, isOpen: boolean): void {
    const { form } = this.current;
    if (form) {
      const others = form.openGroups.filter((other) => other !== id);
      this.changeForm({ openGroups: isOpen ? [...others, id] : others });
    }
  }

  private edited(change: Partial<FormDraft>, ids: readonly string[]): void {
    const { form } = this.current;
    if (form) {
      // a complaint about a field goes away when the field changes; the next save checks again
      const problems = form.problems.filter(({ field }) => field && !ids.includes(field));
      const touched = [...new Set([...form.touched, ...ids])];
      this.changeForm({ draft: { ...form.draft, ...change }, problems, touched });
      this.lookAtDraft();
    }
  }

  private lookAtDraft(): void {
    const { form } = this.current;
    if (form && !form.draft.isSettings) {
      this.checks.request(form.draft);
    }
  }

  /** A check that fails leaves the form as it is: saving says what is wrong. */
  private async check(draft: FormDraft): Promise<void> {
    const groups = groupsOf(this.current, draft);
    const check = await this.send('checkServer', toParams(draft, groups)).catch(() => undefined);
    if (this.current.form?.draft.serverId === draft.serverId) {
      this.changeForm({ check });
    }
  }

  private unfold(fields: readonly string[]): void {
    const { form } = this.current;
    if (form) {
      const concerned = groupsOf(this.current, form.draft)
        .filter((group) => group.fields.some(({ id }) => fields.includes(id)))
        .map(({ id }) => id);
      this.changeForm({ openGroups: [...new Set([...form.openGroups, ...concerned])] });
    }
  }

  private complain(problems: readonly FieldProblem[]): void {
    this.unfold(problems.flatMap(({ field }) => field ?? []));
    this.changeForm({ problems, isSaving: false });
  }

  changeForm(change: Partial<OpenForm>): void {
    const { form } = this.current;
    if (form) {
      this.change({ form: { ...form, ...change } });
    }
  }

  cancel(): void {
    const { form, target } = this.current;
    if (form && isDirty(form)) {
      this.changeForm({ asksToDiscard: true });
    } else if (target?.id === undefined) {
      void this.send('close', undefined);
    }
  }

  async discard(): Promise<void> {
    this.change({ form: undefined });
    if (this.current.target?.id === undefined) {
      await this.send('close', undefined);
    } else {
      await this.attempt(() => this.read());
    }
  }

  /** Saves what the form holds; with `isStarted`, connects the saved server afterwards. */
  async save(isStarted: boolean): Promise<void> {
    const { form } = this.current;
    if (!form || form.isSaving) {
      return;
    }
    const { draft } = form;
    const groups = groupsOf(this.current, draft);
    const original = toEntry(form.original, groups);
    this.changeForm({ isSaving: true, problems: [] });
    await this.attempt(async () => {
      const problems = [...(await this.nameProblems(draft)), ...validateDraft(draft, groups)];
      if (problems.length > 0) {
        this.complain(problems);
        return;
      }
      const result = draft.isSettings
        ? await this.send('saveSettings', { entry: toEntry(draft, groups), original })
        : await this.send('saveServer', { ...toParams(draft, groups), original });
      if (!result.saved) {
        this.complain(result.problems);
        return;
      }
      const { form: now } = this.current;
      const typed = now?.isSaving && now.draft !== draft ? { ...now, original: draft } : undefined;
      this.change({ form: typed, outcome: { isError: false, text: l10n.t('Saved.') } });
      this.keepForm();
      await this.send('saved', { id: result.id, isStarted });
      if (draft.isSettings || result.id === this.current.target?.id) {
        await this.read(typed && draft);
      }
    });
    this.changeForm({ isSaving: false });
  }

  /** @param before what the form held when it began, or was saved on another page: what was typed since stays. */
  private async read(before = this.current.form?.draft): Promise<void> {
    const { target } = this.current;
    if (!target) {
      return;
    }
    const { poolId, id: serverId, isSettings } = target;
    if (serverId === undefined && !isSettings) {
      this.change({ form: openForm(newDraft(poolId)) });
      return;
    }
    const { name, entry } = await this.send('read', undefined);
    const draft = fromEntry({ serverId, poolId, name, isSettings, entry });
    const openGroups = isSettings
      ? groupsOf(this.current, draft).map(({ id }) => id)
      : (this.current.form?.openGroups ?? []);
    const { form } = this.current;
    const edited = form && before ? withTyped(draft, before, form.draft) : draft;
    this.change({ form: { ...openForm(edited, draft), openGroups } });
  }

  private async nameProblems(draft: FormDraft): Promise<readonly FieldProblem[]> {
    if (draft.isSettings) {
      return [];
    }
    const params = toParams(draft, groupsOf(this.current, draft));
    const check = await this.send('checkServer', params);
    this.changeForm({ check });
    return check.name ? [check.name] : [];
  }

  private async attempt(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.change({ outcome: { isError: true, text: errorMessage(error) } });
    }
  }

  private change(change: Partial<FormPageState>): void {
    const before = this.current;
    this.current = { ...before, ...change };
    if (before.form?.draft !== this.current.form?.draft) {
      this.keepForm();
    }
    savePart('form', toSavedForm(this.current));
    this.onDidChange(this.current);
  }

  private keepForm(): void {
    const { form } = this.current;
    const kept = form && {
      form: { draft: form.draft, original: form.original },
      unsaved: isDirty(form) ? formTitle(form, this.current.pools) : undefined,
    };
    void this.send('keepForm', kept ?? {}).catch(() => undefined);
  }
}

/** What the file has, with what came into the form since. */
function withTyped(read: FormDraft, before: FormDraft, now: FormDraft): FormDraft {
  const typed = changesSince(before.fields, now.fields) as FormDraft['fields'];
  const fields = { ...read.fields, ...typed };
  const kept = read.kept.filter((id) => !Object.hasOwn(typed, id));
  return { ...read, ...changesSince(before, now), fields, kept };
}

function changesSince<T extends object>(before: T, now: T): Partial<T> {
  const known = new Set(Object.entries(before).map((pair) => stableStringify(pair)));
  const changes = Object.entries(now).filter((pair) => !known.has(stableStringify(pair)));
  return Object.fromEntries(changes) as Partial<T>;
}

function toParams(draft: FormDraft, groups: readonly FormGroup[]): SaveServerParams {
  const { serverId, poolId, file = 'primary', name, inFile = [] } = draft;
  return {
    id: serverId,
    poolId,
    file,
    name: name.trim(),
    entry: toEntry(draft, groups),
    inFile,
  };
}
