/** A curve as a picture: two charts beside each other, time and memory, all axes logarithmic. */
import { type Curve, exponentOf, type Series, steepExponent } from './curve.js';

const chart = { width: 420, height: 300, left: 64, top: 56, gap: 96 };
const legendLine = 18;
const colours = ['#0b61a4', '#b5480a', '#2b7a2b', '#7a3d9a', '#8a6d00', '#a3224e'];
const dashes = ['', '6 3', '2 3', '10 3 2 3', '1 4', '12 4'];

export function plotCurve({ title, axis, series }: Curve): string {
  const panels = (['ms', 'MB'] as const)
    .map((unit) => series.filter((one) => one.unit === unit))
    .filter((shown) => shown.length > 0);
  const rows = Math.max(...panels.map((shown) => shown.length));
  const width = chart.left + panels.length * (chart.width + chart.gap);
  const height = chart.top + chart.height + 64 + rows * legendLine + 16;
  const body = panels.map((shown, index) => {
    const x = chart.left + index * (chart.width + chart.gap);
    return `<g transform="translate(${x} ${chart.top})">${plotPanel(shown, axis)}</g>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12" fill="#222">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="100%" height="100%" fill="#fff"/>`,
    `<text x="${chart.left}" y="28" font-size="16" font-weight="bold">${escaped(title)}</text>`,
    `<text x="${width - 24}" y="28" text-anchor="end" fill="#555">All axes are logarithmic; size^1 is linear</text>`,
    ...body,
    '</svg>\n',
  ].join('\n');
}

function plotPanel(series: readonly Series[], axis: string): string {
  const points = series.flatMap((one) => one.points);
  const x = scaleOf(points.map(({ size }) => size));
  const y = scaleOf(points.map(({ value }) => value));
  const atX = (value: number) => round(x.at(value) * chart.width);
  const atY = (value: number) => round(chart.height - y.at(value) * chart.height);
  const unit = series[0]?.unit === 'MB' ? 'Memory in MB' : 'Time in ms';
  return [
    ...x.ticks.map(
      (tick) =>
        `<line x1="${atX(tick)}" x2="${atX(tick)}" y1="0" y2="${chart.height}" stroke="#ddd"/>` +
        `<text x="${atX(tick)}" y="${chart.height + 18}" text-anchor="middle">${numberText(tick)}</text>`,
    ),
    ...y.ticks.map(
      (tick) =>
        `<line x1="0" x2="${chart.width}" y1="${atY(tick)}" y2="${atY(tick)}" stroke="#ddd"/>` +
        `<text x="-8" y="${atY(tick) + 4}" text-anchor="end">${numberText(tick)}</text>`,
    ),
    `<rect width="${chart.width}" height="${chart.height}" fill="none" stroke="#555"/>`,
    `<text x="0" y="-8" font-weight="bold">${unit}</text>`,
    `<text x="${chart.width / 2}" y="${chart.height + 38}" text-anchor="middle">${escaped(axis)}</text>`,
    ...series.map((one, index) => {
      const look = lookOf(index);
      const path = one.points.map(({ size, value }) => `${atX(size)},${atY(value)}`);
      const dots = one.points.map(
        ({ size, value }) =>
          `<circle cx="${atX(size)}" cy="${atY(value)}" r="3" fill="${look.colour}"/>`,
      );
      const row = chart.height + 64 + index * legendLine;
      return [
        `<polyline points="${path.join(' ')}" fill="none" ${look.stroke}/>`,
        ...dots,
        `<line x1="0" x2="28" y1="${row - 4}" y2="${row - 4}" ${look.stroke}/>`,
        `<text x="36" y="${row}">${escaped(legendOf(one))}</text>`,
      ].join('');
    }),
  ].join('\n');
}

function legendOf(series: Series): string {
  if (series.points.length === 1) {
    return series.name;
  }
  const exponent = exponentOf(series);
  const note = exponent > steepExponent ? ' – faster than linear' : '';
  return `${series.name}: size^${exponent.toFixed(2)}${note}`;
}

function lookOf(index: number) {
  const colour = colours[index % colours.length] ?? '#000';
  const dash = dashes[index % dashes.length];
  return {
    colour,
    stroke: `stroke="${colour}" stroke-width="2"${dash ? ` stroke-dasharray="${dash}"` : ''}`,
  };
}

/** From the power of ten below the least value to the one above the greatest. */
function scaleOf(values: readonly number[]) {
  const shown = values.map((value) => Math.log10(Math.max(value, 0.01)));
  const low = Math.floor(Math.min(...shown));
  const high = Math.max(Math.ceil(Math.max(...shown)), low + 1);
  return {
    at: (value: number) => (Math.log10(Math.max(value, 0.01)) - low) / (high - low),
    ticks: Array.from({ length: high - low + 1 }, (_, index) => 10 ** (low + index)),
  };
}

function numberText(value: number): string {
  return value >= 1 ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(1)));
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
