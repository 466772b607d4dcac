/** What goes with a run beside its arguments, as it is typed, and what of it is kept. */
import * as l10n from '@vscode/l10n';
import { parseExactJson } from '../../base/form/exactJson.js';
import { asObject, isDeeperThan, isJsonObject, type JsonObject } from '../../base/json.js';
import type { RunParams } from '../../protocol/tools/runTool.js';
import { readSavedPart, savePart } from '../shared/vscodeApi.js';

/** One thing that stands in the way of a run. */
export interface PageProblem {
  /** Of the control to go to. */
  readonly controlId: string;
  readonly title: string;
  readonly text: string;
}

export interface AdvancedDraft {
  readonly meta: string;
  /** Seconds. */
  readonly timeout: string;
  /** Default: the tool runs as it does by itself. */
  readonly asTask: boolean | undefined;
}

export function advancedParams({ meta, timeout, asTask }: AdvancedDraft): Omit<RunParams, 'args'> {
  const read = meta.trim() === '' ? undefined : parseExactJson(meta);
  return {
    meta: read?.kind === 'value' && isJsonObject(read.value) ? read.value : undefined,
    timeoutMs: timeout.trim() === '' ? undefined : Number(timeout) * 1000,
    asTask,
  };
}

export function advancedProblems({ meta, timeout }: AdvancedDraft): readonly PageProblem[] {
  const seconds = Number(timeout);
  const isTime = timeout.trim() === '' || (seconds >= 0.001 && seconds <= 86_400);
  const read = meta.trim() === '' ? undefined : parseExactJson(meta);
  const isMeta = !read || (read.kind === 'value' && isJsonObject(read.value));
  return [
    ...(isTime
      ? []
      : [
          {
            controlId: 'timeout',
            title: l10n.t('Time-Out in Seconds'),
            text: l10n.t('This is not a time of at most a day.'),
          },
        ]),
    ...(isMeta
      ? []
      : [{ controlId: 'meta', title: '_meta', text: l10n.t('This is not a JSON object.') }]),
  ];
}

/** What outlives a reload of the window: no secret is among it. */
export interface SavedRun {
  /** The tool that they are for. */
  readonly tool: string;
  readonly args: JsonObject;
  readonly timeout: string;
}

/** Levels of arguments that are read back. */
const maxDepth = 200;

export function readSavedRun(tool: string): SavedRun | undefined {
  const saved = readSavedPart('run');
  const { subject, args, timeout, ...rest } = asObject(saved);
  const of = rest.tool ?? (isJsonObject(subject) ? subject.tool : undefined);
  return of === tool && isJsonObject(args) && !isDeeperThan(args, maxDepth)
    ? { tool, args, timeout: typeof timeout === 'string' ? timeout : '' }
    : undefined;
}

export function saveRun(run: SavedRun): void {
  savePart('run', run);
}
