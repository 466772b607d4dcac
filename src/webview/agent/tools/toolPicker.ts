/** What the user does with the tools of the conversation. */
import type {
  ToolChange,
  ToolChoiceView,
  ToolProfileId,
} from '../../../protocol/tools/toolChoice.js';
import type { PageAccess, ToolPickerState } from '../pageState.js';
import { type PickerRow, toolRows } from './toolRows.js';

export class ToolPicker {
  private made:
    | { readonly of: Partial<ToolPickerState>; readonly rows: readonly PickerRow[] }
    | undefined;

  constructor(private readonly page: PageAccess) {}

  /** The same ones while nothing changed. */
  get rows(): readonly PickerRow[] {
    const { view, query = '', folds = new Set<string>() } = this.page.state.tools ?? {};
    if (!view) {
      return [];
    }
    const { of: known } = this.made ?? {};
    if (!this.made || known?.view !== view || known.query !== query || known.folds !== folds) {
      this.made = { of: { view, query, folds }, rows: toolRows(view, query, folds) };
    }
    return this.made.rows;
  }

  async open(): Promise<void> {
    if (!this.page.state.tools) {
      this.page.change({ tools: { stamp: -1, query: '', folds: new Set(), top: 0 } });
      await this.read();
    }
  }

  close(): void {
    this.page.change({ tools: undefined });
  }

  /** Gives up the search first. */
  leave(): void {
    if (this.page.state.tools?.query) {
      this.search('');
    } else {
      this.close();
    }
  }

  toggle(): void {
    if (this.page.state.tools) {
      this.close();
    } else {
      void this.open();
    }
  }

  /** Reads again what may be another by now. */
  follow(): void {
    const { tools, state } = this.page.state;
    if (tools?.view && state && tools.stamp !== state.tools.stamp) {
      void this.read();
    }
  }

  search(query: string): void {
    this.set({ query, folds: new Set(), active: undefined, top: 0 });
  }

  fold(server: string, isOpen: boolean): void {
    const { tools } = this.page.state;
    const row = this.rows.find((one) => one.kind === 'group' && one.group.server === server);
    if (tools && row?.kind === 'group' && row.isOpen !== isOpen) {
      const folds = new Set(tools.folds);
      if (!folds.delete(server)) {
        folds.add(server);
      }
      this.set({ folds, active: row.key });
    }
  }

  /** The row that the keyboard is at from here on. */
  goTo(active: string): void {
    this.set({ active });
  }

  scrollTo(top: number): void {
    if (this.page.state.tools?.top !== top) {
      this.set({ top });
    }
  }

  /** Of a server: all of its tools, or those that are shown while the user searches. */
  async switch(row: PickerRow): Promise<void> {
    const { server } = row.group;
    this.set({ active: row.key });
    if (row.kind === 'tool') {
      const { name, isOn, locked } = row.tool;
      if (locked === undefined) {
        await this.send({ kind: 'switch', server, tools: [name], isOn: !isOn });
      }
      return;
    }
    const isOn = row.checked !== 'true';
    const names = row.shown.flatMap(({ name, locked }) => (locked === undefined ? [name] : []));
    await this.send({ kind: 'switch', server, tools: row.isWhole ? undefined : names, isOn });
  }

  async choose(profile: ToolProfileId): Promise<void> {
    await this.send({ kind: 'profile', profile });
  }

  async save(): Promise<void> {
    await this.page.run(async (send) => this.receive(await send('saveProfile', undefined)));
  }

  async reset(): Promise<void> {
    await this.send({ kind: 'reset' });
  }

  private async send(change: ToolChange): Promise<void> {
    await this.page.run(async (send) => this.receive(await send('changeTools', change)));
  }

  private async read(): Promise<void> {
    const stamp = this.page.state.state?.tools.stamp ?? 0;
    this.set({ stamp });
    await this.page.run(async (send) => this.receive(await send('readTools', undefined)));
  }

  private receive(view: ToolChoiceView): void {
    this.set({ view });
  }

  private set(change: Partial<ToolPickerState>): void {
    const { tools } = this.page.state;
    if (tools) {
      this.page.change({ tools: { ...tools, ...change } });
    }
  }
}
