import { join } from 'node:path';

/** Absolute paths of folders that only we write to, by what they hold. What has none is remembered for this run alone. */
export interface CorePlaces {
  readonly trust?: string | undefined;
  /** What a person agreed to of what servers say. */
  readonly definitions?: string | undefined;
  /** Their names, and which is used. */
  readonly accounts?: string | undefined;
  /** Here processes that share the secrets see who renews an account. */
  readonly accountLocks?: string | undefined;
  readonly processes?: string | undefined;
  readonly catalogs?: string | undefined;
  readonly protocolVerdicts?: string | undefined;
}

/** As a window has them. */
export function placesIn(directory: string): CorePlaces {
  return {
    trust: directory,
    definitions: join(directory, 'definitions'),
    accounts: directory,
    accountLocks: join(directory, 'accounts'),
    processes: join(directory, 'processes'),
    catalogs: join(directory, 'catalogs'),
    protocolVerdicts: join(directory, 'protocolVerdicts'),
  };
}
