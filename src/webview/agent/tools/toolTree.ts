/** The list of tools as a tree of which only a window is drawn, and its keys. */
import { bringRowIntoSight, rowHeight } from '../../shared/inputs.js';
import type { ToolPicker } from './toolPicker.js';
import type { PickerRow } from './toolRows.js';

/** Rows that are drawn: what any screen shows, and some on both sides. */
const drawnRows = 100;
const rowsBefore = 20;

/** @param top index of a row near the first one in sight */
export function shownWindow(rows: readonly PickerRow[], top: number) {
  const first = Math.max(0, Math.min(top - rowsBefore, rows.length - drawnRows));
  const drawn = rows.slice(first, first + drawnRows);
  return {
    first,
    drawn,
    /** Pixels that stand for the others. */
    before: first * rowHeight,
    after: (rows.length - first - drawn.length) * rowHeight,
  };
}

/** The first row while the keyboard has been at none. */
export function indexOfActive(rows: readonly PickerRow[], active: string | undefined): number {
  return Math.max(
    0,
    rows.findIndex(({ key }) => key === active),
  );
}

export function moveInTree(
  event: KeyboardEvent,
  picker: ToolPicker,
  active: string | undefined,
): void {
  const { rows } = picker;
  const at = indexOfActive(rows, active);
  const row = rows[at];
  if (!row || event.altKey || event.ctrlKey || event.metaKey) {
    return;
  }
  const tree = event.currentTarget as Element;
  const goTo = (index: number) => {
    const next = rows[Math.max(0, Math.min(index, rows.length - 1))];
    if (next) {
      picker.goTo(next.key);
      bringRowIntoSight(tree, rows.indexOf(next));
    }
  };
  const page = Math.max(1, Math.floor(tree.clientHeight / rowHeight) - 1);
  const moves: Readonly<Record<string, () => void>> = {
    ArrowDown: () => goTo(at + 1),
    ArrowUp: () => (at === 0 ? document.getElementById('tools-search')?.focus() : goTo(at - 1)),
    PageDown: () => goTo(at + page),
    PageUp: () => goTo(at - page),
    Home: () => goTo(0),
    End: () => goTo(rows.length - 1),
    ' ': () => void picker.switch(row),
    Enter: () => void picker.switch(row),
    ArrowRight: () =>
      row.kind === 'group' && !row.isOpen ? picker.fold(row.group.server, true) : goTo(at + 1),
    ArrowLeft: () =>
      row.kind === 'group'
        ? picker.fold(row.group.server, false)
        : goTo(rows.findLastIndex((one, index) => index < at && one.kind === 'group')),
  };
  const move = moves[event.key];
  if (move) {
    event.preventDefault();
    move();
  }
}
