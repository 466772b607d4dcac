/** Pi's own folder for the workbench, with the offline demo model as its only model. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Starts the demo model and writes a `models.json` that names it.
 * @param {string} agentDir becomes PI_CODING_AGENT_DIR
 * @returns {Promise<{ stop(): Promise<void> } | undefined>} undefined without a demo model
 */
export async function startDemo(agentDir) {
  mkdirSync(agentDir, { recursive: true });
  const module = join(import.meta.dirname, 'demoModel.mjs');
  if (!existsSync(module)) {
    return undefined;
  }
  const { startDemoModel } = await import(pathToFileURL(module).href);
  const demo = await startDemoModel();
  writeFileSync(join(agentDir, 'models.json'), JSON.stringify(demo.modelsJson, undefined, 2));
  return demo;
}
