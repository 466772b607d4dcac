import * as l10n from '@vscode/l10n';
import { HumanError } from '../../base/errors.js';

/** Characters of a command line; more is no command that anybody copied. */
const maxLineLength = 64 * 1024;

/**
 * Splits a command line as a POSIX shell would, without running or expanding anything: `$VAR` becomes `${VAR}`, a
 * glob stays as written. Words that begin as only paths of Windows do keep their backslashes; doubled ones are one.
 * @throws {HumanError} `paste-shell-syntax` for pipes, redirections and the like, which only a shell understands, and
 * for what no shell would.
 */
export function shellWords(line: string): string[] {
  if (line.length > maxLineLength) {
    throw new HumanError(
      'paste_too_long',
      l10n.t('The text has more than {0} characters.', maxLineLength),
      { remedy: l10n.t('Copy the part that describes the server.') },
    );
  }
  return new ShellScanner(line.replace(/\\\r?\n/g, (end) => ' '.repeat(end.length))).words();
}

const operator = /\|\||&&|;;|>>|<<|\$\(|[|&;()<>`]/y;
const blanks = /\s+/y;
const plainText = /[^\s'"\\$`|&;()<>]+/y;
const singleQuoted = /'([^']*)'/y;
const ansiQuoted = /\$'((?:[^'\\]|\\.)*)'/sy;
const name = /\$([A-Za-z_]\w*|[0-9*@#?$!-])/y;
const bracedName = /\$\{([^{}$\s]+)\}/y;
const comment = /#[^\n]*/y;
const bareWord = /[^\s"'$`|&;()<>]*/y;
const backslashes = /\\+/y;
const otherMachine = /\\\\(?=[\w.-]+\\[\w.])/y;
const windowsPath =
  /^(?:-{0,2}[\w-]+=)?(?:(?:[A-Za-z]:|%\w+%)\\|\.{1,2}\\.|\\\\[\w.-]+\\[\w.])|\\[\w.-]+\.(?:exe|cmd|bat|com|ps1)$/i;

const ansiEscapes: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  e: '\x1B',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

/** Goes forward only: each character is looked at a bounded number of times. */
class ShellScanner {
  private at = 0;
  /** The word that is read. */
  private isOfWindows = false;

  constructor(private readonly line: string) {}

  words(): string[] {
    const words: string[] = [];
    this.skipBlanks();
    while (this.at < this.line.length) {
      words.push(this.word());
      this.skipBlanks();
    }
    return words;
  }

  /** Comments, too. */
  private skipBlanks(): void {
    do {
      this.take(blanks);
    } while (this.take(comment));
  }

  private word(): string {
    bareWord.lastIndex = this.at;
    this.isOfWindows = windowsPath.test(bareWord.exec(this.line)?.[0] ?? '');
    let word = '';
    for (let part = this.part(); part !== undefined; part = this.part()) {
      word += part;
    }
    return word;
  }

  /** Two at the beginning lead to another machine. */
  private pathMark(): string {
    const isBeginning = /\s|^$|=/.test(this.line.charAt(this.at - 1));
    const { length } = this.take(backslashes)?.[0] ?? '';
    return '\\'.repeat(Math.max(isBeginning ? Math.min(length, 2) : 1, Math.floor(length / 2)));
  }

  /** `undefined` at the end of the word. */
  private part(): string | undefined {
    const [op] = this.take(operator) ?? [];
    if (op !== undefined) {
      throw onlyForShells(op, this.at - op.length);
    }
    switch (this.line[this.at]) {
      case "'":
        return (this.take(singleQuoted) ?? unclosed(this.at))[1];
      case '"':
        return this.doubleQuoted();
      case '\\':
        if (this.isOfWindows) {
          return this.pathMark();
        }
        this.at += 2;
        return this.line.charAt(this.at - 1);
      case '$':
        return this.ansiQuoted() ?? this.variable();
      default:
        return this.take(plainText)?.[0];
    }
  }

  private doubleQuoted(): string {
    const opening = this.at++;
    let text = this.take(otherMachine)?.[0] ?? '';
    for (;;) {
      const character = this.line[this.at];
      if (character === undefined) {
        return unclosed(opening);
      }
      if (character === '"') {
        this.at++;
        return text;
      }
      if (character === '$') {
        text += this.variable();
      } else if (character === '\\' && '"\\$`'.includes(this.line[this.at + 1] ?? ' ')) {
        text += this.line.charAt(this.at + 1);
        this.at += 2;
      } else {
        text += character;
        this.at++;
      }
    }
  }

  private ansiQuoted(): string | undefined {
    return this.take(ansiQuoted)?.[1]?.replace(
      /\\(.)/gs,
      (_whole, escaped: string) => ansiEscapes[escaped] ?? escaped,
    );
  }

  private variable(): string {
    const found = this.take(name) ?? this.take(bracedName);
    if (found) {
      return `\${${found[1]}}`;
    }
    if (this.line[this.at + 1] === '{') {
      throw new HumanError(
        'paste_shell_syntax',
        l10n.t('The command line uses a variable in a way that no shell understands.'),
        { remedy: l10n.t('Write it as {0}.', '${NAME}'), facts: { at: this.at } },
      );
    }
    this.at++;
    return '$';
  }

  private take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.line);
    if (found) {
      this.at = pattern.lastIndex;
    }
    return found ?? undefined;
  }
}

function onlyForShells(op: string, at: number): HumanError {
  return new HumanError(
    'paste_shell_syntax',
    l10n.t('The command line uses "{0}", which only a shell understands.', op),
    { remedy: l10n.t('Paste the plain command, or wrap it: sh -c "…".'), facts: { at } },
  );
}

function unclosed(at: number): never {
  throw new HumanError(
    'paste_shell_syntax',
    l10n.t('The command line opens a quotation and does not close it.'),
    { remedy: l10n.t('Copy the part that describes the server.'), facts: { at } },
  );
}
