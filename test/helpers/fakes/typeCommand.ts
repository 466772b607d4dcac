import { PanelCommands } from '../../../src/agent/panel/commands/panelCommands.js';
import type { AgentHarness } from './agentHarness.js';

/** Types a command into the panel, with which the editor has nothing to do. */
export function typeCommand({ panel, service }: AgentHarness, text: string) {
  const refuse = () => Promise.reject(new Error('The editor was not expected to be asked'));
  const editor = { run: refuse, reviewExtensions: refuse, logOut: refuse };
  return new PanelCommands({ panel, service: service.asService, editor }).run(text, []);
}
