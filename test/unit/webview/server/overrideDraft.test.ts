import { expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.js';
import { OverrideDraft } from '../../../../src/webview/server/overrideDraft.js';
import { createDeferred } from '../../../helpers/fakes/deferred.js';

const schema = {
  type: 'object',
  properties: { description: { type: 'string' }, title: { type: 'string' } },
};

it('keeps what was typed while it was saved, as something to save', async () => {
  let override: JsonObject = {};
  const answered = createDeferred();
  const send = async (type: string, params: { readonly override: JsonObject }) => {
    if (type === 'saveOverride') {
      await answered.promise;
      ({ override } = params);
    }
    return type === 'readOverride' ? { schema, override, path: '/x' } : { cost: '', kept: {} };
  };
  const memory = { read: () => undefined, write: () => undefined };
  const draft = new OverrideDraft('search', send as never, () => undefined, memory);
  draft.isOpen = true;
  await draft.refresh();
  draft.root?.write({ description: 'saved' });
  draft.changed();
  const saved = draft.save();
  draft.root?.write({ description: 'saved', title: 'typed' });
  draft.changed();
  answered.resolve();
  await saved;
  expect([override, draft.isChanged]).toEqual([{ description: 'saved' }, true]);
  await draft.save();
  expect([override, draft.isChanged]).toEqual([{ description: 'saved', title: 'typed' }, false]);
});
