/** Owns the page's state: what the extension sent, the open form, and the requests under way. */

import { errorMessage } from '../../base/errors.js';
import type {
  ConfigEvents,
  ConfigFormEntry,
  ConfigRequests,
  ConfigViewState,
  FieldProblem,
  SaveServerResult,
} from '../../protocol/configProtocol.js';
import type { MessageChannel } from '../../protocol/messages.js';
import { readSavedState, saveState } from '../shared/vscodeApi.js';
import {
  type FieldDraft,
  type FormDraft,
  fieldOf,
  fromEntry,
  isSameDraft,
  newDraft,
  toEntry,
  validateDraft,
} from './formDraft.js';
import {
  fromSavedPage,
  groupsOf,
  type OpenForm,
  openForm,
  type PageState,
  restoreForm,
  toSavedPage,
} from './pageState.js';

type ConfigChannel = MessageChannel<ConfigRequests, ConfigEvents>;

/** The part of the channel that sends. */
export type Send = ConfigChannel['request'];

export class ConfigPage {
  private current: PageState = fromSavedPage(readSavedState());

  constructor(
    private readonly send: Send,
    /** Called after every change, when the next frame already moves the focus as asked. */
    private readonly onDidChange: (state: PageState) => void,
  ) {}

  get state(): PageState {
    return this.current;
  }

  async start(): Promise<void> {
    await this.attempt(async () => {
      const { state, forms, form } = await this.send('ready', undefined);
      const kept = restoreForm(form);
      this.change({ view: state, forms, ...(kept ? { form: kept } : {}) });
    });
  }

  receive(view: ConfigViewState): void {
    this.change({ view });
  }

  toggleExpanded(id: string): void {
    const expanded = new Set(this.current.expanded);
    if (!expanded.delete(id)) {
      expanded.add(id);
    }
    this.change({ expanded });
  }

  /** Runs a request for one server; its row is busy meanwhile. */
  async forServer(id: string, work: (send: Send) => Promise<unknown>): Promise<void> {
    this.change({ busy: new Set([...this.current.busy, id]), failure: undefined });
    await this.attempt(() => work(this.send));
    const busy = new Set(this.current.busy);
    busy.delete(id);
    this.change({ busy });
  }

  /** Runs a request; a failure becomes a sentence on the page. */
  async run(work: (send: Send) => Promise<unknown>): Promise<void> {
    this.change({ failure: undefined });
    await this.attempt(() => work(this.send));
  }

  dismissFailure(): void {
    this.change({ failure: undefined });
  }

  // #region form

  async edit(poolId: string, id?: string): Promise<void> {
    if (this.hasUnsavedChanges()) {
      this.changeForm({ asksToDiscard: true });
      return;
    }
    if (id === undefined) {
      this.change({ form: openForm(newDraft(poolId)), failure: undefined });
      return;
    }
    await this.attempt(async () => {
      const { name, entry } = await this.send('readServer', { id });
      if (!this.hasUnsavedChanges()) {
        this.change({ form: openForm(fromEntry({ serverId: id, poolId, name, entry })) });
      }
    });
  }

  /** Opens the form on the settings of the pool's file. */
  async editSettings(poolId: string): Promise<void> {
    await this.attempt(async () => {
      const { entry } = await this.send('readSettings', { poolId });
      if (!this.hasUnsavedChanges()) {
        const draft = fromEntry({ poolId, name: '', isSettings: true, entry });
        const open = openForm(draft);
        const groups = groupsOf(this.current, draft).map(({ id }) => id);
        this.change({ form: { ...open, openGroups: groups }, failure: undefined });
      }
    });
  }

  changeDraft(change: Partial<Omit<FormDraft, 'fields'>>): void {
    this.edited(change, Object.keys(change));
  }

  changeField(id: string, change: Partial<FieldDraft>): void {
    const { form } = this.current;
    if (form) {
      const before = fieldOf(form.draft, { id });
      const field = { ...before, isLost: false, ...change };
      const kept = form.draft.kept.filter((other) => other !== id);
      this.edited({ fields: { ...form.draft.fields, [id]: field }, kept }, [id]);
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
      const problems = form.problems.filter(({ field }) => !field || !ids.includes(field));
      this.changeForm({ draft: { ...form.draft, ...change }, problems });
    }
  }

  /** Unfolds the groups of the fields that something is wrong with. */
  private complain(form: OpenForm, problems: readonly FieldProblem[]): void {
    const concerned = groupsOf(this.current, form.draft)
      .filter(({ fields }) => fields.some(({ id }) => problems.some(({ field }) => field === id)))
      .map(({ id }) => id);
    const openGroups = [...new Set([...form.openGroups, ...concerned])];
    this.changeForm({ problems, openGroups, isSaving: false });
  }

  changeForm(change: Partial<OpenForm>): void {
    const { form } = this.current;
    if (form) {
      this.change({ form: { ...form, ...change } });
    }
  }

  cancel(): void {
    if (this.hasUnsavedChanges()) {
      this.changeForm({ asksToDiscard: true });
    } else {
      this.discard();
    }
  }

  discard(): void {
    this.change({ form: undefined, failure: undefined });
  }

  /** Saves what the form holds; with `isTested`, connects the saved server afterwards. */
  async save(isTested: boolean): Promise<void> {
    const { form } = this.current;
    if (!form || form.isSaving) {
      return;
    }
    const groups = groupsOf(this.current, form.draft);
    const problems = validateDraft(form.draft, groups);
    if (problems.length > 0) {
      this.complain(form, problems);
      return;
    }
    this.changeForm({ isSaving: true, problems: [] });
    await this.attempt(async () => {
      const result = await this.sendForm(form.draft, toEntry(form.draft, groups));
      if (!result.saved) {
        this.complain(form, result.problems);
        return;
      }
      this.discard();
      if (isTested) {
        await this.forServer(result.id, (send) => send('test', { id: result.id }));
      }
    });
    this.changeForm({ isSaving: false });
  }

  private async sendForm(
    { isSettings, serverId, poolId, name }: FormDraft,
    entry: ConfigFormEntry,
  ): Promise<SaveServerResult> {
    return isSettings
      ? await this.send('saveSettings', { poolId, entry })
      : await this.send('saveServer', {
          ...(serverId === undefined ? {} : { id: serverId }),
          poolId,
          name: name.trim(),
          entry,
        });
  }

  private hasUnsavedChanges(): boolean {
    const { form } = this.current;
    return form !== undefined && !isSameDraft(form.draft, form.original);
  }

  // #endregion

  private async attempt(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.change({ failure: errorMessage(error) });
    }
  }

  private change(change: Partial<PageState>): void {
    const before = this.current;
    this.current = { ...before, ...change };
    if (before.form !== this.current.form) {
      const { form } = this.current;
      const kept = form && { draft: form.draft, original: form.original };
      void this.send('keepForm', kept ? { form: kept } : {}).catch(() => undefined);
    }
    saveState(toSavedPage(this.current));
    this.onDidChange(this.current);
  }
}
