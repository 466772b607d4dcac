/** Asks one question at a time; of those that come meanwhile the last one counts. */
export class NewestOnly<Question> {
  private isAsking = false;
  private waiting: { readonly question: Question } | undefined;

  /** @param ask must not reject. */
  constructor(private readonly ask: (question: Question) => Promise<void>) {}

  request(question: Question): void {
    this.waiting = { question };
    if (!this.isAsking) {
      void this.work();
    }
  }

  private async work(): Promise<void> {
    this.isAsking = true;
    while (this.waiting) {
      const { question } = this.waiting;
      this.waiting = undefined;
      await this.ask(question);
    }
    this.isAsking = false;
  }
}
