/** Themes of VS Code to look at a page in. */

/** Name, label of the theme, class of the page. */
export const themes = [
  ['light', 'Light Modern', 'vscode-light'],
  ['dark', 'Dark Modern', 'vscode-dark'],
  ['hc-dark', 'Default High Contrast', 'vscode-high-contrast'],
  ['hc-light', 'Default High Contrast Light', 'vscode-high-contrast-light'],
] as const;
