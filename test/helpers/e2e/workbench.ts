/** One real VS Code with the extension, one browser window on it, and everything that they need; stopped together. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { expect, vi } from 'vitest';
import { below, startPathProxy } from '../../fixtures/servers/pathProxy.mjs';
import { createProfile } from '../../workbench/codeServer.mjs';
import { startDemo } from '../../workbench/demo/demo.mjs';
import { repository } from '../../workbench/paths.mjs';
import { findProcesses } from '../../workbench/processes.mjs';
import { startHttpServer, writeSampleWorkspace } from '../../workbench/sample.mjs';
import { AgentView } from './agentView.js';
import { ConfigPage } from './configPage.js';
import { Editor } from './editor.js';
import type { HostMonitor } from './hostMonitor.js';
import { ServersView } from './serversView.js';
import { Shell } from './shell.js';
import { type CleanUp, enterUser, readCards } from './user.js';
import { markPlaces } from './webview.js';

export interface WorkbenchOptions {
  /** Files added to the sample workspace or replacing its own, by relative path. Default: none. */
  readonly files?: Readonly<Record<string, string>>;
  /** Files of PI_CODING_AGENT_DIR, by relative path. Default: the demo model's `models.json`. */
  readonly agentFiles?: Readonly<Record<string, string>>;
  /** VS Code user settings. Default: none. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Added to the environment of VS Code. Default: nothing. */
  readonly env?: Readonly<Record<string, string>>;
  /** Default 1280 x 800. */
  readonly size?: { readonly width: number; readonly height: number };
  /** Whether VS Code is started for this file, as it is for options that its server is started with. Default false. */
  readonly hasOwnServer?: boolean;
  /** A program and its arguments, under which VS Code's server runs. Default: none. */
  readonly under?: readonly string[];
  /** Default true. */
  readonly withExtension?: boolean;
  /** Folders of extensions that are installed beside ours. Default: none. */
  readonly otherExtensions?: readonly string[];
  /** Whether the monitor watches the extension host, which slows it. Default false. */
  readonly isWatched?: boolean;
  /** Folder of an extension that makes its language the display language. Default: English. */
  readonly languagePack?: string;
  /** Path below which a reverse proxy serves VS Code, which does not know it: `/editor`. Default: there is none. */
  readonly prefix?: string;
  /** Whether the folder is the sample; otherwise it holds nothing but `files`. Default true. */
  readonly withSample?: boolean;
}

export interface Workbench {
  readonly page: Page;
  readonly shell: Shell;
  readonly servers: ServersView;
  readonly editor: Editor;
  readonly config: ConfigPage;
  readonly agent: AgentView;
  /** What the demo model does beside its rules; may be changed at any time. */
  readonly modelScript: Awaited<ReturnType<typeof startDemo>>['script'];
  /** The conversation when it is in a tab. */
  readonly agentTab: AgentView;
  /** Absolute path of the opened folder. */
  readonly workspaceDir: string;
  /** PI_CODING_AGENT_DIR of VS Code. */
  readonly agentDir: string;
  /** What the extension host did; of a window that is watched. */
  readonly monitor: HostMonitor;
  /** URL of server-everything over Streamable HTTP, which the sample declares as `remote`. */
  readonly httpUrl: string;
  /** Processes of MCP servers that this VS Code runs. */
  serverProcesses(): readonly { readonly pid: number; readonly command: string }[];
  /** Process id of the extension host. */
  extensionHost(): number;
  /** Ends the process in which extensions run, as a crash does. Resolves when VS Code has started another one. */
  killExtensionHost(): Promise<void>;
  /** Opens the window afresh, as a browser reload does; resolves when the workbench stands. */
  open(): Promise<void>;
  /** Replaces the user settings, those that keep VS Code quiet apart; the next `open` reads them. */
  changeSettings(settings: Readonly<Record<string, unknown>>): void;
  /** As {@link savePicture}, to look at, where somebody asks for it by `PI_MCP_PICTURES`: a picture takes time. */
  screenshot(name: string): Promise<void>;
  /** Saves what the window shows to test-results/screenshots/. */
  savePicture(name: string): Promise<void>;
  /** Closes the window and ends every process; never rejects. */
  stop(): Promise<void>;
}

/** Opens a copy of the sample workspace, in Restricted Mode as every new folder is. */
export async function startWorkbench(options: WorkbenchOptions = {}): Promise<Workbench> {
  const steps: (() => unknown)[] = [];
  const stop = async () => {
    for (const step of steps.splice(0).reverse()) {
      try {
        await step();
      } catch (error) {
        console.error(error);
      }
    }
  };
  try {
    return { ...(await launch(options, (step) => steps.push(step))), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function launch(options: WorkbenchOptions, cleanUp: CleanUp) {
  const folders = realpathSync(mkdtempSync(join(tmpdir(), 'pi-mcp-e2e-')));
  cleanUp(() => rmSync(folders, { recursive: true, force: true, maxRetries: 5 }));
  const user = await enterUser(join(folders, 'user'), options, cleanUp);
  const { dir, url, agentDir, monitor } = user;
  const demo = await startDemo(agentDir);
  cleanUp(() => demo.close());
  writeFiles(agentDir, options.agentFiles ?? {});
  const http = await startHttpServer();
  cleanUp(() => http.child.stop());
  const httpUrl = http.url;
  const workspaceDir = join(folders, 'sample');
  if (options.withSample ?? true) {
    writeSampleWorkspace(workspaceDir, { httpUrl });
  } else {
    mkdirSync(workspaceDir);
  }
  writeFiles(workspaceDir, options.files ?? {});

  const page = await openPage(user.browser, dir, options, cleanUp);
  const shell = new Shell(page);
  const address = await enterPrefix(url, options, cleanUp);
  const open = async () => {
    await page.goto(`${address}/?folder=${workspaceDir}`);
    await shell.waitUntilReady();
  };
  await open();
  const savePicture = async (name: string) => {
    const path = join(repository, 'test-results/screenshots', `${name}.png`);
    mkdirSync(dirname(path), { recursive: true });
    await page.screenshot({ path });
  };
  const screenshot = async (name: string) => {
    if (process.env.PI_MCP_PICTURES !== undefined) {
      await savePicture(name);
    }
  };
  const serverProcesses = () =>
    findProcesses(dir).filter(({ command }) => /@modelcontextprotocol|mcp-server/.test(command));
  const hosts = () => findProcesses(dir).filter(({ command }) => /=extensionHost/.test(command));
  const extensionHost = () => {
    const pid = hosts().at(-1)?.pid;
    if (pid === undefined) {
      throw new Error('No extension host runs.');
    }
    return pid;
  };
  const killExtensionHost = async () => {
    const old = extensionHost();
    process.kill(old, 'SIGKILL');
    await vi.waitFor(() => {
      const pids = hosts().map(({ pid }) => pid);
      expect(pids.length > 0 && !pids.includes(old)).toBe(true);
    }, 60_000);
  };
  const changeSettings = (settings: Readonly<Record<string, unknown>>) => {
    createProfile(dir, { settings: { ...readCards, ...settings } });
  };
  const servers = new ServersView(page, shell);
  const editor = new Editor(page, shell);
  const config = new ConfigPage(page, shell);
  const agent = new AgentView(page, shell);
  const agentTab = new AgentView(page, shell, 'editor');
  return {
    page,
    shell,
    servers,
    editor,
    config,
    agent,
    agentTab,
    workspaceDir,
    agentDir,
    monitor,
    httpUrl,
    modelScript: demo.script,
    serverProcesses,
    extensionHost,
    killExtensionHost,
    open,
    changeSettings,
    screenshot,
    savePicture,
  };
}

/** The address that the browser has of VS Code. */
async function enterPrefix(
  url: string,
  { prefix }: WorkbenchOptions,
  cleanUp: CleanUp,
): Promise<string> {
  if (prefix === undefined) {
    return url;
  }
  const proxy = await startPathProxy(below(prefix, Number(new URL(url).port)));
  cleanUp(() => proxy.close());
  return `${proxy.origin}${prefix}`;
}

async function openPage(
  browser: Browser,
  dir: string,
  options: WorkbenchOptions,
  cleanUp: CleanUp,
): Promise<Page> {
  const size = options.size ?? { width: 1280, height: 800 };
  const page = await browser.newPage({ viewport: size });
  // a busy machine is no failure
  page.setDefaultTimeout(60_000);
  page.setDefaultNavigationTimeout(120_000);
  await markPlaces(page);
  // the unload handlers of the page end its extension host; a closed browser leaves it waiting for a reconnect
  cleanUp(async () => {
    await page.goto('about:blank');
    // whoever kills it while it stops its servers leaves them to the next window
    const isHost = ({ command }: { readonly command: string }) => /=extensionHost/.test(command);
    await vi.waitFor(() => expect(findProcesses(dir).filter(isHost)).toEqual([]), 20_000);
  });
  return page;
}

function writeFiles(dir: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
}
