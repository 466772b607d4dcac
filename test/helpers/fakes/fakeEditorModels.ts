/** Models as an editor lends them, which answer what the test says. */
import type {
  EditorAnswerPart,
  EditorModel,
  EditorModels,
  EditorRequest,
} from '../../../src/agent/models/editor/port.js';
import { Emitter } from '../../../src/base/event.js';

export type FakeAnswer = (
  request: EditorRequest,
  signal: AbortSignal | undefined,
) => AsyncIterable<EditorAnswerPart> | readonly EditorAnswerPart[];

export class FakeEditorModels implements EditorModels {
  private readonly emitter = new Emitter<void>();
  private readonly agreed = new Set<string>();
  readonly onDidChange = this.emitter.event;
  readonly requests: EditorRequest[] = [];
  /** Vendors that the user was asked about. */
  readonly asked: string[] = [];
  /** What the user says. */
  mayUse = true;
  models: readonly EditorModel[] = [];

  constructor(readonly answer: FakeAnswer) {
    this.models = [this.model()];
  }

  model(changes: Partial<EditorModel> = {}): EditorModel {
    const { requests, answer } = this;
    return {
      vendor: 'copilot',
      vendorName: 'GitHub Copilot',
      id: 'gpt-x',
      name: 'GPT X',
      maxInputTokens: 64_000,
      takesImages: true,
      callsTools: true,
      isAllowed: undefined,
      async *send(request, signal) {
        requests.push(request);
        yield* answer(request, signal);
      },
      ...changes,
    };
  }

  list(): Promise<readonly EditorModel[]> {
    return Promise.resolve(this.models);
  }

  isAgreed(vendor: string): boolean {
    return this.agreed.has(vendor);
  }

  agree({ vendor }: EditorModel): Promise<boolean> {
    if (!this.agreed.has(vendor)) {
      this.asked.push(vendor);
      if (this.mayUse) {
        this.agreed.add(vendor);
      }
    }
    return Promise.resolve(this.agreed.has(vendor));
  }

  withdraw(vendor: string): Promise<void> {
    this.agreed.delete(vendor);
    return Promise.resolve();
  }

  change(models: readonly EditorModel[]): void {
    this.models = models;
    this.emitter.fire();
  }
}
