/** What was read of files, as long as these stay as they were. */
export class FileMemo<T> {
  private readonly known = new Map<
    /* file */ string,
    { readonly state: string; readonly value: T }
  >();

  /** Rejects as `read` does, and knows nothing of the file then. @param state another one once the file was written */
  async get(file: string, state: string, read: () => Promise<T>): Promise<T> {
    const known = this.known.get(file);
    if (known?.state === state) {
      return known.value;
    }
    const value = await read();
    this.known.set(file, { state, value });
    return value;
  }
}
