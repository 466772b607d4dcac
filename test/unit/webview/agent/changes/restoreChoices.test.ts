import { expect, it } from 'vitest';
import type { RestoreView } from '../../../../../src/protocol/restoring.js';
import {
  currentChoices,
  withFile,
  withPart,
} from '../../../../../src/webview/agent/changes/restoreChoices.js';

const view: RestoreView = {
  id: 'm1',
  title: '',
  parts: ['files', 'conversation'],
  files: [],
  notes: [],
  isChanged: false,
  stamp: '',
};

it('keeps what was chosen of a moment over another preview of it, and nothing over another moment', () => {
  const chosen = withFile(
    withPart(currentChoices(view, undefined), 'conversation', false),
    '/a',
    true,
  );
  expect(currentChoices({ ...view, stamp: 'other' }, chosen)).toBe(chosen);
  expect(chosen).toEqual({ id: 'm1', parts: new Set(['files']), files: new Map([['/a', true]]) });
  expect(currentChoices({ ...view, id: 'm2' }, chosen)).toEqual({
    id: 'm2',
    parts: new Set(['files', 'conversation']),
    files: new Map(),
  });
  expect(withPart(chosen, 'conversation', true).parts).toEqual(new Set(['files', 'conversation']));
});
