/**
 * Two minutes of a whole window, as the kernel saw them: what the extension host and every process below it connected
 * to and wrote. An extension and a server that do what ours must not are in the same window, and have to be seen.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { trustEverything } from '../helpers/e2e/steps.js';
import { type Recording, readCalls, recordCalls } from '../helpers/e2e/systemCalls.js';
import { useWorkbench } from '../helpers/e2e/useWorkbench.js';
import { repository } from '../workbench/paths.mjs';

const minutes = 2;
const webviewResources = '.vscode-resource.vscode-cdn.net';
const hasRecorder = spawnSync('strace', ['--version']).status === 0;

// on Linux it is there or is to be installed; other systems have none
describe.skipIf(!hasRecorder && process.platform !== 'linux')(
  'In two minutes the extension',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'pi-mcp-promises-'));
    const record = join(folder, 'calls.txt');
    const visiting = join(repository, 'test/fixtures/servers/visiting.mjs');
    const requests = new Set<string>();
    let recording: Recording;
    afterAll(() => rmSync(folder, { recursive: true }));

    const workbench = useWorkbench(
      {
        under: recordCalls(record),
        // some of VS Code's own extensions report to their makers
        settings: { 'telemetry.telemetryLevel': 'off' },
        agentFiles: {
          'mcp.json': JSON.stringify({
            mcpServers: { visiting: { command: process.execPath, args: [visiting] } },
          }),
        },
        otherExtensions: [join(repository, 'test/fixtures/visitor')],
      },
      async (workbench) => {
        const { agent, page, servers, shell } = workbench;
        page.context().on('request', (request) => requests.add(request.url()));
        await trustEverything(workbench);
        await shell.connectedItem(5, 5).waitFor();
        await servers.show();
        await agent.show();
        await agent.frame.locator('.model-picker').waitFor();
        await agent.ask('write made.txt as asked');
        await agent.approval('made.txt').getByRole('button', { name: 'Allow Once' }).click();
        await agent.tool('write', 'done').waitFor();
      },
    );

    beforeAll(async () => {
      // what is measured: that nothing comes by itself
      await pause(minutes * 60_000);
      recording = readCalls(record, '--type=extensionHost');
    });

    const userDir = () => dirname(workbench.agentDir);
    const seen = (kind: keyof Recording) => [...new Set(recording[kind].map(({ what }) => what))];
    const elsewhere = () => seen('connections').filter((address) => !address.endsWith(':53'));

    it('connects to the declared server and the model of this machine, and the controls are seen', () => {
      const models = JSON.parse(readFileSync(join(workbench.agentDir, 'models.json'), 'utf8'));
      const declared = [workbench.httpUrl, models.providers.demo.baseUrl].map(
        (url) => new URL(url).host,
      );
      expect(elsewhere().sort()).toEqual([...declared, '192.0.2.1:443', '192.0.2.2:443'].sort());
    });

    it('looks up no name but that of the control', () => {
      expect(seen('lookups')).toEqual(['visitor.invalid']);
    });

    it('listens at no port', () => {
      expect(seen('listens')).toEqual([]);
    });

    it('has no page ask for anything but from where VS Code was opened', () => {
      const { origin } = new URL(workbench.page.url());
      const hosts = [...requests]
        .map((url) => new URL(url))
        // those a worker of VS Code's own page answers
        .filter(({ origin, host }) => origin !== 'null' && !host.endsWith(webviewResources));
      expect(hosts.length).toBeGreaterThan(0);
      expect(hosts.filter((url) => url.origin !== origin).map(({ href }) => href)).toEqual([]);
    });

    it('writes into its storage, logs and the folder of Pi alone, beside what it was asked for and the controls', () => {
      const user = userDir();
      const places: readonly (readonly [name: string, RegExp])[] = [
        [
          'its storage',
          /^USER\/user-data\/User\/(?:global|workspace)Storage\/(?:\w+\/)?pi-mcp\.pi-mcp(?:\/|$)/,
        ],
        ['its logs', /^USER\/user-data\/logs\/\w+\/exthost\d\/pi-mcp\.pi-mcp(?:\/|$)/],
        ['files of Pi', /^USER\/agent\/(?:auth|models-store)\.json(?:\.[\w.-]+)?$/],
        [
          'of VS Code',
          /^USER\/user-data\/(?:logs|User\/(?:globalStorage\/vscode\.|workspaceStorage))/,
        ],
        ['of VS Code', /\/vscode-(?:ipc|git)-[\w-]+\.sock$/],
        ['a device', /^\/dev\/(?:null|tty)$/],
      ];
      const written = seen('writes').map((path) => path.replace(`${user}/`, 'USER/'));
      const others = written
        .filter((path) => !places.some(([, pattern]) => pattern.test(path)))
        .map((path) => path.replace(workbench.workspaceDir, 'WORKSPACE'))
        // the name that a file has while it is written
        .map((path) => path.replace(/\.(made\.txt)\.[\w-]+\.tmp$/, '$1'));
      expect([...new Set(others)].sort()).toEqual([
        'USER/home/visited-by-a-server',
        'USER/home/visited-by-an-extension',
        'WORKSPACE/made.txt',
      ]);
      for (const [name, pattern] of places.slice(0, 3)) {
        expect(
          written.some((path) => pattern.test(path)),
          name,
        ).toBe(true);
      }
    });
  },
);
