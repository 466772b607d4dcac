import { AsyncLocalStorage } from 'node:async_hooks';

const shiftMs = new AsyncLocalStorage<number>();
const RealDate = Date;

class ShiftedDate extends RealDate {
  constructor(...args: [] | [value: number | string]) {
    super(...((args.length > 0 ? args : [ShiftedDate.now()]) as [number]));
  }

  static override now(): number {
    return RealDate.now() + (shiftMs.getStore() ?? 0);
  }
}

/** What runs inside {@link atShiftedTime} has its own time from now on, until the returned function is called. */
export function installShiftedDate(): () => void {
  globalThis.Date = ShiftedDate as DateConstructor;
  return () => {
    globalThis.Date = RealDate;
  };
}

export function atShiftedTime<T>(ms: number, run: () => T): T {
  return shiftMs.run(ms, run);
}
