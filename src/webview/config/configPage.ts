/** Owns the page's state: what the extension sent, the open form, and the requests under way. */

import * as l10n from '@vscode/l10n';
import { errorMessage } from '../../base/errors.js';
import { nameToken } from '../../base/text/nameToken.js';
import type {
  CommandOffer,
  ConfigEvents,
  ConfigRequests,
  ConfigViewState,
  FieldProblem,
  FormGroup,
  SaveServerParams,
} from '../../protocol/configProtocol.js';
import type { MessageChannel } from '../../protocol/messages.js';
import { NewestOnly } from '../shared/newestOnly.js';
import { readSavedState, saveState } from '../shared/vscodeApi.js';
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
  type ConfigPageState,
  formTitle,
  fromSavedConfigPage,
  groupsOf,
  isDirty,
  type OpenForm,
  type Outcome,
  openForm,
  restoreForm,
  toSavedConfigPage,
} from './pageState.js';

type ConfigChannel = MessageChannel<ConfigRequests, ConfigEvents>;

/** The part of the channel that sends. */
export type SendConfig = ConfigChannel['request'];

export class ConfigPage {
  private current: ConfigPageState = fromSavedConfigPage(readSavedState());
  private readonly checks = new NewestOnly<FormDraft>((draft) => this.check(draft));

  constructor(
    private readonly send: SendConfig,
    /** Called after every change, when the next frame already moves the focus as asked. */
    private readonly onDidChange: (state: ConfigPageState) => void,
  ) {}

  get state(): ConfigPageState {
    return this.current;
  }

  async start(): Promise<void> {
    await this.attempt('page', async () => {
      const { state, forms, form } = await this.send('ready', undefined);
      const kept = restoreForm(form);
      this.change({ view: state, forms, ...(kept ? { form: kept } : {}) });
      if (this.current.form) {
        // after a reload of the window the extension does not know it
        this.keepForm();
        this.unfold(this.current.form.problems.flatMap(({ field }) => field ?? []));
        this.lookAtDraft();
      }
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

  /** Runs a request for one server; its row is busy meanwhile, and says what came of it. */
  async forServer(id: string, work: (send: SendConfig) => Promise<unknown>): Promise<void> {
    this.change({ busy: new Set([...this.current.busy, id]) });
    await this.run(id, work);
    const busy = new Set(this.current.busy);
    busy.delete(id);
    this.change({ busy });
  }

  /** Runs a request; why it failed is said at the place. */
  async run(at: Outcome['at'], work: (send: SendConfig) => Promise<unknown>): Promise<void> {
    this.change({ outcome: undefined });
    await this.attempt(at, () => work(this.send));
  }

  dismissOutcome(): void {
    this.change({ outcome: undefined });
  }

  /** Connects a server; where that fails, its row says why. */
  async test(id: string): Promise<void> {
    await this.forServer(id, async (send) => {
      const { state, text } = await send('test', { id });
      if (state === 'connected') {
        this.change({ outcome: { at: id, isError: false, text } });
      }
    });
  }

  async remove(poolId: string, id: string, name: string): Promise<void> {
    await this.forServer(id, async (send) => {
      const { removed } = await send('removeServer', { id });
      if (removed) {
        const text = l10n.t('Server removed: {0}', nameToken(name));
        this.change({ outcome: { at: poolId, isError: false, text } });
      }
    });
  }

  // #region form

  async edit(poolId: string, id?: string): Promise<void> {
    if (this.hasUnsavedChanges()) {
      this.changeForm({ asksToDiscard: true, next: { poolId, id } });
      return;
    }
    if (id === undefined) {
      this.change({ form: openForm(newDraft(poolId)), outcome: undefined });
      return;
    }
    await this.attempt(id, async () => {
      const { name, entry } = await this.send('readServer', { id });
      if (!this.hasUnsavedChanges()) {
        const draft = fromEntry({ serverId: id, poolId, name, entry });
        this.change({ form: openForm(draft), outcome: undefined });
      }
    });
  }

  /** Opens the form on the settings of the pool's file. */
  async editSettings(poolId: string): Promise<void> {
    await this.attempt(poolId, async () => {
      const { entry } = await this.send('readSettings', { poolId });
      if (!this.hasUnsavedChanges()) {
        const draft = fromEntry({ poolId, name: '', isSettings: true, entry });
        const open = openForm(draft);
        const groups = groupsOf(this.current, draft).map(({ id }) => id);
        this.change({ form: { ...open, openGroups: groups }, outcome: undefined });
      }
    });
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
    if (this.hasUnsavedChanges()) {
      this.changeForm({ asksToDiscard: true, next: undefined });
    } else {
      this.close();
    }
  }

  async discard(): Promise<void> {
    const next = this.current.form?.next;
    this.close();
    if (next) {
      await this.edit(next.poolId, next.id);
    }
  }

  private close(outcome?: Outcome): void {
    this.change({ form: undefined, outcome });
  }

  /** Saves what the form holds; with `isTested`, connects the saved server afterwards. */
  async save(isTested: boolean): Promise<void> {
    const { form } = this.current;
    if (!form || form.isSaving) {
      return;
    }
    const { draft } = form;
    const groups = groupsOf(this.current, draft);
    this.changeForm({ isSaving: true, problems: [] });
    await this.attempt('form', async () => {
      const problems = [...(await this.nameProblems(draft)), ...validateDraft(draft, groups)];
      if (problems.length > 0) {
        this.complain(problems);
        return;
      }
      const result = draft.isSettings
        ? await this.send('saveSettings', { poolId: draft.poolId, entry: toEntry(draft, groups) })
        : await this.send('saveServer', toParams(draft, groups));
      if (!result.saved) {
        this.complain(result.problems);
        return;
      }
      const text = draft.isSettings ? l10n.t('The settings are saved.') : l10n.t('Saved.');
      this.close({ at: result.id, isError: false, text });
      if (isTested) {
        await this.test(result.id);
      }
    });
    this.changeForm({ isSaving: false });
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

  private hasUnsavedChanges(): boolean {
    const { form } = this.current;
    return form !== undefined && isDirty(form);
  }

  // #endregion

  private async attempt(at: Outcome['at'], work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.change({ outcome: { at, isError: true, text: errorMessage(error) } });
    }
  }

  private change(change: Partial<ConfigPageState>): void {
    const before = this.current;
    this.current = { ...before, ...change };
    if (before.form?.draft !== this.current.form?.draft) {
      this.keepForm();
    }
    saveState(toSavedConfigPage(this.current));
    this.onDidChange(this.current);
  }

  private keepForm(): void {
    const { form } = this.current;
    const kept = form && {
      form: { draft: form.draft, original: form.original },
      unsaved: isDirty(form) ? formTitle(form, this.current.view) : undefined,
    };
    void this.send('keepForm', kept ?? {}).catch(() => undefined);
  }
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
