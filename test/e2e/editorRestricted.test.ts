/** Restricted Mode: a configuration file is checked and explained, and tells nothing about the machine around it. */
import { expect, it } from 'vitest';
import { useWorkbench } from '../helpers/e2e/useWorkbench.js';

const text = `{
  "mcpServers": {
    "lost": {
      "command": "no-such-program-anywhere",
      "env": { "API_TOKEN": "plain-text-credential-1", "PLACE": "\${HOME}/notes" }
    }
  }
}
`;

const workbench = useWorkbench({ files: { '.mcp.json': text } }, async (workbench) => {
  await workbench.shell.restrictedModeItem.waitFor();
  await workbench.editor.open('.mcp.json');
});

it('reports what the text alone shows and looks for no program', async () => {
  const { editor } = workbench;
  await editor.showProblems();
  await editor.problem(/env\.API_TOKEN of server lost looks like a secret/).waitFor();
  expect(await editor.problem(/was not found/).count()).toBe(0);
});

it('names variables without their values', async () => {
  const { editor } = workbench;
  const hover = await editor.hoverOver('"${HOME}/notes"', /Environment\svariable\sHOME:\sset/);
  expect(await hover.textContent()).not.toContain('/notes');
});

it('leads to Workspace Trust', async () => {
  const { editor, page, shell } = workbench;
  // VS Code lays out lenses again once nothing hovers over the text
  await page.mouse.move(0, 0);
  await editor.hover.first().waitFor({ state: 'hidden' });
  await editor.content.locator('.view-lines').click();
  await editor.lens('Pi: Manage Workspace Trust').click();
  await shell.trustEditor.waitFor();
  expect(workbench.serverProcesses()).toEqual([]);
});
