/** Resolves when the event loop has come round, so that long work lets others in between. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 0);
  });
}
