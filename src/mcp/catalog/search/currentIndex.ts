import type { SearchableTool } from './reading/toolText.js';
import { ToolIndex } from './toolIndex.js';

/** The index of tools that may become others. */
export class CurrentIndex<T extends SearchableTool> {
  private tools: readonly T[] | undefined;
  private index: ToolIndex<T> | undefined;

  /** @param current the same array while nothing changed */
  constructor(private readonly current: () => readonly T[]) {}

  /** Reads the tools when they are not those of before: some 15 ms for a thousand. */
  get(): ToolIndex<T> {
    const tools = this.current();
    if (!this.index || this.tools !== tools) {
      this.tools = tools;
      this.index = new ToolIndex(tools);
    }
    return this.index;
  }
}
