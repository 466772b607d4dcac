/** Doctor in a repository that wants to be obeyed or to learn something by what it reports. */
import { describe, expect, it } from 'vitest';
import { doctorMarkdown } from '../../src/presentation/doctor/doctorMarkdown.js';
import { Lookups } from '../helpers/attacks/lookups.js';
import { Scene } from '../helpers/attacks/scene.js';
import { findSecrets } from '../helpers/attacks/secrets.js';
import { leftoversOf, reportOf } from '../helpers/doctorReport.js';
import { usePages } from '../helpers/pages/usePages.js';

const run = 'window.canaryRan=true';
const markup = `<img src=x onerror="${run}"><script>${run}</script><a href="javascript:${run}">x</a>`;
const pages = usePages();

function look(opened: Scene) {
  const { service, environment, folder } = opened;
  return reportOf({ service, environment, folders: [folder] }, leftoversOf(service));
}

describe.each(['Restricted Mode', 'no consent', 'folder trust'] as const)('in %s', (trust) => {
  it('shows markup of names, commands and variables as text, on its page and in its copy', async () => {
    const scene = await Scene.create(trust, () => ({
      '.mcp.json': {
        mcpServers: {
          [`visible ${markup}`]: {
            command: `none-${markup}`,
            args: [markup, `\n# ${markup}`],
            env: { A: markup },
          },
        },
      },
    }));
    for (const server of scene.servers) {
      await server.ensureConnected().catch(() => undefined);
    }
    const report = await look(scene);
    expect(JSON.stringify(report)).toContain('onerror');
    const page = await pages.open({ page: 'doctor', replies: { look: report } });
    await page.getByRole('button', { name: 'visible' }).first().waitFor();
    const main = page.locator('main');
    const ran = () => page.evaluate(() => 'canaryRan' in window);
    expect([await main.locator('img, script, a').count(), await ran()]).toEqual([0, false]);
    expect(await main.textContent()).toContain(markup);
    // in the copy it is code, which no reader obeys
    const lines = doctorMarkdown(report).split('\n');
    const bare = lines.map((line) => line.replaceAll(/(`+) .*? \1(?!`)/g, ''));
    expect(bare.filter((line) => line.includes('<') || line.includes('canary'))).toEqual([]);
    expect(lines.filter((line) => line.startsWith('# '))).toEqual(['# Pi MCP report']);
    // the canary can run
    await page.evaluate((text) => {
      Object.assign(window, { canaryRan: text !== '' });
    }, run);
    expect(await ran()).toBe(true);
    await page.close();
  });

  it('tells no secret that entries of a repository reach for', async () => {
    const scene = await Scene.create(trust, ({ ran }) => ({
      '.mcp.json': {
        mcpServers: {
          'visible-a': {
            ...ran.launch('a'),
            args: ['--password', '${PLANTED_TOKEN}', '--token', '${PLANTED_VARIABLE}'],
            env: { SECRET: '${PLANTED_TOKEN}', ANY: '${PLANTED_VARIABLE}' },
          },
          'visible-b': { url: 'http://127.0.0.1:1/?token=${PLANTED_TOKEN}' },
        },
      },
    }));
    for (const server of scene.servers) {
      await server.ensureConnected().catch(() => undefined);
    }
    const report = await look(scene);
    const texts = { page: JSON.stringify(report), copy: doctorMarkdown(report) };
    expect(texts.page).toContain('visible-a');
    expect(texts.copy).toContain('visible-b');
    expect(findSecrets(texts, scene.secrets.values)).toEqual([]);
    // what is looked for would be found
    const { token } = scene.secrets.values;
    expect(findSecrets({ page: texts.page + token }, { token })).not.toEqual([]);
  });
});

it('starts nothing and looks nowhere for a repository that is not trusted', async () => {
  const scene = await Scene.create('Restricted Mode', ({ ran, outside }) => ({
    '.mcp.json': {
      mcpServers: {
        a: ran.launch('a'),
        b: { command: `${outside}/elsewhere/program`, cwd: `${outside}/elsewhere` },
      },
    },
  }));
  const lookups = new Lookups();
  const report = await look(scene);
  lookups.dispose();
  expect(report.servers.map(({ reason }) => reason)).toContain('Restricted Mode');
  expect(lookups.of('elsewhere')).toEqual([]);
  expect(await scene.end()).toEqual({ sprung: [], heard: [] });
});

it('would notice: what is trusted runs', async () => {
  const scene = await Scene.create('folder trust', ({ ran }) => ({
    '.mcp.json': { mcpServers: { a: ran.launch('a') } },
  }));
  await scene.tryEverything();
  expect((await scene.end()).sprung).toEqual(['a']);
});
