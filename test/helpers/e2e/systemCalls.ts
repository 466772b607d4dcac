/** What the extension host and all that it starts ask the kernel for, by `strace`, from which no library of a process hides. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const traced = [
  ...['connect', 'sendto', 'sendmsg', 'sendmmsg', 'bind'],
  ...['execve', 'clone', 'clone3', 'fork', 'vfork'],
  ...['open', 'openat', 'creat', 'truncate', 'mkdir', 'mkdirat', 'rmdir', 'mknod', 'mknodat'],
  ...['rename', 'renameat', 'renameat2', 'unlink', 'unlinkat', 'link', 'linkat'],
  ...['symlink', 'symlinkat', 'chmod', 'fchmodat', 'chown', 'fchownat', 'utimensat'],
];

/** What a program is started under, so that its calls are written to the file. */
export function recordCalls(file: string): readonly string[] {
  return [
    ...['strace', '--follow-forks', '--seccomp-bpf', '--quiet=all', '--signal=none'],
    ...['--decode-fds=path', '--string-limit=256', `--trace=${traced.join(',')}`],
    `--output=${file}`,
  ];
}

interface Seen {
  /** What the process was started as. */
  readonly program: string;
  /** An address with its port, the name that is looked up, or the absolute path of a file. */
  readonly what: string;
}

export interface Recording {
  readonly connections: readonly Seen[];
  readonly lookups: readonly Seen[];
  readonly listens: readonly Seen[];
  readonly writes: readonly Seen[];
}

interface Call {
  readonly name: string;
  readonly args: string;
  readonly result: string;
}

/** Of the processes below one that was started with this in its command line. */
export function readCalls(file: string, mark: string): Recording {
  const recording = {
    connections: [] as Seen[],
    lookups: [] as Seen[],
    listens: [] as Seen[],
    writes: [] as Seen[],
  };
  const programs = new Map</* thread or process */ string, string>();
  for (const [pid, call] of readLines(readFileSync(file, 'latin1'))) {
    if (call.name === 'execve' && call.result === '0') {
      const program = readStrings(call.args).slice(1).join(' ');
      if (programs.has(pid) || program.includes(mark)) {
        programs.set(pid, program);
      }
    }
    const program = programs.get(pid);
    if (program === undefined) {
      continue;
    }
    if (/^(?:v?fork|clone3?)$/.test(call.name)) {
      programs.set(call.result, program);
    }
    for (const kind of Object.keys(recording) as (keyof Recording)[]) {
      recording[kind].push(...readers[kind](call).map((what) => ({ program, what })));
    }
  }
  return recording;
}

const readers: Readonly<Record<keyof Recording, (call: Call) => readonly string[]>> = {
  connections: ({ name, args }) =>
    name === 'connect' || name.startsWith('send') ? readAddresses(args) : [],
  lookups: ({ name, args }) => (name.startsWith('send') ? readQuestions(args) : []),
  listens: ({ name, args }) => (name === 'bind' ? readAddresses(args) : []),
  writes: readWrites,
};

/** A call that another thread interrupts stands in two lines. */
function* readLines(text: string): Generator<readonly [pid: string, call: Call]> {
  const begun = new Map<string, string>();
  for (const line of text.split('\n')) {
    const [, pid = '', rest = ''] = /^(\d+) +(.*)$/.exec(line) ?? [];
    const [, start] = /^(.*) <unfinished \.\.\.>$/.exec(rest) ?? [];
    if (start !== undefined) {
      begun.set(pid, start);
      continue;
    }
    const [, end] = /^<\.\.\. \w+ resumed>(.*)$/.exec(rest) ?? [];
    const whole = end === undefined ? rest : `${begun.get(pid) ?? ''}${end}`;
    const [, name = '', args = '', result = ''] =
      /^(\w+)\((.*)\)? += (-?\w+(?:<[^>]*>)?)/.exec(whole) ?? [];
    if (name !== '') {
      yield [pid, { name, args, result }];
    }
  }
}

/** Of the internet; sockets of this machine have a path. */
function readAddresses(args: string): readonly string[] {
  const found = args.matchAll(
    /sin6?_port=htons\((\d+)\).*?(?:inet_addr\("([^"]+)"\)|inet_pton\(AF_INET6, "([^"]+)")/g,
  );
  return [...found].map(([, port, four, six]) => `${four ?? `[${six}]`}:${port}`);
}

/** The names in questions to a name server: a header of 12 bytes, then labels behind their lengths. */
function readQuestions(args: string): readonly string[] {
  return readStrings(args).flatMap((text) => {
    const bytes = toBytes(text);
    const isQuestion = bytes.length > 16 && bytes.slice(4, 12) === '\0\x01\0\0\0\0\0\0';
    return isQuestion ? [readName(bytes, 12)] : [];
  });
}

function readName(bytes: string, start: number): string {
  const length = bytes.charCodeAt(start);
  const end = start + 1 + length;
  const label = bytes.slice(start + 1, end);
  return bytes.charCodeAt(end) > 0 ? `${label}.${readName(bytes, end)}` : label;
}

const escapes: Readonly<Record<string, string>> = {
  t: '\t',
  n: '\n',
  v: '\v',
  f: '\f',
  r: '\r',
};

/** A text of the record as the bytes that it stands for. */
function toBytes(text: string): string {
  return text.replace(/\\([0-7]{1,3}|.)/g, (_whole, code: string) =>
    /\d/.test(code) ? String.fromCharCode(Number.parseInt(code, 8)) : (escapes[code] ?? code),
  );
}

/** Paths that a call made, changed or removed. What failed changed nothing. */
function readWrites({ name, args, result }: Call): readonly string[] {
  if (result.startsWith('-')) {
    return [];
  }
  if (name === 'bind') {
    return [...args.matchAll(/sun_path="([^"]+)"/g)].map(([, path = '']) => path);
  }
  if (/^(?:open|openat|creat)$/.test(name)) {
    const isWritten = /\bO_(?:WRONLY|RDWR|CREAT|TRUNC|APPEND)\b/.test(args) || name === 'creat';
    return isWritten ? [result.replace(/^\d+<(.*)>$/, '$1')] : [];
  }
  if (!/^(?:truncate|mk|rmdir|rename|unlink|link|symlink|f?ch|utime)/.test(name)) {
    return [];
  }
  const places = [...args.matchAll(/(?:<([^>]*)>, )?"((?:[^"\\]|\\.)*)"/g)];
  // what a link leads to is only read
  const written = /^(?:sym)?link/.test(name) ? places.slice(1) : places;
  return written.map(([, folder = '', path = '']) => resolve(folder, path));
}

function readStrings(args: string): readonly string[] {
  return [...args.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, text = '']) => text);
}
