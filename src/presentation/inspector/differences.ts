/** What a server says of itself differently than on the connection before. */
import { isJsonObject, parseJsonObject, stableStringify } from '../../base/json.js';
import type { HandshakeRecord } from '../../mcp/trafficTypes.js';
import type { InspectorDifference } from '../../protocol/inspector/inspectorProtocol.js';

const maxDifferences = 200;
const maxText = 200;
const maxDepth = 6;

export function differencesOf(
  before: HandshakeRecord,
  after: HandshakeRecord,
): readonly InspectorDifference[] {
  const differences: InspectorDifference[] = [];
  compare('', answerOf(before), answerOf(after), differences, maxDepth);
  for (const list of new Set([...Object.keys(before.lists), ...Object.keys(after.lists)])) {
    const [old, now] = [before.lists[list], after.lists[list]];
    // a connection that was not asked for a list says nothing about it
    if (old && now) {
      const [came, went] = [new Set(now), new Set(old)];
      for (const name of now.filter((one) => !went.has(one))) {
        differences.push(added(`${list}: ${name}`));
      }
      for (const name of old.filter((one) => !came.has(one))) {
        differences.push(removed(`${list}: ${name}`));
      }
    }
  }
  return differences.slice(0, maxDifferences);
}

/** What the server answered in the handshake, as far as it is known. */
function answerOf({ response }: HandshakeRecord): unknown {
  return response === undefined ? undefined : (parseJsonObject(response)?.result ?? {});
}

function compare(
  path: string,
  before: unknown,
  after: unknown,
  differences: InspectorDifference[],
  depth: number,
): void {
  if (stableStringify(before ?? null) === stableStringify(after ?? null)) {
    return;
  }
  if (isJsonObject(before) && isJsonObject(after) && depth > 0) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
      compare(
        path === '' ? key : `${path}.${key}`,
        before[key],
        after[key],
        differences,
        depth - 1,
      );
    }
  } else if (before === undefined) {
    differences.push({ ...added(path), after: short(after) });
  } else if (after === undefined) {
    differences.push({ ...removed(path), before: short(before) });
  } else {
    differences.push({ kind: 'changed', path, before: short(before), after: short(after) });
  }
}

function added(path: string): InspectorDifference {
  return { kind: 'added', path };
}

function removed(path: string): InspectorDifference {
  return { kind: 'removed', path };
}

function short(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > maxText ? `${text.slice(0, maxText)}…` : text;
}
