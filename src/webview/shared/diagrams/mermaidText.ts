/** Mermaid in the text of a result. */

/** What is longer is not drawn: nobody would find anything in it. */
export const maxLength = 20_000;
export const maxDiagramLines = 400;
/** Diagrams of one text. */
const maxDiagrams = 10;

/** Lines that say something, with their indentation: neither comments nor what stands before the header. */
export function statementsOf(source: string): readonly string[] {
  const lines = source.split(/\r?\n/).map((line) => line.trimEnd());
  const first = lines.findIndex((line) => line !== '');
  const end =
    lines[first] === '---' ? lines.findIndex((line, at) => at > first && line === '---') : -1;
  return lines.slice(end + 1).filter((line) => line !== '' && !line.trimStart().startsWith('%%'));
}

/** The first word of the header; `undefined` when it is none. */
export function namedKind(statements: readonly string[]): string | undefined {
  return /^[A-Za-z][\w-]{0,39}(?=[\s:;]|$)/.exec(statements[0]?.trimStart() ?? '')?.[0];
}

interface Signs {
  readonly header: RegExp;
  /** Of the other lines, at least one. */
  readonly some?: RegExp;
  /** Of the other lines, each. */
  readonly each?: RegExp;
}

/** What no other text is. */
const signs: readonly Signs[] = [
  { header: /^(?:flowchart|graph)\s+(?:TB|TD|BT|RL|LR);?$/, some: /--|==|-\.|~~~|[[({]/ },
  { header: /^sequenceDiagram$/, some: /-[-)x>]|^\s*(?:participant|actor)\s/ },
  { header: /^stateDiagram(?:-v2)?$/, some: /-->|^\s*state\s/ },
  { header: /^classDiagram(?:-v2)?$/, some: /--|\.\.|^\s*class\s/ },
  { header: /^erDiagram$/, some: /--|\.\.|\{$/ },
  {
    header: /^pie(?:\s+showData)?(?:\s+title\s.*)?$/,
    some: /^\s*"[^"]*"\s*:\s*[\d.]+$/,
    each: /^\s*(?:title\s|showData$|"[^"]*"\s*:\s*[\d.]+$)/,
  },
  {
    header: /^gantt$/,
    some: /^\s*dateFormat\s|:.*(?:\d{4}-\d\d-\d\d|\d[mhdw]$)/,
    each: /^\s*[a-z]+[A-Z]?\w*\s|:/,
  },
  { header: /^mindmap$/, some: /\S/, each: /^\s/ },
];

/** Certainly nothing but the source of a diagram. */
function isMermaid(text: string): boolean {
  if (text.length > maxLength) {
    return false;
  }
  const [header = '', ...rest] = statementsOf(text);
  return signs.some(
    ({ header: known, some, each }) =>
      known.test(header.trim()) &&
      (!some || rest.some((line) => some.test(line))) &&
      (!each || rest.every((line) => each.test(line))),
  );
}

/** Sources of the diagrams of a text: all of it, or its fenced blocks. */
export function diagramsIn(text: string): readonly string[] {
  if (isMermaid(text)) {
    return [text];
  }
  const found: string[] = [];
  if (!text.includes('mermaid')) {
    return found;
  }
  let fence: { readonly mark: string; readonly lines?: string[] } | undefined;
  for (const line of text.split(/\r?\n/)) {
    const [, mark = '', language = ''] = /^ {0,3}(`{3,}|~{3,})\s*([\w-]*)/.exec(line) ?? [];
    if (!fence) {
      fence = mark ? { mark, lines: language === 'mermaid' ? [] : undefined } : undefined;
    } else if (mark.startsWith(fence.mark) && line.trim() === mark) {
      found.push(...(fence.lines ? [fence.lines.join('\n')] : []));
      fence = undefined;
    } else {
      fence.lines?.push(line);
    }
  }
  return found.slice(0, maxDiagrams);
}
