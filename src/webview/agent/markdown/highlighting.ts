/** Gives code its colours once it is in sight, complete, and there is time. */
import DOMPurify from 'dompurify';
import { loadCodeTools } from '../../shared/codeTools.js';

/** What is longer stays plain; an editor is the place for it. */
const maxLines = 200;
const maxLength = 20_000;
/** Milliseconds after which code that was still being written is looked at again. */
const againMs = 500;

const observer =
  'IntersectionObserver' in globalThis
    ? new IntersectionObserver((entries) => {
        for (const { target, isIntersecting } of entries) {
          if (isIntersecting && target instanceof HTMLElement) {
            observer?.unobserve(target);
            whenIdle(() => highlight(target));
          }
        }
      })
    : undefined;

/** @param code its text and nothing else */
export function highlightInSight(code: HTMLElement, language: string): void {
  if (language !== '') {
    code.dataset.language = language;
    observer?.observe(code);
  }
}

async function highlight(code: HTMLElement): Promise<void> {
  if (!code.isConnected) {
    return;
  }
  if (isWritten(code) || isSelected(code)) {
    setTimeout(() => observer?.observe(code), againMs);
    return;
  }
  const text = code.textContent ?? '';
  if (text.length > maxLength || text.split('\n').length > maxLines) {
    return;
  }
  const tools = await loadCodeTools();
  const html = tools?.highlight(text, code.dataset.language ?? '');
  if (html === undefined || code.textContent !== text || isSelected(code)) {
    return;
  }
  const coloured = DOMPurify.sanitize(html, {
    ALLOWED_TAGS: ['span'],
    ALLOWED_ATTR: ['class'],
    RETURN_DOM_FRAGMENT: true,
  });
  if (coloured.textContent === text) {
    code.replaceChildren(coloured);
  }
}

/** It is the end of an answer that goes on. */
function isWritten(code: HTMLElement): boolean {
  const isStreaming = code.closest('[aria-busy="true"]') !== null;
  return isStreaming && code.closest('.code-block')?.matches(':last-child') === true;
}

/** The user has marked some of it, which would be lost. */
function isSelected(code: HTMLElement): boolean {
  const selection = getSelection();
  return selection !== null && !selection.isCollapsed && selection.containsNode(code, true);
}

function whenIdle(work: () => unknown): void {
  requestIdleCallback(() => void work(), { timeout: 1_000 });
}
