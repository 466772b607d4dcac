// @ts-check
/** Opens what a newcomer to the sample needs to see: servers and agent, the walkthrough, and the README on top. */
const vscode = require('vscode');

async function activate() {
  const { commands, window, workspace } = vscode;
  const [folder] = workspace.workspaceFolders ?? [];
  const isReturning = window.tabGroups.all.some(({ tabs }) => tabs.length > 0);
  if (!folder || isReturning) {
    return;
  }
  await commands.executeCommand('piMcp.servers.focus');
  await commands.executeCommand('workbench.action.openWalkthrough', 'pi-mcp.pi-mcp#piMcp.start');
  const readme = vscode.Uri.joinPath(folder.uri, 'README.md');
  await commands.executeCommand('markdown.showPreview', readme);
  // last, since the rest would wait for Pi to be loaded
  await commands.executeCommand('piMcp.agent.focus');
}

module.exports = { activate };
