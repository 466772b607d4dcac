/** What the page of a tool may be in. */
import type { JsonObject } from '../../base/json.js';
import type {
  MissingTool,
  RunOutcome,
  RunToolEvents,
  RunToolView,
} from '../../protocol/tools/runTool.js';

export type RunTool =
  | { readonly kind: 'unknown' }
  /** There is nothing to run, yet. */
  | { readonly kind: 'missing'; readonly missing: MissingTool }
  | ToolOnPage;

export interface ToolOnPage {
  readonly kind: 'offered';
  readonly view: RunToolView;
  /** What the server offers by now: another schema, or nothing. */
  readonly newer?: { readonly view?: RunToolView } | undefined;
}

/** The box beside the form; what was typed into it counts as it is. */
export type JsonBox =
  | { readonly kind: 'form' }
  | { readonly kind: 'typed'; readonly value: JsonObject }
  | { readonly kind: 'wrong'; readonly problem: string };

export type LastRun =
  | { readonly kind: 'none' }
  | { readonly kind: 'running'; readonly progress?: RunToolEvents['progress']['params'] }
  | { readonly kind: 'answered'; readonly outcome: RunOutcome };
