const { commands, ViewColumn, window } = require('vscode');

module.exports = {
  activate() {
    commands.registerCommand('benchPage.open', () => {
      const panel = window.createWebviewPanel('benchPage', 'Least Page', ViewColumn.One);
      panel.webview.html = '<!doctype html><textarea id="least"></textarea>';
    });
  },
};
