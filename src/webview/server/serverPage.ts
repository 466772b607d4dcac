/** What the page of a server knows beside its tabs, which have pages of their own: the head, the overview, what is open. */
import { errorMessage } from '../../base/errors.js';
import {
  asObject,
  asString,
  defined,
  isDeeperThan,
  isJsonObject,
  type JsonObject,
} from '../../base/json.js';
import type { MessageChannel } from '../../protocol/messages.js';
import {
  type ServerAction,
  type ServerFact,
  type ServerPageEvents,
  type ServerPagePlace,
  type ServerPageRequests,
  type ServerTab,
  type ServerView,
  serverTabs,
} from '../../protocol/server/serverProtocol.js';
import { readSavedState, savePart } from '../shared/vscodeApi.js';
import { OverrideDraft, type OverrideMemory } from './overrideDraft.js';

type Send = MessageChannel<ServerPageRequests, ServerPageEvents>['request'];

/** Memory and uptime change without an event. */
const measureMs = 5_000;
/** Levels of what was half typed that are read back. */
const maxDepth = 200;

const keptOverrides: OverrideMemory = {
  read: (tool) => {
    const all = readOverrides();
    const kept = Object.hasOwn(all, tool) ? all[tool] : undefined;
    return isJsonObject(kept) && !isDeeperThan(kept, maxDepth) ? kept : undefined;
  },
  write: (tool, override) =>
    savePart('overrides', defined({ ...readOverrides(), [tool]: override })),
};

function readOverrides(): JsonObject {
  return asObject(asObject(readSavedState()).overrides);
}

export class ServerPage {
  view: ServerView | undefined;
  /** What there is without a server: traffic from a file, or a form. */
  alone: ServerTab | undefined;
  tab: ServerTab = 'overview';
  /** The one whose form is shown. */
  tool: string | undefined;
  private isLed = false;
  /** Of the form, to which it has to lead. */
  private field: string | undefined;
  /** Of its process. */
  measured: readonly ServerFact[] = [];
  /** Of the list of tools. */
  filter = '';
  showsAllEvidence = false;
  error: string | undefined;
  private isKept = false;
  private readonly overrides = new Map</* tool */ string, OverrideDraft>();

  constructor(
    private readonly send: Send,
    private readonly draw: () => void,
  ) {
    const { tab, tool } = asObject(readSavedState());
    this.tab = serverTabs.find((one) => one === tab) ?? this.tab;
    this.tool = asString(tool);
    setInterval(() => void this.measure(), measureMs);
  }

  async start(): Promise<void> {
    await this.guard(async () => {
      const start = await this.send('open', undefined);
      if (start.kind === 'alone') {
        this.alone = start.tab;
        this.tab = start.tab;
        savePart('subject', start.subject);
        this.draw();
        return;
      }
      savePart('subject', start.view.subject);
      this.receive(start.view);
      this.show(start);
    });
  }

  receive(view: ServerView): void {
    const isChanged = this.view?.state !== view.state;
    this.view = view;
    this.showsAllEvidence &&= !isChanged;
    if (isChanged) {
      void this.measure();
    }
    this.draw();
    for (const override of this.overrides.values()) {
      void override.refresh();
    }
  }

  /** What is left out stays as it was. */
  show({ tab, tool, field }: ServerPagePlace): void {
    this.field = field || undefined;
    this.select(tab ?? this.tab);
    if (tool !== undefined) {
      this.openTool(tool, true);
    }
  }

  select(tab: ServerTab): void {
    this.tab = tab;
    savePart('tab', tab);
    this.draw();
    void this.measure();
  }

  /** @param tool `undefined`: back to the list. @param isLed its form takes the keyboard */
  openTool(tool: string | undefined, isLed = false): void {
    this.tool = tool;
    this.isLed = isLed;
    savePart('tool', tool);
    this.draw();
  }

  /** Whether the form of the tool takes the keyboard, once. */
  takeLead(): boolean {
    const { isLed } = this;
    this.isLed = false;
    return isLed;
  }

  /** The field to lead to, once. */
  takeField(): string | undefined {
    const { field } = this;
    this.field = undefined;
    return field;
  }

  /** What is half typed for one tool stays while another is looked at. */
  overrideOf(tool: string): OverrideDraft {
    const known = this.overrides.get(tool);
    if (known) {
      return known;
    }
    const draft = new OverrideDraft(tool, this.send, this.draw, keptOverrides);
    this.overrides.set(tool, draft);
    void draft.refresh();
    return draft;
  }

  type(filter: string): void {
    this.filter = filter;
    this.draw();
  }

  showAllEvidence(): void {
    this.showsAllEvidence = true;
    this.draw();
  }

  act(action: ServerAction): void {
    void this.guard(() => this.send('act', { action }));
  }

  setEnabled(isEnabled: boolean): void {
    void this.guard(() => this.send('setEnabled', { isEnabled }));
  }

  switchTool(tool: string, isOn: boolean): void {
    void this.guard(() => this.send('switchTool', { tool, isOn }));
  }

  useOffer(params: ServerPageRequests['useOffer']['params']): void {
    void this.guard(() => this.send('useOffer', params));
  }

  /** Called for whatever the user does. */
  keep(): void {
    if (!this.isKept) {
      this.isKept = true;
      void this.send('keep', undefined).catch(() => undefined);
    }
  }

  private async measure(): Promise<void> {
    const { view, tab } = this;
    const isRunning = view?.state === 'connected' || view?.state === 'connecting';
    if (tab !== 'overview' || !isRunning || document.visibilityState === 'hidden') {
      this.measured = isRunning ? this.measured : [];
      return;
    }
    const { facts } = await this.send('measure', undefined).catch(() => ({ facts: [] }));
    const isStale = this.view?.state !== view?.state;
    if (!isStale && JSON.stringify(facts) !== JSON.stringify(this.measured)) {
      this.measured = facts;
      this.draw();
    }
  }

  private async guard(work: () => Promise<unknown>): Promise<void> {
    const hadError = this.error !== undefined;
    this.error = undefined;
    try {
      await work();
    } catch (error) {
      this.error = errorMessage(error);
    }
    if (hadError || this.error !== undefined) {
      this.draw();
    }
  }
}
