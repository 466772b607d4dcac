/** Curves, not points: how time and memory grow with what there is. Plotted in test-results/curves/. */
import { mkdir, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { configurationCurve, resultCurve, turnCurve } from './curves/contents.js';
import { type Curve, exponentOf, type Series, steepExponent } from './curves/curve.js';
import { plotCurve } from './curves/plot.js';
import { folderCurve, serverCurve, toolCurve } from './curves/servers.js';
import type { FigureRow } from './measure.js';

const plans = [serverCurve, toolCurve, folderCurve, turnCurve, resultCurve, configurationCurve];

type Row = FigureRow & { readonly target: number };

/** All sizes, whatever the scale: a curve needs its ends. */
export async function runBench(): Promise<readonly Row[]> {
  const dir = resolve('test-results/curves');
  await mkdir(dir, { recursive: true });
  const curves: Curve[] = [];
  for (const plan of plans) {
    const curve = await plan();
    curves.push(curve);
    await writeFile(resolve(dir, `${curve.id}.svg`), plotCurve(curve));
    console.log(curve.series.map((series) => `  ${describe(curve, series)}`).join('\n'));
  }
  await writeFile(resolve(dir, 'curves.json'), `${JSON.stringify(curves, undefined, 2)}\n`);
  const rows = curves.flatMap(({ id, series }) =>
    series.filter(isGrowing).map((one) => ({
      name: `${id}: ${one.name}, ${one.unit === 'ms' ? 'time' : 'memory'}`,
      value: exponentOf(one),
      unit: 'exponent',
      target: steepExponent,
    })),
  );
  const steep = rows.filter(({ value }) => value > steepExponent).map(({ name }) => name);
  console.log(
    steep.length === 0 ? 'Nothing grows faster than linear.' : `Steep: ${steep.join('; ')}`,
  );
  return rows;
}

/** What has one size alone does not tell how it grows. */
function isGrowing({ points }: Series): boolean {
  return points.length > 1;
}

function describe({ id }: Curve, series: Series): string {
  const { name, unit, points } = series;
  const shown = points.map(({ size, value }) => `${size}: ${value.toPrecision(3)}`);
  return `${id}, ${name} (${unit}), exponent ${exponentOf(series).toFixed(2)}: ${shown.join(', ')}`;
}
