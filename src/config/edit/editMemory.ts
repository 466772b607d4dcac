/**
 * The last edits of each file, so that one that takes another back gives every byte back: where a block, a blank or a
 * comment stood cannot be told from a text that has lost it.
 */
import { asObject, isJsonObject, stableStringify } from '../../base/json.js';
import { jsonValueOf, parseWholeDocument } from '../parse/jsonDocument.js';
import { type EditableConfig, withoutDefaults } from './editConfig.js';

export interface EditStep {
  readonly path: string;
  readonly before: string;
  /** To be written. */
  readonly text: string;
  /** Steps that can be taken back once it is written, the last one first to go. */
  readonly earlier: readonly EditStep[];
}

/** Steps of one file that can be taken back, one after the other. */
const maxSteps = 20;

export class EditMemory {
  private readonly steps = new Map</* path */ string, readonly EditStep[]>();

  /** What to write for an edit: the former text when that means the same and nobody has written in between. */
  stepOf(before: EditableConfig, after: EditableConfig, isNew: boolean): EditStep {
    const { path } = before.location;
    const known = this.steps.get(path) ?? [];
    const last = known.at(-1);
    const earlier = last?.text === before.text ? known : [];
    if (last && earlier.length > 0 && after.text !== before.text) {
      const former = before.withText(last.before);
      if (meaningOf(former) === meaningOf(after)) {
        return { path, before: before.text, text: last.before, earlier: earlier.slice(0, -1) };
      }
    }
    const step = { path, before: before.text, text: after.text, earlier: [] };
    // there is no former text of a file that was not there
    return { ...step, earlier: isNew ? [] : [...earlier, step].slice(-maxSteps) };
  }

  /** The step was written. */
  remember(step: EditStep | undefined): void {
    if (step) {
      this.steps.set(step.path, step.earlier);
    }
  }
}

/** Equal for texts that say the same, whatever their order, layout and comments. */
function meaningOf({ text, parsed }: EditableConfig): string {
  const { root } = parseWholeDocument(text);
  const value: unknown = root && jsonValueOf(root);
  const blocks = new Set(parsed.entries.map(({ path }) => path[0]));
  const others = Object.entries(asObject(value)).filter(
    ([name, item]) => !blocks.has(name) && !(isJsonObject(item) && Object.keys(item).length === 0),
  );
  const servers = parsed.entries.map(({ name, raw = {}, enabled = true }) => {
    const { enabled: _enabled, disabled: _disabled, ...fields } = raw;
    return [name, { fields: withoutDefaults(fields), enabled }] as const;
  });
  return stableStringify([Object.fromEntries(others), Object.fromEntries(servers)]);
}
