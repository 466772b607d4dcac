/**
 * What Pi loads extensions with, in place of jiti. Babel, which would hold up all extensions of VS Code, runs in a thread for
 * whatever an extension imports by a relative name; nothing of the extension is evaluated there.
 */
import { setImmediate } from 'node:timers/promises';
import { type Jiti, JitiFiles, type JitiOptions, withoutCache } from './jiti.js';
import { Preparation } from './preparation.js';
import { TranspilerThread } from './transpilerThread.js';

const files = new JitiFiles(import.meta.url);
const thread = new TranspilerThread(new URL('./transpiler.cjs', import.meta.url));
const preparation = new Preparation(thread.transpile);

export function createJiti(id: string, options: JitiOptions): Pick<Jiti, 'import'> {
  return {
    import: async (specifier, how) => {
      // Pi has just loaded what extensions may import, and jiti takes as long
      await setImmediate();
      const jiti = files.create(id, {
        ...options,
        ...withoutCache,
        // a name that was computed, or a package
        transform: (input) => preparation.preparedFor(input) ?? files.transform(input),
      });
      const { sourceMaps, interopDefault, jsx } = jiti.options;
      const settings = { sourceMaps, interopDefault, jsx };
      await preparation.prepare(jiti, specifier, { beside: import.meta.url, settings });
      return await jiti.import(specifier, how);
    },
  };
}
