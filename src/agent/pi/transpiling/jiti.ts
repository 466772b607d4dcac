/** What we use of jiti, which brings no types for what it is made of. It and Babel are files beside the parts of Pi. */
import { createRequire } from 'node:module';

/** One file that jiti turns into what it runs. */
export interface JitiInput {
  readonly filename: string;
  readonly source: string;
  readonly ts: boolean;
  /** Whether it may wait for its imports. */
  readonly async: boolean;
  readonly jsx?: boolean | object;
}

type JitiTransform = (input: JitiInput) => { readonly code: string };

/** As they are read from the environment where they are not given. */
export interface JitiOptions {
  readonly transform?: JitiTransform;
  /** Whether what was made of a file is kept, and found again by its name and source. */
  readonly fsCache?: boolean;
  readonly moduleCache?: boolean;
  readonly sourceMaps?: boolean;
  readonly interopDefault?: boolean;
  readonly jsx?: boolean | object;
}

/** jiti would keep code in a folder that on many systems all users can write to, and run what it finds there. */
export const withoutCache = { fsCache: false } as const;

export interface Jiti {
  readonly options: JitiOptions;
  /** What `options.transform` makes of it. */
  transform(input: JitiInput): string;
  /** @returns the name under which {@link import} gives the file to `options.transform` */
  resolve(specifier: string, how: { parentURL?: string; try: true }): string | undefined;
  import(specifier: string, how?: { readonly default?: true }): Promise<unknown>;
}

type CreateJiti = (
  id: string,
  options: JitiOptions,
  how: {
    readonly onError: (error: unknown) => never;
    readonly nativeImport: (specifier: string) => Promise<unknown>;
    readonly createRequire: typeof createRequire;
  },
) => Jiti;

/** Loads the files beside the one of which this is the URL or the path. */
export class JitiFiles {
  private readonly require: NodeJS.Require;

  constructor(beside: string) {
    this.require = createRequire(beside);
  }

  create(id: string, options: JitiOptions): Jiti {
    const create: CreateJiti = this.require('./jiti.cjs');
    return create(id, options, {
      onError: (error) => {
        throw error;
      },
      nativeImport: (specifier) => import(specifier),
      createRequire,
    });
  }

  /** Babel takes 200 ms to load and to run for the first time. */
  transform(input: JitiInput): { readonly code: string } {
    const transform: JitiTransform = this.require('./babel.cjs');
    return transform(input);
  }
}
