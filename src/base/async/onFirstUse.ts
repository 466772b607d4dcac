/** Names of the methods whose callers wait. */
type WaitingMethod<T> = {
  [K in keyof T]-?: T[K] extends (...args: never[]) => Promise<unknown> ? K : never;
}[keyof T];

/** All callers share one run; one that failed is forgotten. */
export function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined;
  return () => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
}

/** Methods of an object that is loaded when the first of them is called. */
export function onFirstUse<T extends object, K extends WaitingMethod<T>>(
  load: () => Promise<T>,
  ...names: readonly K[]
): Pick<T, K> {
  const methods = names.map((name) => {
    const method = async (...args: readonly unknown[]) => {
      const target = await load();
      return Reflect.apply(target[name] as (...args: unknown[]) => unknown, target, args);
    };
    return [name, method] as const;
  });
  return Object.fromEntries(methods) as Pick<T, K>;
}

/** What is loaded once, and is at hand from then on. */
export class LoadedOnce<T> {
  private loaded: T | undefined;
  readonly load: () => Promise<T>;

  constructor(load: () => Promise<T>) {
    this.load = once(async () => {
      this.loaded = await load();
      return this.loaded;
    });
  }

  get value(): T | undefined {
    return this.loaded;
  }
}
