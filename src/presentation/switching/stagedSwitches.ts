/** Switches that a person has turned and not yet applied. */

/** Something that is on or off now. */
export interface SwitchRow {
  readonly key: string;
  readonly isOn: boolean;
}

/** Key → what it shall be; only what differs from what it is. */
export type StagedSwitches = ReadonlyMap<string, boolean>;

export const nothingStaged: StagedSwitches = new Map();

/** A row that is turned back is staged no more. */
export function stageSwitch(
  staged: StagedSwitches,
  { key, isOn }: SwitchRow,
  isWanted: boolean,
): StagedSwitches {
  const others = [...staged].filter(([other]) => other !== key);
  return new Map(isWanted === isOn ? others : [...others, [key, isWanted]]);
}

/** What is staged when exactly these rows are to be on. */
export function stageSelection(
  rows: readonly SwitchRow[],
  wanted: ReadonlySet<string>,
): StagedSwitches {
  return rows.reduce((staged, row) => stageSwitch(staged, row, wanted.has(row.key)), nothingStaged);
}

export function isWantedOn(staged: StagedSwitches, { key, isOn }: SwitchRow): boolean {
  return staged.get(key) ?? isOn;
}

/** What is left of it for the rows as they are now: some may have come true, others are gone. */
export function stillStaged(staged: StagedSwitches, rows: readonly SwitchRow[]): StagedSwitches {
  return rows.reduce((left, row) => stageSwitch(left, row, isWantedOn(staged, row)), nothingStaged);
}
