/** The walks that docs/development.md draws: the files that hand something on, in their order. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '../../workbench/paths.mjs';
import { targetsOf } from '../house.js';

export interface Walk {
  readonly title: string;
  /** From `src`. */
  readonly files: readonly string[];
}

export function readWalks(): readonly Walk[] {
  const text = readFileSync(join(repository, 'docs/development.md'), 'utf8');
  const [, part = ''] = text.split('\n## Three walks\n');
  const [walks = ''] = part.split('\n## ');
  return walks
    .split('\n### ')
    .slice(1)
    .map((walk) => ({
      title: walk.slice(0, walk.indexOf('\n')),
      files: [...walk.matchAll(/^\| `([^`]+)` \|/gm)].map(([, file = '']) => file),
    }));
}

/** A file of the source, as far as a walk needs it. */
export interface Step {
  /** Files that it imports, types included, from `src`. */
  readonly imports: ReadonlySet<string>;
  /** Those of them whose contract a class of it keeps. */
  readonly contracts: ReadonlySet<string>;
}

/** @param file from `src` */
function readStep(file: string): Step {
  return stepOf(file, readFileSync(join(repository, 'src', file), 'utf8'));
}

export function stepOf(file: string, text: string): Step {
  const kept = [...text.matchAll(/\bclass [^{]*\bimplements ([^{]+)\{/g)].flatMap(
    ([, names = '']) => names.match(/\w+/g) ?? [],
  );
  const contracts = (text.match(/\bimport\b[^;]*;/g) ?? []).filter((statement) =>
    (statement.match(/\w+/g) ?? []).some((name) => kept.includes(name)),
  );
  return {
    imports: new Set(targetsOf(file, text)),
    contracts: new Set(contracts.flatMap((statement) => targetsOf(file, statement))),
  };
}

/** Those that no file before them leads to. @param read default: the sources */
export function lostSteps({ files }: Pick<Walk, 'files'>, read = readStep): readonly string[] {
  const steps = files.map((file) => ({ file, step: read(file) }));
  return steps
    .filter(
      ({ file, step }, index) =>
        index > 0 &&
        !steps
          .slice(0, index)
          .some(
            (before) =>
              before.step.imports.has(file) ||
              step.imports.has(before.file) ||
              [...step.contracts].some((contract) => before.step.imports.has(contract)),
          ),
    )
    .map(({ file }) => file);
}
