// @ts-check
/** The sample workspace: a small project whose `.mcp.json` declares real servers from npm. */
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ChildProcess } from './children.mjs';
import { nodeModules } from './paths.mjs';

const packages = '@modelcontextprotocol';
const serverNames = /** @type {const} */ (['everything', 'filesystem', 'memory']);

/** @param {typeof serverNames[number]} name */
export function serverEntry(name) {
  return join(nodeModules, `${packages}/server-${name}/dist/index.js`);
}

/**
 * A port of 127.0.0.1 that was free a moment ago.
 * @param {number} [preferred] taken when it is free
 * @returns {Promise<number>}
 */
export function portOr(preferred = 0) {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error) => (preferred === 0 ? reject(error) : resolve(portOr())));
    server.listen(preferred, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

/**
 * server-everything over Streamable HTTP on loopback.
 * @param {number} [port]
 */
export async function startHttpServer(port) {
  const chosen = port ?? (await portOr());
  const preload = pathToFileURL(join(import.meta.dirname, 'loopbackOnly.mjs')).href;
  const child = new ChildProcess(
    process.execPath,
    ['--import', preload, serverEntry('everything'), 'streamableHttp'],
    { env: { ...process.env, PORT: String(chosen) } },
  );
  await child.waitForOutput(/listening on port/);
  return { child, port: chosen, url: `http://127.0.0.1:${chosen}/mcp` };
}

/**
 * Writes the workspace; existing files of these names are replaced.
 * @param {string} dir
 * @param {{ httpUrl: string }} options
 */
export function writeSampleWorkspace(dir, { httpUrl }) {
  for (const [path, text] of Object.entries(sampleFiles(httpUrl))) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
  linkServers(join(dir, 'node_modules', packages));
}

/**
 * The servers as if the sample had installed them.
 * @param {string} dir
 */
function linkServers(dir) {
  mkdirSync(dir, { recursive: true });
  for (const name of serverNames) {
    const link = join(dir, `server-${name}`);
    if (!existsSync(link)) {
      symlinkSync(join(nodeModules, packages, `server-${name}`), link, 'junction');
    }
  }
}

/** @param {string} httpUrl */
function sampleFiles(httpUrl) {
  return {
    'README.md': readme,
    'notes/shopping.md': '# Shopping\n\n- apples\n- bread\n- coffee\n',
    'src/greet.js': 'export function greet(name) {\n  return "Hello, " + name;\n}\n',
    '.mcp.json': mcpJson(httpUrl),
  };
}

const readme = `# A sample to try Pi MCP with

1. **Trust the workspace.** It opens in Restricted Mode, in which nothing of its files is started: click *Restricted Mode*
   in the status bar, then *Trust*.
2. **Review the servers.** The *Servers* view says that four wait. *Review* shows what each of them would run and read.
   Nothing runs until you trust it, and Enter grants nothing.
3. **Ask the agent** in the *Pi Agent* view. Its model is a small script on this machine that needs no account; it
   understands for example:
   * \`what can you do?\`
   * \`add 2 and 3\`
   * \`read notes/shopping.md\`
   * \`show me an image\`
4. **Change something.** Open [.mcp.json](.mcp.json): what you save is applied at once, and only the servers that it
   concerns connect again.

| Server | What it is |
| --- | --- |
| everything | the reference server that shows every feature of the protocol |
| filesystem | reads and writes the files of this folder |
| memory | remembers facts in \`memory.json\` |
| remote | the reference server again, over Streamable HTTP on this machine, which is why it needs trust, too |
`;

/** @param {string} httpUrl */
function mcpJson(httpUrl) {
  const [everything, filesystem, memory] = serverNames.map(
    (name) => `node_modules/${packages}/server-${name}/dist/index.js`,
  );
  return `{
  // Every server of this folder. Nothing here starts before you consent.
  "mcpServers": {
    "everything": {
      "command": "node",
      "args": ["${everything}", "stdio"]
    },
    "filesystem": {
      "command": "node",
      "args": ["${filesystem}", "\${workspaceFolder}"]
    },
    "memory": {
      "command": "node",
      "args": ["${memory}"],
      "env": {
        "MEMORY_FILE_PATH": "\${workspaceFolder}/memory.json"
      }
    },
    "remote": {
      "url": "${httpUrl}"
    }
  }
}
`;
}
