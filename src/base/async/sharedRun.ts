/** Runs `work` for many callers at once. Who asks while it runs gets the result of one more run, since it may be late. */
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
      // who waits for the next run starts it; nobody else may in between
      if (!this.next) {
        this.running = undefined;
      }
    };
    run.then(settle, settle);
    return run;
  }
}
