// @ts-check
/** Pi's own folder for the workbench, with the offline demo model as its only model. */
import { join } from 'node:path';
import { startDemoModel, writeDemoModels } from './demoModel.mjs';

/**
 * Starts the demo model and writes a `models.json` that names it.
 * @param {string} agentDir becomes PI_CODING_AGENT_DIR
 */
export async function startDemo(agentDir) {
  const demo = await startDemoModel();
  await writeDemoModels(join(agentDir, 'models.json'), demo.url);
  return demo;
}
