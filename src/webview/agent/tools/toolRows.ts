/** The rows of the tools of a conversation: servers, and below them their tools. Pure. */
import { hasWords, queryWords } from '../../../base/text/searched.js';
import type {
  ToolChoiceView,
  ToolGroupView,
  ToolRowView,
} from '../../../protocol/tools/toolChoice.js';

type Checked = 'true' | 'false' | 'mixed';

interface RowPlace {
  /** Unlike that of any other row. */
  readonly key: string;
  /** From 1, among its siblings. */
  readonly position: number;
  readonly siblings: number;
}

export interface GroupRow extends RowPlace {
  readonly kind: 'group';
  readonly group: ToolGroupView;
  readonly checked: Checked;
  readonly isOpen: boolean;
  /** Tools below it: those that are found, while the user searches. */
  readonly shown: readonly ToolRowView[];
  /** All of its tools are shown. */
  readonly isWhole: boolean;
  readonly on: number;
  /** Of those that are on. */
  readonly tokens: number;
}

export interface ToolRow extends RowPlace {
  readonly kind: 'tool';
  readonly group: ToolGroupView;
  readonly tool: ToolRowView;
}

export type PickerRow = GroupRow | ToolRow;

/** @param folds servers that are not as they start: folded, and unfolded while the user searches */
export function toolRows(
  { groups }: Pick<ToolChoiceView, 'groups'>,
  query: string,
  folds: ReadonlySet<string>,
): readonly PickerRow[] {
  const words = queryWords(query);
  const found = groups.flatMap((group) => {
    const shown = matching(group, words);
    return words.length > 0 && shown.length === 0 && !hasWords([group.server], words)
      ? []
      : [{ group, shown }];
  });
  return found.flatMap(({ group, shown }, index): readonly PickerRow[] => {
    const isOpen = folds.has(group.server) !== words.length > 0;
    const row: GroupRow = {
      kind: 'group',
      key: rowKey(group.server),
      group,
      shown,
      isWhole: shown.length === group.tools.length,
      isOpen,
      checked: checkedOf(group, shown),
      on: group.tools.filter(({ isOn }) => isOn).length,
      tokens: group.tools.reduce((sum, { isOn, tokens }) => sum + (isOn ? tokens : 0), 0),
      position: index + 1,
      siblings: found.length,
    };
    const tools = shown.map((tool, at) => ({
      kind: 'tool' as const,
      key: rowKey(group.server, tool.name),
      group,
      tool,
      position: at + 1,
      siblings: shown.length,
    }));
    return isOpen ? [row, ...tools] : [row];
  });
}

export function countTools({ groups }: Pick<ToolChoiceView, 'groups'>): {
  readonly on: number;
  readonly all: number;
} {
  const tools = groups.flatMap((group) => group.tools);
  return {
    on: tools.filter(({ isOn }) => isOn).length,
    all: tools.filter(({ locked }) => locked === undefined).length,
  };
}

function rowKey(server: string, tool?: string): string {
  return JSON.stringify(tool === undefined ? [server] : [server, tool]);
}

/** A server that is found by its name shows all of its tools. */
function matching(group: ToolGroupView, words: readonly string[]): readonly ToolRowView[] {
  return words.length === 0 || hasWords([group.server], words)
    ? group.tools
    : group.tools.filter(({ name, description }) =>
        hasWords([group.server, name, description], words),
      );
}

/** A server whose tools nobody knows yet is on when it takes them. */
function checkedOf({ takesNew }: ToolGroupView, shown: readonly ToolRowView[]): Checked {
  const free = shown.filter(({ locked }) => locked === undefined);
  const on = free.filter(({ isOn }) => isOn).length;
  if (free.length === 0) {
    return takesNew ? 'true' : 'false';
  }
  return on === 0 ? 'false' : on === free.length ? 'true' : 'mixed';
}
