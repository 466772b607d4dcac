import { expect, it, onTestFinished, vi } from 'vitest';
import {
  type ConfigFormEntry,
  type FormGroup,
  type FormTarget,
  storedValue,
} from '../../../../src/protocol/configProtocol.js';
import { createDeferred } from '../../../helpers/fakes/deferred.js';

const text = (id: string) => ({ id, kind: 'both', control: 'text', label: id }) as const;
const secret = (id: string) => ({ ...text(id), control: 'secret' }) as const;
const groups = [
  { id: 'all', label: 'All', fields: [text('command'), text('cwd'), secret('bearerToken')] },
] as unknown as readonly FormGroup[];

const editedServer = { poolId: 'pool', id: 'pool#a' };

/** The page of a server whose file holds what was saved last. @param recalled of what was typed before */
async function openPage(
  stored: ConfigFormEntry['values'],
  target: FormTarget = editedServer,
  recalled?: unknown,
) {
  const kept: unknown[] = [];
  const saved: unknown[] = [];
  vi.stubGlobal('acquireVsCodeApi', () => ({
    getState: () => undefined,
    setState: (state: unknown) => void saved.push(state),
  }));
  onTestFinished(() => void vi.unstubAllGlobals());
  // what another file's page has kept is not this one's
  vi.resetModules();
  const { FormPage } = await import('../../../../src/webview/config/formPage.js');
  let values = stored;
  const waiting = { saveServer: createDeferred(), read: createDeferred() };
  const send = async (type: string, params: { readonly entry: ConfigFormEntry }) => {
    switch (type) {
      case 'ready':
        return {
          target,
          form: JSON.parse(JSON.stringify(recalled ?? null)),
          pools: [],
          forms: { server: groups, settings: [], folderSettings: [] },
        };
      case 'read':
        await waiting.read.promise;
        return { name: 'a', entry: { kind: 'stdio', values } };
      case 'checkServer':
        return { secrets: [] };
      case 'saveServer':
        await waiting.saveServer.promise;
        ({ values } = params.entry);
        return { saved: true, id: 'pool#a' };
      case 'keepForm':
        kept.push(params);
        return null;
      default:
        return null;
    }
  };
  const page = new FormPage(send as never, () => undefined);
  const shown = () =>
    Object.fromEntries(
      Object.entries(page.state.form?.draft.fields ?? {}).map(([id, field]) => [id, field.text]),
    );
  return { page, shown, waiting, inFile: () => values, kept, saved };
}

it('keeps what was typed while the form was saved, as something to save', async () => {
  const { page, shown, waiting, inFile } = await openPage({ command: 'a' });
  waiting.read.resolve();
  await page.start();
  page.changeField('command', { text: 'b' });
  const saved = page.save(false);
  page.changeField('cwd', { text: '/typed' });
  waiting.saveServer.resolve();
  await saved;
  expect(inFile()).toEqual({ command: 'b' });
  expect(shown()).toEqual({ command: 'b', cwd: '/typed' });
  await page.save(false);
  expect(inFile()).toEqual({ command: 'b', cwd: '/typed' });
});

it('keeps what was typed while the file was read again', async () => {
  const { page, shown, waiting } = await openPage({ command: 'a' });
  waiting.read.resolve();
  await page.start();
  waiting.read = createDeferred();
  const refreshed = page.refresh();
  page.changeField('cwd', { text: '/typed' });
  waiting.read.resolve();
  await refreshed;
  expect(shown()).toEqual({ command: 'a', cwd: '/typed' });
});

it('takes what was typed while a new server was saved along to its page', async () => {
  const { page, waiting, kept, saved } = await openPage({}, { poolId: 'pool' });
  await page.start();
  page.changeDraft({ name: 'a' });
  page.changeField('command', { text: 'b' });
  page.changeField('bearerToken', { text: 'canary' });
  const saving = page.save(false);
  page.changeField('cwd', { text: '/typed' });
  waiting.saveServer.resolve();
  await saving;
  // on the disk
  expect(JSON.stringify(saved)).not.toContain('canary');
  const [last] = kept.slice(-1) as [{ form: unknown; unsaved?: string }];
  expect(last.unsaved).toBe('Add Server');
  const inFile = { command: 'b', bearerToken: storedValue };
  const other = await openPage(inFile, editedServer, last.form);
  other.waiting.read.resolve();
  await other.page.start();
  expect(other.shown()).toEqual({ command: 'b', cwd: '/typed', bearerToken: '' });
  other.waiting.saveServer.resolve();
  await other.page.save(false);
  expect(other.inFile()).toEqual({ ...inFile, cwd: '/typed' });
});
