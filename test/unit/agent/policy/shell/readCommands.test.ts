/** Our reader of lines beside a whole parser of the language: where it has an answer, it is the same one. */
import {
  type Command,
  forEachChild,
  parse,
  type SyntaxNode,
  type Word,
  type WordPart,
} from 'unbash';
import { expect, it } from 'vitest';
import { judgeCommand } from '../../../../../src/agent/policy/shell/commandRules.js';
import { readCommands } from '../../../../../src/agent/policy/shell/readCommands.js';
import { SeededRandom } from '../../../../helpers/seededRandom.js';

interface Seen {
  readonly text: string;
  /** As written, and what becomes of it where that is known. */
  readonly words: readonly (readonly [raw: string, value: string | undefined])[];
  readonly isPlain: boolean;
  readonly isFed: boolean;
  /** Without what joins it to others. */
  readonly pipeline: string;
}

/** `undefined`: there are errors, or more than commands, pipes, lists and groups. */
function parsed(line: string): readonly Seen[] | undefined {
  const found: Seen[] = [];
  let isWhole = true;
  const visit = (node: SyntaxNode, isFed: boolean, pipeline?: string, start = node.pos): void => {
    const errors: unknown = 'errors' in node ? node.errors : undefined;
    isWhole &&= !(Array.isArray(errors) && errors.length > 0) && known.has(node.type);
    if (node.type === 'Command') {
      const own = pipeline ?? line.slice(start, node.end);
      found.push(seen(node, line, isFed, own, start));
      forEachChild(node, (child) => visit(child, isFed, own));
    } else if (node.type === 'Pipeline') {
      const own = pipeline ?? line.slice(node.pos, node.end);
      isWhole &&= node.prefixes.every(({ type }) => type === 'Time');
      for (const [at, child] of node.commands.entries()) {
        // before a command, to us `time` is its first word
        isWhole &&= at > 0 || node.prefixes.length === 0 || child.type === 'Command';
        visit(child, isFed || at > 0, own, at === 0 ? node.pos : child.pos);
      }
    } else {
      const own = node.type === 'Subshell' ? (pipeline ?? line.slice(start, node.end)) : pipeline;
      forEachChild(node, (child) => visit(child, isFed, own));
    }
  };
  visit(parse(line) as SyntaxNode, false);
  return isWhole && found.length > 0 ? found : undefined;
}

const known = new Set<string>([
  ...['Script', 'Statement', 'AndOr', 'Pipeline', 'Subshell', 'CompoundList', 'Command', 'Word'],
  ...['Literal', 'Glob', 'SingleQuoted', 'DoubleQuoted', 'SimpleExpansion', 'ParameterExpansion'],
  ...['CommandExpansion', 'BraceExpansion', 'Redirect', 'FileDescriptor', 'Assignment', 'Time'],
]);

function seen(node: Command, line: string, isFed: boolean, pipeline: string, start: number): Seen {
  const timed = line
    .slice(start, node.pos)
    .split(/\s+/)
    .filter((word) => word !== '');
  const redirects = node.redirects.every(
    (one) =>
      one.type === 'Redirect' &&
      (/^[<>]&$/.test(one.operator)
        ? /^(?:\d|-)$/.test(one.target?.text ?? '')
        : one.target?.text === '/dev/null'),
  );
  const words = [...(node.name ? [node.name] : []), ...node.args].map(
    (word) =>
      [
        word.text,
        word.type === 'Word' && isLiteral(word.parts) && !isHome(word) ? word.value : undefined,
      ] as const,
  );
  const startsNothing = node.prefix.every(({ type }) => type !== 'Assignment');
  const isPlain = redirects && startsNothing && !startsOthers(node);
  const text = line.slice(start, node.end).trim();
  return {
    text,
    words: [...timed.map((word) => [word, word] as const), ...words],
    isPlain,
    isFed,
    pipeline: pipeline.trim(),
  };
}

function isLiteral(parts: Word['parts']): boolean {
  return (parts ?? []).every(
    (part: WordPart) =>
      ['Literal', 'SingleQuoted'].includes(part.type) ||
      (part.type === 'DoubleQuoted' && part.parts.every(({ type }) => type === 'Literal')),
  );
}

function isHome({ text }: Word): boolean {
  return /(?:^|[=:])~/.test(text);
}

function startsOthers(node: SyntaxNode): boolean {
  let found = false;
  forEachChild(node, (child) => {
    found ||= child.type === 'CommandExpansion' || startsOthers(child);
  });
  return found;
}

function ours(line: string): readonly Seen[] | undefined {
  return readCommands(line)?.map(({ text, words, isPlain, isFed, pipeline }) => ({
    text,
    words: words.map(({ raw, value }) => [raw, value] as const),
    isPlain,
    isFed,
    pipeline: pipeline.text,
  }));
}

/** What is left unknown is asked about, also where it could be known. */
function withUnknown(theirs: readonly Seen[] | undefined, mine: readonly Seen[]) {
  return theirs?.map((one, at) => ({
    ...one,
    words: one.words.map(
      ([raw, value], word) =>
        [raw, mine[at]?.words[word]?.[1] === undefined ? undefined : value] as const,
    ),
  }));
}

const pieces = [
  ...['git', 'npm', 'cat', 'echo', 'a', 'b.ts', 'src/x', '-n', '--long=v', 'A=b', 'A+=c', 'time'],
  ...[
    "'q r'",
    '"d e"',
    '"$V"',
    '"a\\"b"',
    '"a\\\\"',
    "''",
    '""',
    '\\ ',
    '\\;',
    '\\"',
    "\\'",
    'x\\y',
  ],
  ...[
    '$V',
    '${V}',
    '$(ls)',
    '"$(cat f)"',
    '$1',
    '$?',
    '${V:-d}',
    '$((1+1))',
    '`ls`',
    "$'x'",
    '$"y"',
  ],
  ...['*', '*.ts', '?', '[ab]', '{a,b}', '{', '}', '~', '~/x', 'a=~', 'HEAD~1', '!', '#c', 'a#b'],
  ...[
    '<<E\nx\nE\n',
    "<<'E'\n$(x)\nE\n",
    '<<-E\nE\n',
    '<<<w',
    '<f',
    '>f',
    '>>f',
    '>|f',
    '2>&1',
    '&>f',
  ],
  ...['>/dev/null', '2>/dev/null', '<&3', '>&-', '{fd}>f', '<(ls)', '>(ls)', '1>', '12<f'],
  ...[
    ';',
    '&',
    '&&',
    '||',
    '|',
    '|&',
    '(',
    ')',
    '\n',
    '\\\n',
    ';;',
    'if',
    'then',
    'fi',
    'for',
    'in',
  ],
  ...['while', 'do', 'done', 'case', 'esac', 'function', 'coproc', '[[', ']]', '((', '))', 'f()'],
  ...[
    '\r',
    '\r\n',
    '\t',
    '\u00a0',
    '\u2003',
    '\u200b',
    '\ufeff',
    'ä',
    '😀',
    '\\',
    "'",
    '"',
    '$',
    '`',
  ],
];

/** Those that come first are common. */
const tame = 50;

/** Mostly in a form that means something, so that there is much to compare. */
function lines(count: number): readonly string[] {
  const random = new SeededRandom(30);
  const joins = [';', '&&', '|', '\n', '||', '&', '|&'];
  return Array.from({ length: count }, () => {
    const isTame = !random.chance(3);
    const words = Array.from({ length: 1 + random.below(7) }, () => {
      const from = isTame ? (random.chance(4) ? joins : pieces.slice(0, tame)) : pieces;
      return random.pick(from) + (random.chance(8) ? '' : ' ');
    }).join('');
    return isTame && random.chance(4) ? `(${words}) | wc -l` : isTame ? `cat ${words}` : words;
  });
}

it('reads 2,000 lines as a whole parser does, or asks', () => {
  const generated = lines(2_000);
  const understood = generated.flatMap((line) => {
    const mine = ours(line);
    return mine ? [{ line, mine }] : [];
  });
  const differing = understood.filter(
    ({ line, mine }) => JSON.stringify(withUnknown(parsed(line), mine)) !== JSON.stringify(mine),
  );
  expect(differing.map(({ line, mine }) => ({ line, mine, theirs: parsed(line) }))).toEqual([]);
  // there was something to compare, and something to refuse
  expect(understood.length).toBeGreaterThan(500);
  expect(generated.length - understood.length).toBeGreaterThan(500);
  const chains = understood.filter(({ mine }) => mine.length > 1);
  const piped = understood.filter(({ mine }) => mine.some(({ isFed }) => isFed));
  expect(Math.min(chains.length, piped.length)).toBeGreaterThan(75);
});

it('has no rule for a line that it does not read', () => {
  for (const line of lines(2_000).filter((one) => !readCommands(one))) {
    expect(judgeCommand(line, [], new Map())).toEqual({
      isAllowed: false,
      isReading: false,
      parts: [],
    });
  }
});
