/**
 * The blocks of a text that grows. Blocks that cannot change any more are not read again, so that each step costs what
 * is new and the last blocks, however long the text is.
 */
import type { Token, Tokens, TokensList } from 'marked';
import { addAll } from '../../../base/lists.js';
import { lexMarkdown } from './markdownTokens.js';
import { type GrownCode, growCode, openCode } from './openCode.js';

export interface BlockChange {
  /** Blocks from the beginning that stay as they are. */
  readonly kept: number;
  /** Blocks in the place of all others. */
  readonly added: readonly Token[];
  /** `added` is one block of code that has got longer and is otherwise the same. */
  readonly grown?: GrownCode;
  readonly links: TokensList['links'];
}

/** A block with what links in it lead to. */
type Source = string;

export class MarkdownStream {
  private text = '';
  private isComplete = false;
  private readonly sources: Source[] = [];
  /** Blocks before this one are final. */
  private finalCount = 0;
  /** Where they end in the text. */
  private finalEnd = 0;
  /** The last block, when it is code that goes on, and what links lead to before it. */
  private open: { readonly token: Tokens.Code; readonly links: TokensList['links'] } | undefined;

  /** @param lex default: that of Markdown */
  constructor(private readonly lex: (text: string) => TokensList = lexMarkdown) {}

  /**
   * @param isComplete nothing follows: the text is read whole once, since links may be defined after their use
   * @returns `undefined` when nothing changed
   */
  update(text: string, isComplete: boolean): BlockChange | undefined {
    if (text === this.text && isComplete === this.isComplete) {
      return undefined;
    }
    if (isComplete || this.isComplete || !text.startsWith(this.text)) {
      this.finalCount = 0;
      this.finalEnd = 0;
    }
    const grown = isComplete ? undefined : this.grow(text);
    this.text = text;
    this.isComplete = isComplete;
    if (grown) {
      return grown;
    }
    const rest = text.slice(this.finalEnd);
    const tokens = this.lex(rest);
    const links = JSON.stringify(tokens.links);
    const sources = tokens.map(({ raw }) => links + raw);
    let same = 0;
    while (same < sources.length && sources[same] === this.sources[this.finalCount + same]) {
      same++;
    }
    const kept = this.finalCount + same;
    this.sources.length = kept;
    addAll(this.sources, sources.slice(same));
    const last = openCode(tokens.at(-1));
    this.open = last && !isComplete ? { token: last, links: tokens.links } : undefined;
    if (!isComplete) {
      this.finish(tokens, rest);
    }
    return { kept, added: tokens.slice(same), links: tokens.links };
  }

  /** Code that goes on is not read again, however long it is. */
  private grow(text: string): BlockChange | undefined {
    const { open } = this;
    const known = this.text;
    const grown = open && text.startsWith(known) && growCode(open.token, text.slice(known.length));
    if (!open || !grown) {
      return undefined;
    }
    const { links } = open;
    this.open = { token: grown.token, links };
    this.sources[this.sources.length - 1] = JSON.stringify(links) + grown.token.raw;
    return { kept: this.sources.length - 1, added: [grown.token], links, grown: grown.code };
  }

  private finish(tokens: TokensList, rest: string): void {
    const count = finalBlocks(tokens);
    const end = tokens.slice(0, count).reduce((sum, { raw }) => sum + raw.length, 0);
    const raw = tokens.map((token) => token.raw).join('');
    // line ends of other systems are read as ours, so that places in the text are not known
    if (raw === rest) {
      this.finalCount += count;
      this.finalEnd += end;
    }
  }
}

/** What follows can still change the last two blocks: a list goes on after empty lines, a line of dashes makes a title. */
function finalBlocks(tokens: TokensList): number {
  let open = 2;
  for (let index = tokens.length - 1; index >= 0; index--) {
    const token = tokens[index];
    if (token?.type !== 'space') {
      if (open < 2 && isClosedFence(token)) {
        return index + 1;
      }
      open--;
      if (open === 0) {
        return index;
      }
    }
  }
  return 0;
}

function isClosedFence(token: Token | undefined): boolean {
  if (token?.type !== 'code' || token.codeBlockStyle === 'indented') {
    return false;
  }
  const [, fence = ''] = /^ {0,3}(`{3,}|~{3,})/.exec(token.raw) ?? [];
  const last = token.raw.trimEnd().split('\n').at(-1)?.trim() ?? '';
  return fence !== '' && last.length >= fence.length && last === fence[0]?.repeat(last.length);
}
