/** Secrets in every place of an entry, looked for on every surface. */
import { expect, it } from 'vitest';
import { ConsentReview } from '../../src/presentation/consent/consentReview.js';
import { consentText } from '../../src/presentation/consent/consentText.js';
import { Scene } from '../helpers/attacks/scene.js';
import { secretPlaces } from '../helpers/attacks/secretPlaces.js';
import { findSecrets } from '../helpers/attacks/secrets.js';
import { allServers, errorText, surfacesOf } from '../helpers/attacks/surfaces.js';

type Places = ReturnType<typeof secretPlaces>;

function placesOf({ listener }: Pick<Scene, 'listener'>): Places {
  return secretPlaces((path) => listener.url(path));
}

function canariesOf(places: Places): Readonly<Record<string, string>> {
  return Object.fromEntries(places.map(({ what, canary }) => [what, canary]));
}

function entriesOf(places: Places): Readonly<Record<string, object>> {
  return Object.fromEntries(places.map(({ entry }, index) => [`visible-${index}`, entry]));
}

/** Answers every request with what it was sent. */
function repeatAll({ listener }: Scene): void {
  listener.answer = ({ path, headers }, response) => {
    response.writeHead(500, { 'content-type': 'text/plain' });
    response.end(`visible ${JSON.stringify(headers)} ${path}`);
  };
}

it('shows none of them on any surface of the user’s own servers', async () => {
  const scene = await Scene.create('folder trust', () => ({}));
  repeatAll(scene);
  const { service } = scene;
  const places = placesOf(scene);
  const good = { ...Object(places[0]?.entry) };
  const entries = {
    ...entriesOf(places),
    'visible-good': { ...good, args: good.args.filter((arg: string) => arg !== '--exit') },
  };
  await scene.core.writeGlobal(entries);
  await service.reload();
  const errors: string[] = [];
  for (const server of allServers(service)) {
    await server.ensureConnected().catch((error: unknown) => errors.push(errorText(error)));
  }
  // no file of the folder is there to be opened
  const { editor: _, ...shown } = await surfacesOf(scene);
  const surfaces: Readonly<Record<string, string>> = { ...shown, errors: errors.join('\n') };
  const canaries = canariesOf(places);
  const empty = Object.entries(surfaces).filter(([, text]) => !text.includes('visible'));
  expect(empty.map(([name]) => name)).toEqual([]);
  // the canaries are there to be seen
  expect(findSecrets({ file: JSON.stringify(entries) }, canaries).length).toBeGreaterThanOrEqual(
    places.length - 1,
  );
  expect(findSecrets(surfaces, canaries)).toEqual([]);
  // and what is no secret stays
  expect(surfaces['cli list']).toContain('LOG_LEVEL=visible-level');
  expect(surfaces['cli doctor']).toContain('LOG_LEVEL=visible-level');
  expect(surfaces['cli list']).toContain('visible:***REDACTED***@h/db');
});

it('shows none of them in the question about consent', async () => {
  let places: Places = [];
  const scene = await Scene.create('no consent', ({ listener }) => {
    places = placesOf({ listener });
    return { '.mcp.json': { mcpServers: entriesOf(places) } };
  });
  const { folder, service } = scene;
  const requests = await service.trust.pendingConsent(folder.uri);
  const review = new ConsentReview({
    service,
    environment: scene.environment,
    folders: () => [folder],
  });
  const surfaces = {
    dialog: consentText(requests),
    page: JSON.stringify(await review.look()),
    surfaces: JSON.stringify(await surfacesOf(scene)),
  };
  expect(requests.length).toBe(places.length);
  for (const text of Object.values(surfaces)) {
    expect(text).toContain('visible');
  }
  expect(findSecrets(surfaces, canariesOf(places))).toEqual([]);
  expect(surfaces.dialog).toContain('LOG_LEVEL=visible-level');
});

it.each([
  ['a line of a shell', { API_KEY: 'touch /tmp/x1' }, 'touch /tmp/x1'],
  ['a substitution', { API_KEY: '$(touch${IFS}x1)' }, '$(touch${IFS}x1)'],
  ['a program', { API_KEY: './run1' }, './run1'],
  ['a file', { API_KEY: 'run1.sh' }, 'run1.sh'],
  [
    'a line in Base64',
    { API_KEY: Buffer.from('touch /tmp/x1').toString('base64') },
    Buffer.from('touch /tmp/x1').toString('base64'),
  ],
  ['a command', { API_KEY: '!touch x1' }, '!touch x1'],
])('hides %s from nobody who is asked for consent', async (_what, env, text) => {
  const scene = await Scene.create('no consent', () => ({
    '.mcp.json': { mcpServers: { a: { command: 'sh', args: ['-c', 'eval $API_KEY'], env } } },
  }));
  const { folder, service } = scene;
  const requests = await service.trust.pendingConsent(folder.uri);
  expect(consentText(requests)).toContain(`API_KEY=${text}`.slice(0, 14));
  expect(consentText(requests)).toContain(text);
  expect(consentText(requests)).toContain('eval $API_KEY');
});
