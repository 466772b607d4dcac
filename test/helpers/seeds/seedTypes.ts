/** What the five seeds say that a program does with MCP servers, and what stands for it here. */

export interface Difference {
  /** What is done here instead. */
  readonly here: string;
  readonly why: string;
}

export interface SeedRow {
  /** Stable: `seed.theme.behaviour`. */
  readonly id: string;
  /** What the seed says, in words of our own. */
  readonly behaviour: string;
  /**
   * `file › title`, with the file below `test/`; the title, exactly, behind those of its `describe` where it is not the only
   * one. `file › title # case`: of a table of cases the one of this name.
   */
  readonly tests?: readonly string[];
  /** Set where it is not done, or done otherwise, on purpose. */
  readonly differentBecause?: Difference;
}

export interface Seed {
  /** First part of the ids of its rows. */
  readonly id: string;
  /** Its name in the comparison. */
  readonly name: string;
  readonly rows: readonly SeedRow[];
}
