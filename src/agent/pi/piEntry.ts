/** The only file that imports Pi at run time: entry of the bundle dist/agent/pi.mjs. */
import { registerBunOAuthFlows } from '@earendil-works/pi-ai/bun-oauth';

export {
  createAssistantMessageEventStream,
  getCurrentSystemPrompt,
  getCurrentTools,
} from '@earendil-works/pi-ai';
export { transformMessages } from '@earendil-works/pi-ai/api/transform-messages';
export {
  createAgentSession,
  createBashToolDefinition,
  createEditToolDefinition,
  createFindToolDefinition,
  createGrepToolDefinition,
  createLsToolDefinition,
  createPowerShellToolDefinition,
  createReadToolDefinition,
  createWriteToolDefinition,
  DefaultPackageManager,
  DefaultResourceLoader,
  detectSupportedImageMimeTypeFromFile,
  estimateTokens,
  getPowerShellConfig,
  getShellConfig,
  ModelRuntime,
  parseFrontmatter,
  SessionManager,
  SettingsManager,
  VERSION,
} from '@earendil-works/pi-coding-agent';

// Pi imports its login flows by computed names, which a bundler cannot follow
registerBunOAuthFlows();
