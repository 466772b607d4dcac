/** When each rule that outlives conversations let a call run last. Shared by all windows. */
import { errorMessage } from '../../../base/errors.js';
import { asString, isJsonObject, readEntries } from '../../../base/json.js';
import { RecordStore } from '../../../platform/stores/recordStore.js';
import type { StorePlace } from '../../../platform/stores/sharedStore.js';

type Uses = Readonly<Record</* rule id */ string, /* ISO 8601 */ string>>;

/** What is shown is no finer, and every call would write the file otherwise. */
const resolutionMs = 60_000;

/** In a file of its own: to write a rule again could bring back one that another window has just removed. */
export class RuleUses extends RecordStore<Uses> {
  /** @param known ids of the rules that there are */
  constructor(
    private readonly place: StorePlace,
    private readonly known: () => ReadonlySet<string>,
  ) {
    super({ ...place, fileName: 'rule-uses.json', initial: {}, parse: readUses, depth: 1 });
  }

  /** ISO 8601; `undefined`: never, as far as is known. */
  usedAt(id: string): string | undefined {
    const { value } = this.store;
    return Object.hasOwn(value, id) ? value[id] : undefined;
  }

  /** Forgets the uses of rules that are gone. */
  mark(id: string): void {
    const now = Date.now();
    const before = Date.parse(this.usedAt(id) ?? '');
    if (now - before < resolutionMs) {
      return;
    }
    const known = this.known();
    this.store
      .edit((uses) => ({
        ...Object.fromEntries(Object.entries(uses).filter(([one]) => known.has(one))),
        [id]: new Date(now).toISOString(),
      }))
      .catch((error: unknown) => this.place.logger.log('error', errorMessage(error)));
  }
}

function readUses(value: unknown): Uses | undefined {
  return isJsonObject(value) ? readEntries(value, asString) : undefined;
}
