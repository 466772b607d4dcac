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
import type { JsonBox, LastRun, RunTool } from './runStates.js';

const checkDelayMs = 300;

type Request = MessageChannel<RunToolRequests, RunToolEvents>['request'];

export class RunToolPage {
  tool: RunTool = { kind: 'unknown' };
  root = new FieldDraft(formField({}));
  readonly combo = new ComboState();
  /** What the box beside the form shows, without secrets. */
  json = '';
  private hidden = new HiddenValues();
  private box: JsonBox = { kind: 'form' };
  meta = '';
  timeout = '';
  asTask: boolean | undefined;
  /** What was copied last, until the arguments change. */
  copied: { readonly as: CopyForm; readonly leftOut: readonly LeftOut[] } | undefined;
  lastRun: LastRun = { kind: 'none' };
  /** What is wrong is shown once a run was tried. */
  wasTried = false;
  /** Counts the tries that found something wrong. */
  refusals = 0;
  /** The extension says that the arguments do not fit. */
  private refused: ArgumentProblem | undefined;
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

  get view(): RunToolView | undefined {
    return this.tool.kind === 'offered' ? this.tool.view : undefined;
  }

  get jsonProblem(): string | undefined {
    return this.box.kind === 'wrong' ? this.box.problem : undefined;
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
    if (!this.view) {
      this.tool = { kind: 'missing', missing };
    }
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
    const { refused, jsonProblem } = this;
    const problems = this.box.kind === 'form' ? readDraft(this.root).problems : [];
    const ofForm = problems.map((one) => ({
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
      ...(jsonProblem
        ? [{ controlId: 'json', title: l10n.t('Arguments as JSON'), text: jsonProblem }]
        : []),
      ...advancedProblems(this),
    ];
  }

  get advancedIsWrong(): boolean {
    return advancedProblems(this).length > 0;
  }

  /** A draft of the form has changed. */
  formChanged(): void {
    this.box = { kind: 'form' };
    this.hidden = new HiddenValues();
    const { value } = readDraft(this.root, this.hidden.hide);
    this.json = value === undefined ? '' : JSON.stringify(value, undefined, 2);
    this.changed();
  }

  typeJson(text: string): void {
    this.json = text;
    const read = parseExactJson(text);
    const value = read.kind === 'value' ? this.hidden.reveal(read.value) : undefined;
    if (isJsonObject(value)) {
      this.box = { kind: 'typed', value };
      this.root.write(value);
    } else {
      const problem =
        read.kind === 'invalid'
          ? l10n.t('This is not JSON: {0}', read.reason)
          : read.kind === 'inexact'
            ? l10n.t('{0} is too large to be sent as it is written.', read.number)
            : l10n.t('This is not a JSON object.');
      this.box = { kind: 'wrong', problem };
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
    if (this.lastRun.kind === 'running' || !this.view) {
      return;
    }
    this.wasTried = true;
    const params = this.params();
    if (!params || this.problems.length > 0) {
      this.refuse();
      return;
    }
    this.lastRun = { kind: 'running' };
    this.draw();
    let ended: LastRun = { kind: 'none' };
    await this.guard(async () => {
      const reply = await this.request('run', params);
      if (reply.kind === 'refused') {
        this.refused = reply.problem;
        this.refuse();
      } else {
        ended = { kind: 'answered', outcome: reply.outcome };
        this.renew(reply.view);
      }
    });
    this.lastRun = ended;
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
      this.renew(await this.request('forgetHistory', undefined));
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
    if (this.lastRun.kind === 'running') {
      this.lastRun = { kind: 'running', progress };
      this.draw();
    }
  }

  /** What was typed stays until the user takes the new form. */
  offerNewer(newer: { readonly view?: RunToolView }): void {
    const { tool } = this;
    if (tool.kind !== 'offered') {
      if (newer.view) {
        this.showFirst(newer.view);
      }
      return;
    }
    const isSame =
      newer.view !== undefined &&
      stableStringify(newer.view.inputSchema) === stableStringify(tool.view.inputSchema);
    this.tool = isSame ? { kind: 'offered', view: newer.view } : { ...tool, newer };
    this.draw();
  }

  takeNewer(): void {
    const { tool } = this;
    if (tool.kind === 'offered' && tool.newer?.view) {
      this.show(tool.newer.view, this.args());
    }
  }

  /** The tool is the same; what is said of it may be newer. */
  private renew(view: RunToolView): void {
    const { tool } = this;
    this.tool = { kind: 'offered', view, newer: tool.kind === 'offered' ? tool.newer : undefined };
  }

  private showFirst(view: RunToolView): void {
    const { saved } = this;
    this.saved = undefined;
    this.timeout = saved?.timeout ?? this.timeout;
    this.show(view, saved?.args);
  }

  private show(view: RunToolView, args: JsonObject | undefined): void {
    this.tool = { kind: 'offered', view };
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
    const { view, timeout, box } = this;
    const { value } = box.kind === 'typed' ? box : readDraft(this.root);
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
    if (this.box.kind !== 'form') {
      return this.box.kind === 'typed' ? this.box.value : undefined;
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
