/** Fits the weights with which the search ranks its best tools, to the questions that are not held out. */
import { writeFileSync } from 'node:fs';
import { featureNames } from '../../src/mcp/catalog/search/ranking/features.js';
import { ToolIndex } from '../../src/mcp/catalog/search/toolIndex.js';
import { questionsOf, sizes, toolsOf } from './searchEvaluation.js';

/** A question, and what is known of the tools among which one has to be chosen. */
interface Example {
  readonly text: string;
  readonly features: readonly (readonly number[])[];
  readonly isAccepted: readonly boolean[];
}

type Weights = readonly number[];

const folds = 8;
const rounds = 250;
const pace = 0.05;
/** Pulls every weight towards 0, per question. */
const shrinkage = 3;

/** The weights are fitted to the large size alone; what they are worth at both is seen on questions that the fit left out. */
export function fitSearch(file: string): void {
  const examples = examplesOf('large');
  for (const size of sizes) {
    report(`${size}, as it was`, examplesOf(size), () => undefined);
    report(`${size}, cross-validated`, examplesOf(size), crossValidated(examples));
  }
  const weights = fitted(examples);
  const lines = featureNames.map(
    (name, at) => `  ${name}: ${Number((weights[at] ?? 0).toFixed(2))},`,
  );
  writeFileSync(
    file,
    `import type { Feature } from './features.js';

/** Fitted by \`node test/fixtures/search/fit.mjs\`, which writes this file, to the questions that are not held out. */
export const weights: Readonly<Record<Feature, number>> = {
${lines.join('\n')}
};
`,
  );
}

function examplesOf(size: (typeof sizes)[number]): readonly Example[] {
  const index = new ToolIndex(toolsOf(size));
  return (['tuned', 'practice'] as const)
    .flatMap((set) => questionsOf(size, set))
    .map(({ text, accepted }) => {
      const candidates = index.candidatesOf(text);
      return {
        text,
        features: candidates.map(({ features }) => features),
        isAccepted: candidates.map(({ tool }) => accepted.includes(`${tool.server}/${tool.tool}`)),
      };
    });
}

function crossValidated(examples: readonly Example[]): (example: Example) => Weights {
  const foldOf = new Map(examples.map(({ text }, at) => [text, at % folds]));
  const byFold = Array.from({ length: folds }, (_, fold) =>
    fitted(examples.filter(({ text }) => foldOf.get(text) !== fold)),
  );
  return ({ text }) => byFold[foldOf.get(text) ?? 0] ?? [];
}

/** Makes the accepted tools of every question as likely as it can: a softmax over its candidates, by gradient (Adam). */
function fitted(examples: readonly Example[]): Weights {
  const table = tableOf(examples.filter(({ isAccepted }) => isAccepted.includes(true)));
  const weights = new Float64Array(width);
  const mean = new Float64Array(width);
  const square = new Float64Array(width);
  for (let round = 1; round <= rounds; round++) {
    const slope = slopeOf(table, weights);
    const left = Math.min(1, (3 * (rounds - round)) / rounds);
    for (const [at, value] of slope.entries()) {
      mean[at] = 0.9 * (mean[at] as number) + 0.1 * value;
      square[at] = 0.99 * (square[at] as number) + 0.01 * value ** 2;
      const step = (mean[at] as number) / (1 - 0.9 ** round);
      const size = Math.sqrt((square[at] as number) / (1 - 0.99 ** round)) + 1e-9;
      (weights[at] as number) -= (pace * left * step) / size;
    }
  }
  return [...weights].map((weight, at) => weight / (table.scales[at] as number));
}

const width = featureNames.length;

/** The features of all candidates in one array, each in units of its deviation. */
interface Table {
  readonly values: Float64Array;
  readonly isAccepted: readonly boolean[];
  /** The first row of each question, and the row after the last. */
  readonly starts: readonly number[];
  readonly scales: Float64Array;
}

function tableOf(examples: readonly Example[]): Table {
  const rows = examples.flatMap(({ features }) => features);
  const values = new Float64Array(rows.length * width);
  const scales = new Float64Array(width);
  for (let at = 0; at < width; at++) {
    const column = rows.map((row) => row[at] as number);
    const mean = column.reduce((total, value) => total + value, 0) / rows.length;
    const square = column.reduce((total, value) => total + (value - mean) ** 2, 0) / rows.length;
    scales[at] = Math.sqrt(square) || 1;
    for (const [row, value] of column.entries()) {
      values[row * width + at] = value / (scales[at] as number);
    }
  }
  const starts = [0];
  for (const { features } of examples) {
    starts.push((starts.at(-1) ?? 0) + features.length);
  }
  return { values, starts, scales, isAccepted: examples.flatMap((example) => example.isAccepted) };
}

function slopeOf({ values, isAccepted, starts }: Table, weights: Float64Array): Float64Array {
  const slope = weights.map((weight) => 2 * shrinkage * weight);
  for (let question = 0; question + 1 < starts.length; question++) {
    const first = starts[question] as number;
    const end = starts[question + 1] as number;
    const shares = new Float64Array(end - first);
    for (let row = first; row < end; row++) {
      for (let at = 0; at < width; at++) {
        (shares[row - first] as number) +=
          (values[row * width + at] as number) * (weights[at] as number);
      }
    }
    const highest = Math.max(...shares);
    let all = 0;
    let accepted = 0;
    for (let row = first; row < end; row++) {
      const share = Math.exp((shares[row - first] as number) - highest);
      shares[row - first] = share;
      all += share;
      accepted += isAccepted[row] ? share : 0;
    }
    for (let row = first; row < end; row++) {
      const share = shares[row - first] as number;
      const pull = share / all - (isAccepted[row] ? share / accepted : 0);
      for (let at = 0; at < width; at++) {
        (slope[at] as number) += pull * (values[row * width + at] as number);
      }
    }
  }
  return slope;
}

function report(
  name: string,
  examples: readonly Example[],
  weightsOf: (example: Example) => Weights | undefined,
): void {
  const places = examples.map((example) => placeOf(example, weightsOf(example)));
  const share = (limit: number) =>
    (places.filter((place) => place >= 0 && place < limit).length / places.length).toFixed(3);
  console.log(`${name}: ${places.length} questions, recall@1 ${share(1)}, recall@5 ${share(5)}`);
}

function placeOf({ features, isAccepted }: Example, weights: Weights | undefined): number {
  const order = features.map((values, at) => ({
    at,
    // the candidates come in the order of their scores
    sum: weights ? values.reduce((all, value, i) => all + value * (weights[i] ?? 0), 0) : -at,
  }));
  return order.sort((a, b) => b.sum - a.sum).findIndex(({ at }) => isAccepted[at]);
}
