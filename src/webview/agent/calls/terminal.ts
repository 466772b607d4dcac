/** What a command gave out, as a terminal shows it. */
import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { showHidden } from '../../../base/text/showHidden.js';
import { actionLink } from '../../shared/buttons.js';
import type { AgentPage } from '../agentPage.js';
import { copyButton } from '../copy.js';
import type { ToolEntry } from '../pageState.js';
import { ansiSpans } from './ansi.js';

/** Lines of the end that are shown by themselves; of a command, the end says most. */
const shortLines = 10;
/** What Pi says of a command that gave out nothing. */
const nothingOut = '(no output)';

export function terminalView(
  entry: ToolEntry,
  command: string | undefined,
  expanded: ReadonlySet<string>,
  page: AgentPage,
  short = shortLines,
): TemplateResult | typeof nothing {
  const { id, earlierLines = 0 } = entry;
  const { text, ending } = outputOf(entry);
  const lines = text === '' ? [] : text.split('\n');
  const part = `${id}/result`;
  const isWhole = lines.length <= short || expanded.has(part);
  const shown = isWhole ? lines : lines.slice(-short);

  if (lines.length === 0 && command === undefined && ending === undefined) {
    return nothing;
  }
  return html`<div class="terminal code-block">
    ${
      command === undefined
        ? nothing
        : html`<div class="terminal-command" data-find="values"><span aria-hidden="true" class="dim">$ </span>${command}</div>`
    }
    ${
      lines.length > short || earlierLines > 0
        ? actionLink(
            isWhole
              ? l10n.t('Show Less')
              : `${l10n.t('Show All')} (${lines.length + earlierLines})`,
            () => page.toggle(part),
            { isExpanded: isWhole, fold: part },
          )
        : nothing
    }
    ${
      lines.length > 0
        ? html`<div class="terminal-output" data-find="result">
            <pre tabindex="0" role="group" aria-label=${l10n.t('Output')}>${ansiSpans(
              shown.join('\n'),
            ).map(({ text: part, classes, colors }) =>
              classes === ''
                ? shownOutput(part)
                : html`<span class=${classes} .style=${colors}>${shownOutput(part)}</span>`,
            )}</pre>
          </div>`
        : nothing
    }
    <div class="terminal-foot">
      <span class="dim">${ending ?? nothing}</span>${lines.length > 0 ? copyButton() : nothing}
    </div>
  </div>`;
}

/** What turns text or has no place in it shows as an escape; signs of writing systems and pictures stay. */
function shownOutput(text: string): string {
  return text.replace(
    /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]|(?![\n\t])\p{Cc}/gu,
    showHidden,
  );
}

/** Without what Pi says of the end of a command below its output. */
function outputOf({ result, status }: ToolEntry): {
  readonly text: string;
  readonly ending?: string;
} {
  const text = result
    .flatMap((block) => (block.kind === 'text' ? [block.text] : []))
    .join('\n')
    .replace(/\n+$/, '');
  if (status === 'done') {
    return { text: text === nothingOut ? '' : text, ending: l10n.t('Exit code {0}', 0) };
  }
  if (status !== 'failed') {
    return { text };
  }
  const start = text.lastIndexOf('\n') + 1;
  const ending = endingOf(text.slice(start));
  return ending === undefined
    ? { text }
    : { text: text.slice(0, start).replace(/\n+$/, ''), ending };
}

/** With which a command ended; `undefined` when it is not known. */
export function exitCodeOf({ words, result }: ToolEntry): string | undefined {
  const last = words?.kind === 'command' ? result.at(-1) : undefined;
  const line = last?.kind === 'text' ? last.text.trimEnd().split('\n').at(-1) : undefined;
  return /^Command exited with code (-?\d+)$/.exec(line ?? '')?.[1];
}

function endingOf(line: string): string | undefined {
  const [, code, seconds] =
    /^Command (?:exited with code (-?\d+)|timed out after ([\d.]+) seconds)$/.exec(line) ?? [];
  if (code !== undefined) {
    return l10n.t('Exit code {0}', code);
  }
  if (seconds !== undefined) {
    return l10n.t('Timed out after {0} s', seconds);
  }
  return line === 'Command aborted' ? l10n.t('Stopped') : undefined;
}
