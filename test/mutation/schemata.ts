/** All mutants of a source in one text, each of which the program makes when it is the one that is asked for. Pure. */
import type { Mutant } from './mutants.js';

interface Place {
  readonly start: number;
  readonly end: number;
  /** What may stand there instead, and when. */
  readonly others: string[];
}

/** Of a source, which asks `globalThis.piMcpMutant` for each number. @param mutants by their numbers */
export function instrument(code: string, mutants: ReadonlyMap<number, Mutant>): string {
  const places = new Map<string, Place>();
  for (const [number, { place, start, end, text }] of mutants) {
    const key = `${place.start} ${place.end}`;
    const known = places.get(key) ?? { ...place, others: [] };
    places.set(key, known);
    const other = code.slice(place.start, start) + text + code.slice(end, place.end);
    known.others.push(`piMcpIs(${number}) ? (${other}) : `);
  }
  const sorted = [...places.values()].sort(
    (one, other) => one.start - other.start || other.end - one.end,
  );
  const ask = 'function piMcpIs(number) { return globalThis.piMcpMutant?.(number) === true; }';
  return `${render(code, { start: 0, end: code.length }, sorted)}\n${ask}\n`;
}

/** Takes from the places those within. */
function render(code: string, within: Pick<Place, 'start' | 'end'>, places: Place[]): string {
  let text = '';
  let at = within.start;
  for (let next = places[0]; next && next.end <= within.end; next = places[0]) {
    places.shift();
    text += `${code.slice(at, next.start)}(${next.others.join('')}(${render(code, next, places)}))`;
    at = next.end;
  }
  return text + code.slice(at, within.end);
}
