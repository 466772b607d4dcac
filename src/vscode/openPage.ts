import * as vscode from 'vscode';

/**
 * Opens a web address in the browser, as it is written. As a `Uri`, which is what the types of VS Code want, its query
 * would be decoded on the way, so that `%26` becomes `&`.
 * @returns false when the user did not let it open.
 */
export async function openPage(url: string): Promise<boolean> {
  return vscode.env.openExternal(url as unknown as vscode.Uri);
}
