/**
 * Markdown of a model as DOM. What the model writes is foreign text: raw HTML shows as text, images show as their
 * description, and only links to the web and to mail addresses are links.
 */
import * as l10n from '@vscode/l10n';
import DOMPurify from 'dompurify';
import { Directive, directive } from 'lit-html/directive.js';
import type { Token, TokensList } from 'marked';
import { addAll } from '../../../base/lists.js';
import { diagramLabel } from '../../shared/diagrams/diagram.js';
import { filePlaceOf, filePlaceOfCode, makeFileLink } from './fileLinks.js';
import { highlightInSight } from './highlighting.js';
import { MarkdownStream } from './markdownStream.js';
import { fileMark, markdownHtml } from './markdownTokens.js';

const allowedTags = [
  'p br hr h1 h2 h3 h4 h5 h6 blockquote ul ol li',
  'strong em del code pre a',
  'table thead tbody tr th td',
].flatMap((line) => line.split(' '));

/** Draws a growing text into one element and touches only the blocks that changed, so that a selection survives. */
class MarkdownView {
  readonly element = document.createElement('div');
  private readonly stream = new MarkdownStream();
  private readonly blocks: (readonly ChildNode[])[] = [];

  constructor() {
    this.element.className = 'markdown';
    this.element.dataset.find = 'answer';
  }

  update(text: string, isComplete: boolean): void {
    const change = this.stream.update(text, isComplete);
    if (!change) {
      return;
    }
    const { kept, added, links, grown } = change;
    const code = grown && codeOf(this.blocks[kept]);
    if (code) {
      code.replaceData(grown.from, code.length - grown.from, grown.added);
      return;
    }
    for (const node of this.blocks.splice(kept).flat()) {
      node.remove();
    }
    const drawn = added.map((token) => drawBlock(token, links));
    addAll(this.blocks, drawn);
    for (const node of drawn.flat()) {
      this.element.append(node);
    }
  }
}

class GrowingMarkdown extends Directive {
  private readonly view = new MarkdownView();

  override render(text: string, isComplete: boolean): HTMLElement {
    this.view.update(text, isComplete);
    return this.view.element;
  }
}

/** Of a text that grows, in one place of a template. */
export const growingMarkdown = directive(GrowingMarkdown);

/** Of a text that is complete. */
export function markdownElement(text: string): HTMLElement {
  const view = new MarkdownView();
  view.update(text, true);
  return view.element;
}

/** The text of a block that is nothing but code. */
function codeOf(block: readonly ChildNode[] | undefined): Text | undefined {
  const element = block?.find((node) => node instanceof HTMLElement);
  const text = element?.querySelector('pre > code')?.firstChild;
  return text instanceof Text ? text : undefined;
}

function drawBlock(token: Token, links: TokensList['links']): readonly ChildNode[] {
  const fragment = DOMPurify.sanitize(markdownHtml(token, links), {
    ALLOWED_TAGS: allowedTags,
    ALLOWED_ATTR: ['href', 'title', 'start', 'align'],
    ALLOWED_URI_REGEXP: /^(?:https?|mailto):/i,
    RETURN_DOM_FRAGMENT: true,
  });
  for (const pre of fragment.querySelectorAll('pre')) {
    pre.replaceWith(codeBlock(pre));
  }
  for (const table of fragment.querySelectorAll('table')) {
    const scroll = document.createElement('div');
    scroll.className = 'table-scroll';
    scroll.tabIndex = 0;
    scroll.role = 'group';
    scroll.ariaLabel = l10n.t('Table');
    table.replaceWith(scroll);
    scroll.append(table);
  }
  linkFiles(fragment);
  return [...fragment.childNodes];
}

function linkFiles(fragment: DocumentFragment): void {
  for (const link of fragment.querySelectorAll<HTMLAnchorElement>('a:not([href])')) {
    const { title } = link;
    const place = title.startsWith(fileMark)
      ? filePlaceOf(title.slice(fileMark.length))
      : undefined;
    if (place) {
      makeFileLink(link, place);
    }
  }
  for (const code of fragment.querySelectorAll('code')) {
    const isPlain = !code.closest('a, pre');
    const place = isPlain ? filePlaceOfCode(code.textContent ?? '') : undefined;
    if (place) {
      const link = document.createElement('a');
      makeFileLink(link, place);
      code.replaceWith(link);
      link.append(code);
    }
  }
}

/** Its buttons stand above the code, so that they never cover it. Long lines scroll inside the block, hence the tab stop. */
function codeBlock(pre: HTMLPreElement): HTMLElement {
  const language = pre.title;
  const block = document.createElement('div');
  block.className = 'code-block';
  const head = document.createElement('div');
  head.className = 'code-head';
  const name = document.createElement('span');
  name.className = 'code-language';
  name.textContent = language;
  head.append(name, ...codeButtons(language));
  pre.removeAttribute('title');
  pre.tabIndex = 0;
  pre.classList.add('code-lines');
  const lines = pre.cloneNode(true);
  block.append(head, lines);
  const code = lines instanceof HTMLElement ? lines.querySelector('code') : null;
  if (code) {
    highlightInSight(code, language);
  }
  return block;
}

function codeButtons(language: string): readonly HTMLButtonElement[] {
  const insert = codeButton(l10n.t('Insert at Cursor'), 'insert');
  insert.dataset.codeUse = 'insert';
  const open = codeButton(l10n.t('Open in Editor'), 'go-to-file');
  open.dataset.codeUse = 'open';
  open.dataset.language = language;
  const copy = codeButton(l10n.t('Copy'), 'copy');
  copy.dataset.copy = '';
  return language === 'mermaid' ? [diagramButton(), copy, insert, open] : [copy, insert, open];
}

function diagramButton(): HTMLButtonElement {
  const draw = codeButton(diagramLabel(false), 'type-hierarchy');
  draw.dataset.drawDiagram = '';
  return draw;
}

function codeButton(label: string, glyph: string): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'icon-button';
  button.ariaLabel = label;
  button.title = label;
  const icon = document.createElement('span');
  icon.className = `codicon codicon-${glyph}`;
  icon.ariaHidden = 'true';
  button.append(icon);
  return button;
}
