/** Colours of a command's output. Everything else that a terminal would obey is left out. */

/** Text with the classes that it is shown in, and the colours of the theme that those are for. */
export interface AnsiSpan {
  readonly text: string;
  readonly classes: string;
  /** CSS variables. */
  readonly colors: string;
}

/** Spans after which the rest has no colours. */
const maxSpans = 2_000;

// colours, other sequences with parameters, titles and links, and short ones
const escapes =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what terminals send
  /\u001b\[([0-9;:]*)m|\u001b\[[0-9;:?<=>]*[ -/]*[@-~]|\u001b[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001b[ -/]*[0-~]|\u001b/g;

interface Style {
  readonly marks: ReadonlySet<string>;
  /** Of the sixteen. */
  readonly fg?: number | undefined;
  readonly bg?: number | undefined;
}

const plain: Style = { marks: new Set() };

export function ansiSpans(output: string): readonly AnsiSpan[] {
  const text = lastOfLines(output);
  const spans: AnsiSpan[] = [];
  let style = plain;
  let from = 0;
  const add = (part: string) => {
    const classes = classesOf(style);
    const colors = colorsOf(style);
    const last = spans.at(-1);
    if (part === '') {
      return;
    }
    const isSame = last?.classes === classes && last.colors === colors;
    if (last && (isSame || spans.length >= maxSpans)) {
      spans[spans.length - 1] = { ...last, text: last.text + part };
    } else {
      spans.push({ text: part, classes, colors });
    }
  };
  for (const found of text.matchAll(escapes)) {
    add(text.slice(from, found.index));
    from = found.index + found[0].length;
    if (found[1] !== undefined) {
      style = styled(style, found[1]);
    }
  }
  add(text.slice(from));
  return spans;
}

/** What a bar of progress has come to: a carriage return begins its line anew. */
function lastOfLines(output: string): string {
  return output.includes('\r')
    ? output
        .replaceAll('\r\n', '\n')
        .split('\n')
        .map((line) => line.replace(/\r+$/, '').split('\r').at(-1) ?? '')
        .join('\n')
    : output;
}

function styled(before: Style, parameters: string): Style {
  const codes = parameters.split(/[;:]/).map(Number);
  let style = before;
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at] ?? 0;
    if (code === 38 || code === 48) {
      const colour = extended(codes.slice(at + 1));
      style = code === 38 ? { ...style, fg: colour.index } : { ...style, bg: colour.index };
      at += colour.length;
    } else {
      style = withCode(style, code);
    }
  }
  return style;
}

const marks: Readonly<Record<number, string>> = {
  1: 'bold',
  2: 'dim',
  3: 'italic',
  4: 'underline',
  7: 'inverse',
  9: 'strike',
};
const ends: Readonly<Record<number, readonly string[]>> = {
  22: ['bold', 'dim'],
  23: ['italic'],
  24: ['underline'],
  27: ['inverse'],
  29: ['strike'],
};

function withCode(style: Style, code: number): Style {
  const mark = marks[code];
  const ended = ends[code];
  if (code === 0) {
    return plain;
  }
  if (mark) {
    return { ...style, marks: new Set([...style.marks, mark]) };
  }
  if (ended) {
    return { ...style, marks: new Set([...style.marks].filter((one) => !ended.includes(one))) };
  }
  if (code === 39) {
    return { ...style, fg: undefined };
  }
  if (code === 49) {
    return { ...style, bg: undefined };
  }
  const fg = named(code, 30, 90);
  const bg = named(code, 40, 100);
  return fg !== undefined ? { ...style, fg } : bg !== undefined ? { ...style, bg } : style;
}

/** Which of the sixteen a code means. */
function named(code: number, normal: number, bright: number): number | undefined {
  const isNormal = code >= normal && code < normal + 8;
  const isBright = code >= bright && code < bright + 8;
  return isNormal ? code - normal : isBright ? code - bright + 8 : undefined;
}

/** One of 256 colours, or any, as the nearest of the sixteen: those are the theme's, and can be read. */
function extended(codes: readonly number[]): { readonly index?: number; readonly length: number } {
  const [kind, first = 0, green = 0, blue = 0] = codes;
  if (kind === 5) {
    return { index: first < 16 ? first : nearest(...cube(first)), length: 2 };
  }
  return kind === 2 ? { index: nearest(first, green, blue), length: 4 } : { length: 0 };
}

function cube(index: number): [number, number, number] {
  if (index >= 232) {
    const grey = (index - 232) * 10 + 8;
    return [grey, grey, grey];
  }
  const level = (at: number) => (at === 0 ? 0 : at * 40 + 55);
  const at = index - 16;
  return [level(Math.floor(at / 36)), level(Math.floor(at / 6) % 6), level(at % 6)];
}

function nearest(red: number, green: number, blue: number): number {
  const most = Math.max(red, green, blue);
  const least = Math.min(red, green, blue);
  if (most - least < 40) {
    return most < 64 ? 0 : most < 128 ? 8 : most < 208 ? 7 : 15;
  }
  const isOn = (value: number) => (value > (most + least) / 2 ? 1 : 0);
  const index = isOn(red) + 2 * isOn(green) + 4 * isOn(blue);
  return most > 192 ? index + 8 : index;
}

function classesOf({ marks: on, fg, bg }: Style): string {
  return [
    ...[...on].map((mark) => `ansi-${mark}`),
    ...(fg === undefined ? [] : ['ansi-fg']),
    ...(bg === undefined ? [] : ['ansi-bg']),
  ].join(' ');
}

const names = ['Black', 'Red', 'Green', 'Yellow', 'Blue', 'Magenta', 'Cyan', 'White'];

function colorsOf({ fg, bg }: Style): string {
  const color = (index: number) =>
    `var(--vscode-terminal-ansi${index < 8 ? '' : 'Bright'}${names[index % 8]})`;
  return [
    ...(fg === undefined ? [] : [`--ansi-fg: ${color(fg)};`]),
    ...(bg === undefined ? [] : [`--ansi-bg: ${color(bg)};`]),
  ].join(' ');
}
