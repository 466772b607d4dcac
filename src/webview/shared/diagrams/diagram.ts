/** Diagrams of answers and results, drawn when the user asks: as a picture, of which nothing can run or load anything. */
import * as l10n from '@vscode/l10n';
import { drawDiagram } from './diagramWorker.js';
import { maxDiagramLines, maxLength } from './mermaidText.js';

/** Characters of what is said of a picture to those who do not see it. */
const maxSpoken = 400;

/** Of the buttons, which stand for the other of the two. */
export function diagramLabel(isShown: boolean): string {
  return isShown ? l10n.t('Hide Diagram') : l10n.t('Show Diagram');
}

/** Of a button at a text that stays beside its diagram. @param number of several */
export function hiddenLabel(number?: string): string {
  return [diagramLabel(false), ...(number === undefined ? [] : [number])].join(' ');
}

function shownLabel(number?: string): string {
  return [diagramLabel(true), ...(number === undefined ? [] : [number])].join(' ');
}

/** Shows the diagram of the block, in place of its text where that is part of the block; or the text again. */
export async function toggleDiagram(button: HTMLElement): Promise<void> {
  const block = button.closest<HTMLElement>('.code-block');
  if (!block || block.ariaBusy === 'true') {
    return;
  }
  const isShown = isDiagramShown(block);
  clear(block);
  if (!isShown) {
    block.ariaBusy = 'true';
    await show(block);
    block.ariaBusy = null;
  }
  nameButton(button, isDiagramShown(block));
}

/** One has its name in words, the other one is an icon. */
function nameButton(button: HTMLElement, isShown: boolean): void {
  const words = button.querySelector('span:not(.codicon)');
  if (words) {
    const { number } = button.dataset;
    words.textContent = isShown ? shownLabel(number) : hiddenLabel(number);
  } else {
    const label = diagramLabel(isShown);
    button.ariaLabel = label;
    button.title = label;
  }
}

/** Draws what is shown in the colours of the theme that is there now. */
export function followTheme(root: HTMLElement): void {
  const redraw = () => {
    for (const picture of root.querySelectorAll('img.diagram-picture')) {
      const block = picture.closest<HTMLElement>('.code-block');
      if (block) {
        void show(block);
      }
    }
  };
  const attributeFilter = ['class', 'data-vscode-theme-id'];
  new MutationObserver(redraw).observe(document.body, { attributeFilter });
}

/** What each block waits for: a drawing that the user gave up, or that another theme overtook, is not shown. */
const awaited = new WeakMap<HTMLElement, symbol>();

async function show(block: HTMLElement): Promise<void> {
  const own = Symbol('drawing');
  awaited.set(block, own);
  const source = block.querySelector('code')?.textContent ?? '';
  const isSmall = source.length <= maxLength && source.split('\n').length <= maxDiagramLines;
  const drawn = isSmall ? await drawDiagram({ source, colors: themeColors() }) : undefined;
  if (awaited.get(block) !== own) {
    return;
  }
  clear(block);
  if (!drawn) {
    block.append(
      note(l10n.t('This diagram cannot be drawn here: it is too large, or not understood.')),
    );
    return;
  }
  if (drawn.kind === 'unknown') {
    block.append(note(l10n.t('Diagrams of the kind {0} cannot be drawn here.', drawn.name)));
    return;
  }
  const picture = document.createElement('img');
  picture.className = 'diagram-picture';
  picture.alt = l10n.t('{0}: {1}', l10n.t('Diagram'), drawn.words.join(', ').slice(0, maxSpoken));
  picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(drawn.svg)}`;
  const view = document.createElement('div');
  view.className = 'diagram';
  // a wide one scrolls
  view.tabIndex = 0;
  view.role = 'group';
  view.ariaLabel = l10n.t('Diagram');
  view.append(picture);
  block.append(view);
  if (!drawn.isWhole) {
    block.append(note(l10n.t('Some lines were not understood.')));
  }
  setTextShown(block, false);
}

function clear(block: HTMLElement): void {
  awaited.delete(block);
  for (const one of block.querySelectorAll('.diagram')) {
    one.remove();
  }
  setTextShown(block, true);
}

function isDiagramShown(block: HTMLElement): boolean {
  return block.querySelector('img.diagram-picture') !== null;
}

function setTextShown(block: HTMLElement, isShown: boolean): void {
  const text = block.querySelector<HTMLElement>('.code-lines');
  if (text) {
    text.hidden = !isShown;
  }
}

function note(text: string): HTMLElement {
  const line = document.createElement('p');
  line.className = 'diagram dim';
  line.role = 'status';
  line.textContent = text;
  return line;
}

function themeColors() {
  const style = getComputedStyle(document.body);
  const color = (name: string) => style.getPropertyValue(name).trim() || style.color;
  const label = color('--vscode-descriptionForeground');
  return { text: color('--vscode-foreground'), line: label, label };
}
