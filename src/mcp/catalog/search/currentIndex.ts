import type { SearchableTool } from './reading/toolText.js';
import { ToolIndex } from './toolIndex.js';

/** The index of tools that may become others. */
export class CurrentIndex<T extends SearchableTool> {
  private tools: readonly T[] | undefined;
  private index: Promise<ToolIndex<T>> | undefined;

  /** @param current the same array while nothing changed */
  constructor(private readonly current: () => readonly T[]) {}

  /** Reads the tools in turns when they are not those of before. */
  get(): Promise<ToolIndex<T>> {
    const tools = this.current();
    if (!this.index || this.tools !== tools) {
      this.tools = tools;
      this.index = ToolIndex.inTurns(tools);
    }
    return this.index;
  }
}
