/** Diagrams of answers, drawn as text when the user asks: nothing of them can run or load anything. */
import * as l10n from '@vscode/l10n';
import { type CodeTools, loadCodeTools } from '../../shared/codeTools.js';

/** What is longer is not drawn: the time that it takes grows faster than its length. */
const maxLength = 6_000;
const maxLines = 150;

/** Draws the diagram of the block below its code, or takes the drawing away again. */
export async function toggleDiagram(button: HTMLElement): Promise<void> {
  const block = button.closest('.code-block');
  const shown = [...(block?.querySelectorAll('.diagram') ?? [])];
  if (!block || shown.length > 0) {
    for (const one of shown) {
      one.remove();
    }
    button.ariaExpanded = 'false';
    return;
  }
  const source = block.querySelector('code')?.textContent ?? '';
  const drawn = await drawingOf(source);
  if (block.querySelector('.diagram')) {
    return;
  }
  const view = document.createElement(drawn === undefined ? 'p' : 'pre');
  view.className = 'diagram';
  view.textContent =
    drawn?.text ??
    l10n.t('This diagram cannot be drawn here: it is too large, or of a kind that is not known.');
  if (drawn !== undefined) {
    view.tabIndex = 0;
    view.role = 'img';
    view.ariaLabel = l10n.t('Diagram, described by the code above it');
  }
  block.append(view);
  if (drawn?.isWhole === false) {
    const note = document.createElement('p');
    note.className = 'diagram dim';
    note.textContent = l10n.t('Some lines of it were not understood.');
    block.append(note);
  }
  button.ariaExpanded = 'true';
}

async function drawingOf(source: string): Promise<ReturnType<CodeTools['draw']>> {
  if (source.length > maxLength || source.split('\n').length > maxLines) {
    return undefined;
  }
  const tools = await loadCodeTools();
  try {
    return tools?.draw(source);
  } catch {
    // what its reader did not expect
    return undefined;
  }
}
