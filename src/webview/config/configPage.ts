/** Owns the state of the list: what the extension sent, what is staged, and what came of the last step. */
import { errorMessage } from '../../base/errors.js';
import { asList, asObject, stableStringify } from '../../base/json.js';
import type {
  ConfigEvents,
  ConfigRequests,
  ConfigServerView,
  ConfigViewState,
  StagedSwitchParams,
  SwitchPreviewView,
} from '../../protocol/configProtocol.js';
import type { MessageChannel } from '../../protocol/messages.js';
import { NewestOnly } from '../shared/newestOnly.js';
import type { Outcome } from './pageState.js';

type Send = MessageChannel<ConfigRequests, ConfigEvents>['request'];

/** Memory changes without an event. */
const measureMs = 5_000;

export class ConfigPage {
  /** `undefined` until the extension has answered. */
  view: ConfigViewState | undefined;
  outcome: Outcome | undefined;
  /** By id of a server; localized. */
  memory: Readonly<Record<string, string>> = {};
  /** Server id → what its box is to be; only what differs from what the server is. */
  staged: ReadonlyMap<string, boolean>;
  /** What the staged boxes would do; `undefined` before the extension has said it. */
  preview: SwitchPreviewView | undefined;

  private readonly previews = new NewestOnly<StagedSwitchParams>(async (params) => {
    const preview = await this.send('previewSwitches', params).catch(() => undefined);
    this.preview = this.staged.size > 0 ? preview : undefined;
    this.draw();
  });

  /** @param keep what is staged, beyond the life of the page */
  constructor(
    private readonly send: Send,
    private readonly draw: () => void,
    staged: ReadonlyMap<string, boolean> = new Map(),
    private readonly keep: (staged: ReadonlyMap<string, boolean>) => void = () => {},
  ) {
    this.staged = staged;
  }

  async start(): Promise<void> {
    await this.run(async (send) => this.receive(await send('ready', undefined)));
    setInterval(() => void this.measure(), measureMs);
    await this.measure();
  }

  /** Staged boxes may have come true meanwhile, and servers may be gone. */
  receive(view: ConfigViewState): void {
    this.view = view;
    const servers = view.pools.flatMap((pool) => pool.servers);
    const left = servers.flatMap(({ id, enabled }): readonly [string, boolean][] => {
      const wanted = this.staged.get(id);
      return wanted === undefined || wanted === enabled ? [] : [[id, wanted]];
    });
    this.setStaged(new Map(left));
  }

  /** A box that is turned back is staged no more. */
  stage({ id, enabled }: Pick<ConfigServerView, 'id' | 'enabled'>, isWanted: boolean): void {
    const others = [...this.staged].filter(([other]) => other !== id);
    this.setStaged(new Map(isWanted === enabled ? others : [...others, [id, isWanted]]));
  }

  discard(): void {
    this.setStaged(new Map());
  }

  /** What is staged stays so when it cannot be written. */
  async apply(): Promise<void> {
    const applied = this.staged;
    await this.run(async (send) => {
      const view = await send('applySwitches', this.stagedIds);
      const later = [...this.staged].filter(([id, wanted]) => applied.get(id) !== wanted);
      this.staged = new Map(later);
      this.receive(view);
    });
  }

  private setStaged(staged: ReadonlyMap<string, boolean>): void {
    this.staged = staged;
    this.keep(staged);
    if (staged.size > 0) {
      this.previews.request(this.stagedIds);
    } else {
      this.preview = undefined;
    }
    this.draw();
  }

  private get stagedIds(): StagedSwitchParams {
    const ids = (isWanted: boolean) =>
      [...this.staged].flatMap(([id, wanted]) => (wanted === isWanted ? [id] : []));
    return { enable: ids(true), disable: ids(false) };
  }

  /** Runs a request; why it failed is said on top. */
  async run(work: (send: Send) => Promise<unknown>): Promise<void> {
    this.outcome = undefined;
    try {
      await work(this.send);
    } catch (error) {
      this.outcome = { isError: true, text: errorMessage(error) };
    }
    this.draw();
  }

  private async measure(): Promise<void> {
    if (document.visibilityState === 'hidden') {
      return;
    }
    const { memory } = await this.send('measure', undefined).catch(() => ({ memory: {} }));
    if (stableStringify(memory) !== stableStringify(this.memory)) {
      this.memory = memory;
      this.draw();
    }
  }

  dismissOutcome(): void {
    this.outcome = undefined;
    this.draw();
  }
}

/** What a page has kept of its staged boxes; nothing where it is something else. */
export function savedStaged(saved: unknown): ReadonlyMap<string, boolean> {
  const entries = asList(asObject(saved).staged);
  return new Map(
    entries.filter(
      (entry): entry is [string, boolean] =>
        Array.isArray(entry) && typeof entry[0] === 'string' && typeof entry[1] === 'boolean',
    ),
  );
}
