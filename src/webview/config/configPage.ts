/** Owns the page's state: what the extension sent, the open form, and the requests under way. */

import { errorMessage } from '../../base/errors.js';
import type {
  ConfigEvents,
  ConfigRequests,
  ConfigViewState,
} from '../../protocol/configProtocol.js';
import type { MessageChannel } from '../../protocol/messages.js';
import { readSavedState, saveState } from '../shared/vscodeApi.js';
import {
  type FormDraft,
  fromEntry,
  isSameDraft,
  newDraft,
  toEntry,
  validateDraft,
} from './formDraft.js';
import {
  fromSavedPage,
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
    /** Called after every change, with focus wishes already applied to the next frame. */
    private readonly onDidChange: (state: PageState) => void,
  ) {}

  get state(): PageState {
    return this.current;
  }

  async start(): Promise<void> {
    await this.attempt(async () => {
      const { state, form } = await this.send('ready', undefined);
      const kept = restoreForm(form);
      this.change({ view: state, ...(kept ? { form: kept } : {}) });
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

  changeDraft(change: Partial<FormDraft>): void {
    const { form } = this.current;
    if (form) {
      // a complaint about a field goes away when the field changes; the next save checks again
      const problems = form.problems.filter(({ field }) => !field || !(field in change));
      this.changeForm({ draft: { ...form.draft, ...change }, problems });
    }
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
    const problems = validateDraft(form.draft);
    if (problems.length > 0) {
      this.changeForm({ problems });
      return;
    }
    this.changeForm({ isSaving: true, problems: [] });
    const { serverId, poolId, name } = form.draft;
    await this.attempt(async () => {
      const result = await this.send('saveServer', {
        ...(serverId === undefined ? {} : { id: serverId }),
        poolId,
        name: name.trim(),
        entry: toEntry(form.draft),
      });
      if (!result.saved) {
        this.changeForm({ problems: result.problems, isSaving: false });
        return;
      }
      this.discard();
      if (isTested) {
        await this.forServer(result.id, (send) => send('probe', { id: result.id }));
      }
    });
    this.changeForm({ isSaving: false });
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
