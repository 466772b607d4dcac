/**
 * Runs `work` for many callers together. Calls during a run share one further run: what the current one read may be older
 * than the call.
 */
export class SharedRun<T> {
  private running: Promise<T> | undefined;
  private next: Promise<T> | undefined;

  constructor(private readonly work: () => Promise<T>) {}

  run(): Promise<T> {
    if (!this.running) {
      return this.start();
    }
    const again = () => this.start();
    this.next ??= this.running.then(again, again);
    return this.next;
  }

  private start(): Promise<T> {
    this.next = undefined;
    const run = this.work();
    this.running = run;
    const settle = () => {
      // a further run that waits starts by itself; no call may start one before it
      if (!this.next) {
        this.running = undefined;
      }
    };
    run.then(settle, settle);
    return run;
  }
}
