/** What the page knows: the form and the JSON beside it, which always say the same, and what came of the last run. */
import * as l10n from '@vscode/l10n';
import { errorMessage } from '../../base/errors.js';
import { draftAt } from '../../base/form/draftPlace.js';
import { parseExactJson } from '../../base/form/exactJson.js';
import { FieldDraft, readDraft } from '../../base/form/fieldDraft.js';
import { formField } from '../../base/form/fieldModel.js';
import { HiddenValues } from '../../base/form/hiddenValues.js';
import { isJsonObject, type JsonObject, stableStringify } from '../../base/json.js';
import type { MessageChannel } from '../../protocol/messages.js';
import type {
  ArgumentProblem,
  CopyForm,
  LeftOut,
  MissingTool,
  RunOutcome,
  RunParams,
  RunRecordView,
  RunToolEvents,
  RunToolRequests,
  RunToolView,
} from '../../protocol/tools/runTool.js';
import { ComboState } from '../form/comboState.js';
import { fieldId } from '../form/formContext.js';
import { fieldTitle, problemText, problemTexts } from '../form/formWords.js';
import {
  advancedParams,
  advancedProblems,
  type PageProblem,
  readSavedRun,
  type SavedRun,
  saveRun,
} from './advanced.js';

const checkDelayMs = 300;

type Request = MessageChannel<RunToolRequests, RunToolEvents>['request'];

export class RunToolPage {
  view: RunToolView | undefined;
  /** There is nothing to run, yet. */
  missing: MissingTool | undefined;
  root = new FieldDraft(formField({}));
  readonly combo = new ComboState();
  /** What the box beside the form shows, without secrets. */
  json = '';
  private hidden = new HiddenValues();
  /** `json` was typed, so that it counts as it is. */
  private typed: JsonObject | undefined;
  jsonProblem: string | undefined;
  meta = '';
  timeout = '';
  asTask: boolean | undefined;
  /** What was copied last, until the arguments change. */
  copied: { readonly as: CopyForm; readonly leftOut: readonly LeftOut[] } | undefined;
  isRunning = false;
  progress: RunToolEvents['progress']['params'] | undefined;
  outcome: RunOutcome | undefined;
  /** What is wrong is shown once a run was tried. */
  wasTried = false;
  /** Counts the tries that found something wrong. */
  refusals = 0;
  /** The extension says that the arguments do not fit. */
  private refused: ArgumentProblem | undefined;
  /** What the server offers by now: another schema, or nothing. */
  newer: { readonly view?: RunToolView } | undefined;
  error: string | undefined;
  private checkTimer: ReturnType<typeof setTimeout> | undefined;
  /** What was written down before the window was reloaded; used once. */
  private saved: SavedRun | undefined;

  constructor(
    tool: string,
    private readonly request: Request,
    private readonly draw: () => void,
  ) {
    this.saved = readSavedRun(tool);
  }

  async start(): Promise<void> {
    await this.guard(async () => {
      const start = await this.request('ready', undefined);
      // what has changed since it was asked may have come first
      if (this.view) {
        return;
      }
      if (start.kind === 'missing') {
        this.receiveMissing(start);
      } else {
        this.showFirst(start.view);
      }
    });
  }

  receiveMissing(missing: MissingTool): void {
    this.missing = missing;
    this.draw();
  }

  async connect(): Promise<void> {
    await this.guard(() => this.request('connect', undefined));
  }

  /** By id of a draft; what is only missing is not held against a form that nobody has sent. */
  get fieldProblems(): ReadonlyMap<number, readonly string[]> {
    const texts = problemTexts(this.root, this.wasTried);
    if (this.refused && readDraft(this.root).problems.length === 0) {
      texts.set(draftAt(this.root, this.refused.at).id, [this.refused.message]);
    }
    return texts;
  }

  /** Words stand for secrets in `json`. */
  get hidesSecrets(): boolean {
    return this.hidden.count > 0;
  }

  /** Everything that stands in the way, in the order of the page. */
  get problems(): readonly PageProblem[] {
    const { problems } = readDraft(this.root);
    const { refused } = this;
    const ofForm =
      this.typed || this.jsonProblem
        ? []
        : problems.map((one) => ({
            controlId: fieldId(one.draft),
            title: fieldTitle(one.draft),
            text: problemText(one),
          }));
    const at = refused && draftAt(this.root, refused.at);
    return [
      ...ofForm,
      ...(at && refused && ofForm.length === 0
        ? [{ controlId: fieldId(at), title: fieldTitle(at), text: refused.message }]
        : []),
      ...(this.jsonProblem
        ? [{ controlId: 'json', title: l10n.t('Arguments as JSON'), text: this.jsonProblem }]
        : []),
      ...advancedProblems(this),
    ];
  }

  get advancedIsWrong(): boolean {
    return advancedProblems(this).length > 0;
  }

  /** A draft of the form has changed. */
  formChanged(): void {
    this.typed = undefined;
    this.jsonProblem = undefined;
    this.hidden = new HiddenValues();
    const { value } = readDraft(this.root, this.hidden.hide);
    this.json = value === undefined ? '' : JSON.stringify(value, undefined, 2);
    this.changed();
  }

  typeJson(text: string): void {
    this.json = text;
    const read = parseExactJson(text);
    const value = read.kind === 'value' ? this.hidden.reveal(read.value) : undefined;
    this.typed = isJsonObject(value) ? value : undefined;
    this.jsonProblem = this.typed
      ? undefined
      : read.kind === 'invalid'
        ? l10n.t('This is not JSON: {0}', read.reason)
        : read.kind === 'inexact'
          ? l10n.t('{0} is too large to be sent as it is written.', read.number)
          : l10n.t('This is not a JSON object.');
    if (this.typed) {
      this.root.write(this.typed);
    }
    this.changed();
  }

  typeAdvanced(part: {
    readonly meta?: string;
    readonly timeout?: string;
    readonly asTask?: boolean;
  }): void {
    this.meta = part.meta ?? this.meta;
    this.timeout = part.timeout ?? this.timeout;
    this.asTask = part.asTask ?? this.asTask;
    this.changed();
  }

  async run(): Promise<void> {
    if (this.isRunning || !this.view) {
      return;
    }
    this.wasTried = true;
    const params = this.params();
    if (!params || this.problems.length > 0) {
      this.refuse();
      return;
    }
    this.isRunning = true;
    this.outcome = undefined;
    this.progress = undefined;
    this.draw();
    await this.guard(async () => {
      const reply = await this.request('run', params);
      if (reply.kind === 'refused') {
        this.refused = reply.problem;
        this.refuse();
      } else {
        this.outcome = reply.outcome;
        this.view = reply.view;
      }
    });
    this.isRunning = false;
    this.draw();
  }

  cancel(): void {
    void this.request('cancel', undefined);
  }

  fill(args: JsonObject): void {
    this.root.write(args);
    this.wasTried = false;
    this.formChanged();
  }

  async runAgain({ args, lacksSecrets }: RunRecordView): Promise<void> {
    if (!args) {
      return;
    }
    this.fill(args);
    if (!lacksSecrets) {
      await this.run();
    }
  }

  copy(as: CopyForm): void {
    const args = this.args();
    if (args) {
      void this.guard(async () => {
        this.copied = { as, ...(await this.request('copy', { as, args })) };
        this.draw();
      });
    }
  }

  copyResult(): void {
    void this.guard(() => this.request('copyResult', undefined));
  }

  openResult(file?: number): void {
    void this.guard(() => this.request('openResult', file === undefined ? {} : { file }));
  }

  openResource(uri: string): void {
    void this.guard(() => this.request('openResource', { uri }));
  }

  async forgetHistory(): Promise<void> {
    await this.guard(async () => {
      this.view = await this.request('forgetHistory', undefined);
    });
    this.draw();
  }

  async pickFile(draft: FieldDraft): Promise<void> {
    await this.guard(async () => {
      const file = await this.request('pickFile', undefined);
      if (file) {
        draft.type(file.base64);
        this.formChanged();
      }
    });
  }

  receive(progress: RunToolEvents['progress']['params']): void {
    if (this.isRunning) {
      this.progress = progress;
      this.draw();
    }
  }

  /** What was typed stays until the user takes the new form. */
  offerNewer(newer: { readonly view?: RunToolView }): void {
    if (!this.view) {
      if (newer.view) {
        this.showFirst(newer.view);
      }
      return;
    }
    const isSame =
      newer.view !== undefined &&
      stableStringify(newer.view.inputSchema) === stableStringify(this.view?.inputSchema);
    this.newer = isSame ? undefined : newer;
    if (isSame) {
      this.view = newer.view;
    }
    this.draw();
  }

  takeNewer(): void {
    if (this.newer?.view) {
      this.show(this.newer.view, this.args());
    }
  }

  private showFirst(view: RunToolView): void {
    const { saved } = this;
    this.saved = undefined;
    this.missing = undefined;
    this.timeout = saved?.timeout ?? this.timeout;
    this.show(view, saved?.args);
  }

  private show(view: RunToolView, args: JsonObject | undefined): void {
    this.view = view;
    this.newer = undefined;
    this.root = new FieldDraft(formField(view.inputSchema));
    if (args) {
      this.root.write(args);
    }
    this.formChanged();
  }

  private refuse(): void {
    this.refusals++;
    this.draw();
  }

  private changed(): void {
    this.refused = undefined;
    this.copied = undefined;
    this.draw();
    clearTimeout(this.checkTimer);
    this.checkTimer = setTimeout(() => {
      void this.check();
      void this.keep();
    }, checkDelayMs);
  }

  /** Writes down what a reload of the window brings back: without secrets, of which the extension knows more. */
  private async keep(): Promise<void> {
    const { view, timeout } = this;
    const { value } = this.typed ? { value: this.typed } : readDraft(this.root);
    if (view && isJsonObject(value)) {
      const args = await this.request('keep', { args: value }).catch(() => undefined);
      if (args) {
        saveRun({ tool: view.name, args, timeout });
      }
    }
  }

  /** What only the extension can judge. */
  private async check(): Promise<void> {
    const args = this.args();
    if (!args || this.problems.length > 0) {
      return;
    }
    await this.guard(async () => {
      const refused = (await this.request('check', { args })) ?? undefined;
      if (this.args() === args || stableStringify(this.args()) === stableStringify(args)) {
        this.refused = refused;
        this.draw();
      }
    });
  }

  private args(): JsonObject | undefined {
    if (this.typed || this.jsonProblem) {
      return this.typed;
    }
    const { value, problems } = readDraft(this.root);
    return problems.length === 0 && isJsonObject(value) ? value : undefined;
  }

  private params(): RunParams | undefined {
    const args = this.args();
    return args && { args, ...advancedParams(this) };
  }

  private async guard(work: () => Promise<unknown>): Promise<void> {
    this.error = undefined;
    try {
      await work();
    } catch (error) {
      this.error = errorMessage(error);
      this.draw();
    }
  }
}
