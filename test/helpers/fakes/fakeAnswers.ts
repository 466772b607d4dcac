import { InputStore } from '../../../src/config/inputs/inputStore.js';

/** A store of answers in memory; `fails` says for which ids storing is refused. */
export function createAnswers(fails: (inputId: string) => boolean = () => false): InputStore {
  const values = new Map<string, string>();
  return new InputStore({
    get: async (key) => values.get(key),
    store: async (key, value) => {
      if (fails(key)) {
        throw new Error('The storage is locked');
      }
      values.set(key, value);
    },
    delete: async (key) => void values.delete(key),
    keys: async () => [...values.keys()],
  });
}
