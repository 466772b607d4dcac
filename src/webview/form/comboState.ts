import type { FieldDraft } from '../../base/form/fieldDraft.js';

/** Which list is open, and what was searched for. */
export class ComboState {
  private open: { readonly id: number; readonly active: number } | undefined;
  private readonly queries = new Map</* draft */ number, string>();

  isOpen({ id }: FieldDraft): boolean {
    return this.open?.id === id;
  }

  /** Row of the list that the keyboard is at; -1 for none. */
  activeOf({ id }: FieldDraft): number {
    return this.open?.id === id ? this.open.active : -1;
  }

  show({ id }: FieldDraft, active = -1): void {
    this.open = { id, active };
  }

  close(): void {
    this.open = undefined;
  }

  queryOf({ id }: FieldDraft): string {
    return this.queries.get(id) ?? '';
  }

  search({ id }: FieldDraft, query: string): void {
    this.queries.set(id, query);
  }
}
