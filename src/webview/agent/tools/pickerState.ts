import type { ToolChoiceView } from '../../../protocol/tools/toolChoice.js';

/** The list of tools while it is open. */
export interface ToolPickerState {
  /** Absent until the extension has answered. */
  readonly view?: ToolChoiceView;
  /** Of the state that `view` is for. */
  readonly stamp: number;
  readonly query: string;
  readonly folds: ReadonlySet<string>;
  /** Key of the row that the keyboard is at. */
  readonly active?: string | undefined;
  /** Index of a row near the first one in sight. */
  readonly top: number;
}
