/** Finds the line in what a failed server wrote that says why. */

const errorName = /^(?:\w+\.)*\w*(?:Error|Exception)\b[^:]*:\s*\S/;
const trouble =
  /\b(?:cannot|can't|could not|unable to|not found|no such|missing|required|denied|refused|invalid|failed|fatal|unknown|unsupported|usage:|error:)/i;
/** What runtimes print around an error. */
const noise = [
  /^\s+(?:at|File) /,
  /^\s*[\^~]+\s*$/,
  /^\s*[{}[\])(]+,?\s*$/,
  /^\s*throw\b/,
  /^(?:node:|file:|internal\/)\S*:\d+/,
  /^Node\.js v\d/,
  /^Traceback \(most recent call last\)/,
  /^\s*(?:code|requireStack|errno|syscall|path): /,
  /complete log of this run/i,
  /^npm (?:warn|notice)\b/i,
  /^npm error (?:code|errno|syscall|path)\b/i,
];

/**
 * The most telling line, without the words that every error begins with; `undefined` when none says more than another.
 * @param lines oldest first
 */
export function tellingLine(lines: readonly string[]): string | undefined {
  const candidates = lines.filter((line) => !noise.some((pattern) => pattern.test(line)));
  const found =
    candidates.find((line) => errorName.test(line)) ??
    candidates.find((line) => trouble.test(line));
  return found
    ?.trim()
    .replace(/^npm error (?:\d{3} )?/i, '')
    .replace(/^(?:Uncaught )?Error(?: \[\w+\])?: /, '');
}
