/** The models of the editor as a provider of Pi. */
import { delay } from '../../../base/async/cancellation.js';
import { Coalescer } from '../../../base/async/coalescer.js';
import { DisposableOwner } from '../../../base/disposable.js';
import { Emitter } from '../../../base/event.js';
import type { PiModelRuntime, PiModule } from '../../pi/piModule.js';
import type { EditorModel, EditorModels } from './port.js';
import { createEditorStream } from './stream.js';

/** What Pi calls the provider. */
export const editorProvider = 'vscode-lm';

/** Milliseconds. Extensions that bring models may still be starting; the panel does not wait for them for ever. */
const maxListMs = 2_000;
/** Milliseconds: extensions bring their models one after the other. */
const changeDelayMs = 250;
/** Tokens of an answer; the editor does not say. */
const maxTokens = 16_384;
/** What vendors take at most, as far as that is known. */
const toolLimits: Readonly<Record</* vendor */ string, number>> = { copilot: 128 };

export class EditorProvider extends DisposableOwner {
  private readonly changeEmitter = this.store.add(new Emitter<void>());
  private readonly followed = this.store.add(
    new Coalescer(async () => this.changeEmitter.fire(), { delayMs: changeDelayMs }),
  );
  private isReading = false;
  private models: ReadonlyMap</* id for Pi */ string, EditorModel> = new Map();

  /** `read` may find others. */
  readonly onDidChange = this.changeEmitter.event;

  constructor(
    private readonly pi: PiModule,
    private readonly runtime: PiModelRuntime,
    private readonly editor: EditorModels,
  ) {
    super();
    this.store.add(
      editor.onDidChange(() => {
        // asking for the list can be what changes it
        if (!this.isReading) {
          this.followed.request();
        }
      }),
    );
  }

  /** Reads which models there are, and tells Pi. Never rejects; what comes too late is a change. */
  async read(): Promise<void> {
    await this.readOnce({ isLate: false });
  }

  /** As {@link read}, for who waits for nothing: what is found is a change. */
  readLater(): void {
    void this.readOnce({ isLate: true });
  }

  find(id: string): EditorModel | undefined {
    return this.models.get(id);
  }

  /** The user agreed to what requests to it cost. */
  isAgreed(id: string): boolean {
    const found = this.find(id);
    return found !== undefined && this.editor.isAgreed(found.vendor);
  }

  /** @returns whether requests may be sent to it */
  async agree(id: string): Promise<boolean> {
    const found = this.find(id);
    return found !== undefined && (await this.editor.agree(found));
  }

  /** Those who bring models, in their order. */
  get vendors() {
    const models = [...this.models.values()];
    const byVendor = new Map(models.map(({ vendor, vendorName }) => [vendor, vendorName] as const));
    return [...byVendor].map(([vendor, vendorName]) => ({
      vendor,
      vendorName,
      isAgreed: this.editor.isAgreed(vendor),
    }));
  }

  /** As {@link agree}, for all models of the vendor. */
  async agreeTo(vendor: string): Promise<boolean> {
    const found = [...this.models.values()].find((one) => one.vendor === vendor);
    return found !== undefined && (await this.editor.agree(found));
  }

  async withdraw(vendor: string): Promise<void> {
    await this.editor.withdraw(vendor);
  }

  private async readOnce(waiting: { isLate: boolean }): Promise<void> {
    const reading = this.list(waiting);
    const waited = new AbortController();
    const wait = delay(maxListMs, waited.signal).catch(() => undefined);
    await Promise.race([reading, wait]);
    waiting.isLate = true;
    this.isReading = false;
    waited.abort();
  }

  private async list(waiting: { readonly isLate: boolean }): Promise<void> {
    this.isReading = true;
    try {
      const models = await this.editor.list();
      this.isReading = false;
      if (this.register(models) && waiting.isLate) {
        this.changeEmitter.fire();
      }
    } catch {
      // an extension that brings models has failed; the others are there with the next change
      this.isReading = false;
    }
  }

  /** @returns whether they are others than before */
  private register(models: readonly EditorModel[]): boolean {
    if (this.store.isDisposed) {
      return false;
    }
    const before = this.signature;
    this.models = new Map(models.map((one) => [editorModelId(one), one] as const));
    if (this.signature === before) {
      return false;
    }
    // stays registered without any: who still sends to one is told so by the stream
    this.runtime.registerProvider(editorProvider, {
      name: 'VS Code',
      api: editorProvider,
      // Pi wants both for every provider; neither is used
      baseUrl: 'vscode-lm://local',
      apiKey: 'vscode',
      streamSimple: createEditorStream({
        pi: this.pi,
        find: (id) => this.find(id),
        agree: (model) => this.editor.agree(model),
      }),
      models: [...this.models].map(([id, { name, maxInputTokens, takesImages }]) => ({
        id,
        name,
        reasoning: false,
        input: takesImages === true ? ['text', 'image'] : ['text'],
        cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
        contextWindow: maxInputTokens,
        maxTokens: Math.min(maxTokens, maxInputTokens),
      })),
    });
    return true;
  }

  private get signature(): string {
    return JSON.stringify([...this.models]);
  }
}

function editorModelId({ vendor, id }: EditorModel): string {
  return `${vendor}/${id}`;
}

/** Tools that a request to the model may have. Default: any number. */
export function toolLimitOf(
  model: { readonly provider: string; readonly id: string } | undefined,
): number {
  const [vendor = ''] = model?.provider === editorProvider ? model.id.split('/') : [];
  return Object.hasOwn(toolLimits, vendor)
    ? (toolLimits[vendor] ?? Number.POSITIVE_INFINITY)
    : Number.POSITIVE_INFINITY;
}
