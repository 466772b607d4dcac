import { html, nothing, type TemplateResult } from 'lit-html';
import { keyed } from 'lit-html/directives/keyed.js';
import { icon } from '../icon.js';
import { hiddenLabel, toggleDiagram } from './diagram.js';
import { diagramsIn } from './mermaidText.js';

/** Below texts of a result that have diagrams in them: to look at each. */
export function resultDiagrams(texts: readonly string[]): TemplateResult | typeof nothing {
  const sources = texts.flatMap(diagramsIn);
  return sources.length === 0
    ? nothing
    : html`${sources.map((source, at) => diagramView(source, sources.length > 1 ? at + 1 : undefined))}`;
}

/** The picture that was drawn of one source does not stay with another, nor the words of its button with another number. */
function diagramView(source: string, number: number | undefined) {
  return keyed(
    `${number} ${source}`,
    html`<div class="code-block result-diagram">
      <button
        type="button"
        class="link-button"
        data-number=${number ?? nothing}
        @click=${({ currentTarget }: Event) => toggleDiagram(currentTarget as HTMLElement)}
      >
        ${icon('type-hierarchy')}<span>${hiddenLabel(number?.toString())}</span>
      </button>
      <code hidden>${source}</code>
    </div>`,
  );
}
