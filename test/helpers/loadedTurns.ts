/** What the files of the package load in each turn of the event loop, as their texts say. */

export interface LoadedTurn {
  /** The file that loads on use. */
  readonly from: string;
  /** What it loads. */
  readonly to: string;
  /** With all that they need and that was not there before. */
  readonly files: readonly string[];
  readonly bytes: number;
}

const inTurns = /\bloadInTurns\(((?:"[^"]*",?)+)\)/g;
const alone = /\bPromise\.resolve\(\)\.then\(\(\)=>require\("\.\/([\w-]+\.js)"\)\)/g;
const required = /\brequire\("\.\/([\w-]+\.js)"\)/g;

/**
 * @param shipped minified texts by name of file
 * @param there what is loaded before anything else
 */
export function loadedTurns(
  shipped: ReadonlyMap<string, string>,
  there: readonly string[],
): readonly LoadedTurn[] {
  const files = new Map([...shipped].map(([name, text]) => [name, readFile(text)]));
  const closure = (names: readonly string[], loaded: Set<string>): readonly string[] =>
    names.flatMap((name) => {
      if (loaded.has(name) || !files.has(name)) {
        return [];
      }
      loaded.add(name);
      return [...closure(files.get(name)?.atOnce ?? [], loaded), name];
    });
  return [...files].flatMap(([from, { onUse }]) =>
    onUse.flatMap((turns) => {
      const loaded = new Set<string>();
      closure([...there, from], loaded);
      const to = turns.at(-1)?.at(-1) ?? '';
      return turns.map((names) => {
        const more = closure(names, loaded);
        const bytes = more.reduce((sum, name) => sum + (shipped.get(name)?.length ?? 0), 0);
        return { from, to, files: more, bytes };
      });
    }),
  );
}

interface FileLoads {
  readonly atOnce: readonly string[];
  /** Turns of each place that loads on use. */
  readonly onUse: readonly (readonly (readonly string[])[])[];
}

function readFile(text: string): FileLoads {
  const many = [...text.matchAll(inTurns)].map(([, list]) =>
    (JSON.parse(`[${list}]`) as string[]).map((names) => names.split(' ')),
  );
  const single = [...text.matchAll(alone)].map(([, name = '']) => [[name]]);
  const rest = text.replace(alone, '');
  return {
    atOnce: [...rest.matchAll(required)].flatMap(([, name]) => name ?? []),
    onUse: [...many, ...single],
  };
}
