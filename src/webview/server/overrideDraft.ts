/** What the user says of a tool in place of its server, while it is edited: nothing is written before it is saved. */
import { errorMessage } from '../../base/errors.js';
import { FieldDraft, readDraft } from '../../base/form/fieldDraft.js';
import { formField } from '../../base/form/fieldModel.js';
import { asObject, isJsonObject, type JsonObject, stableStringify } from '../../base/json.js';
import type { MessageChannel } from '../../protocol/messages.js';
import type {
  OverrideForm,
  ServerPageEvents,
  ServerPageRequests,
} from '../../protocol/server/serverProtocol.js';
import { ComboState } from '../form/comboState.js';
import { problemTexts } from '../form/formWords.js';
import { NewestOnly } from '../shared/newestOnly.js';

/** Ids of fields are those of the whole page, which has the form of the arguments too. */
const firstId = 1_000_000;

/** What was typed and not saved, by tool: a reload of the window brings it back. */
export interface OverrideMemory {
  read(tool: string): JsonObject | undefined;
  /** `undefined`: nothing. */
  write(tool: string, override: JsonObject | undefined): void;
}

export class OverrideDraft {
  root: FieldDraft | undefined;
  path = '';
  cost = '';
  error: string | undefined;
  isOpen: boolean;
  isSaving = false;
  readonly combo = new ComboState();
  private form: OverrideForm | undefined;
  private readonly weighing = new NewestOnly<JsonObject>((override) => this.weigh(override));

  constructor(
    readonly tool: string,
    private readonly send: MessageChannel<ServerPageRequests, ServerPageEvents>['request'],
    private readonly draw: () => void,
    private readonly memory: OverrideMemory,
  ) {
    this.isOpen = memory.read(tool) !== undefined;
  }

  get isChanged(): boolean {
    return stableStringify(this.value) !== stableStringify(this.form?.override ?? {});
  }

  /** By id of a draft. */
  get problems(): ReadonlyMap<number, readonly string[]> {
    return this.root ? problemTexts(this.root, true) : new Map();
  }

  toggle(isOpen: boolean): void {
    if (isOpen !== this.isOpen) {
      this.isOpen = isOpen;
      void this.refresh();
    }
  }

  /** What the file has by now, where nothing was changed here. */
  async refresh(): Promise<void> {
    if (this.isOpen && !this.isSaving && !(this.root && this.isChanged)) {
      await this.guard(() => this.read());
    }
  }

  changed(): void {
    this.error = undefined;
    this.draw();
    this.weighing.request(this.value);
  }

  discard(): void {
    if (this.form) {
      this.fill(this.form);
      this.changed();
    }
  }

  async save(): Promise<void> {
    if (this.isSaving || this.problems.size > 0) {
      return;
    }
    this.isSaving = true;
    this.draw();
    await this.guard(async () => {
      const { tool, value: override } = this;
      await this.send('saveOverride', { tool, override });
      await this.read(override);
    });
    this.isSaving = false;
    this.draw();
  }

  /** @param before what stood here when it began: what was typed since stays. */
  private async read(before = this.value): Promise<void> {
    const form = await this.send('readOverride', { tool: this.tool });
    const kept = this.form ? undefined : this.memory.read(this.tool);
    if (this.form && stableStringify(before) !== stableStringify(this.value)) {
      this.form = form;
    } else if (stableStringify(form) !== stableStringify(this.form)) {
      this.fill(form, kept);
    }
    this.changed();
  }

  private fill(form: OverrideForm, override = form.override): void {
    this.form = form;
    this.path = form.path;
    this.root = new FieldDraft(formField(form.schema), { opened: 0, nextId: firstId });
    // arguments are there to be filled in, and begin with no default of the server
    this.root.write({ ...override, arguments: override.arguments ?? {} });
  }

  private async weigh(override: JsonObject): Promise<void> {
    await this.guard(async () => {
      const { cost, kept } = await this.send('weighOverride', { tool: this.tool, override });
      this.cost = cost;
      this.memory.write(this.tool, this.isChanged ? kept : undefined);
    });
    this.draw();
  }

  /** Nothing fixed is no list of arguments. */
  private get value(): JsonObject {
    const { value } = this.root ? readDraft(this.root) : { value: undefined };
    const { arguments: fixed, ...others } = asObject(value);
    return isJsonObject(fixed) && Object.keys(fixed).length > 0
      ? { ...others, arguments: fixed }
      : others;
  }

  private async guard(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.error = errorMessage(error);
      this.draw();
    }
  }
}
