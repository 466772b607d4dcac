/** What of VS Code's look an app is told, in the words of the app protocol. */
import type { AppSurroundings } from '../../protocol/appProtocol.js';

/** Variable of the app protocol → variables of VS Code, the first of which that is set counts. */
const variables: Readonly<Record<string, readonly string[]>> = {
  '--color-background-primary': ['editor-background'],
  '--color-background-secondary': ['sideBar-background', 'editor-background'],
  '--color-background-tertiary': ['textCodeBlock-background', 'sideBar-background'],
  '--color-background-inverse': ['editor-foreground', 'foreground'],
  '--color-background-info': ['inputValidation-infoBackground', 'editor-background'],
  '--color-background-danger': ['inputValidation-errorBackground', 'editor-background'],
  '--color-background-warning': ['inputValidation-warningBackground', 'editor-background'],
  '--color-background-disabled': ['input-background'],
  '--color-text-primary': ['editor-foreground', 'foreground'],
  '--color-text-secondary': ['descriptionForeground', 'foreground'],
  '--color-text-tertiary': ['descriptionForeground', 'foreground'],
  '--color-text-inverse': ['editor-background'],
  '--color-text-info': ['textLink-foreground', 'foreground'],
  '--color-text-danger': ['errorForeground'],
  '--color-text-success': ['testing-iconPassed', 'foreground'],
  '--color-text-warning': ['editorWarning-foreground', 'foreground'],
  '--color-text-disabled': ['disabledForeground', 'descriptionForeground'],
  '--color-border-primary': ['contrastBorder', 'panel-border', 'widget-border'],
  '--color-border-secondary': ['contrastBorder', 'widget-border', 'panel-border'],
  '--color-ring-primary': ['focusBorder'],
  '--font-sans': ['font-family'],
  '--font-mono': ['editor-font-family'],
  '--font-text-md-size': ['font-size'],
};

export function readSurroundings(frame: HTMLElement): AppSurroundings {
  const style = getComputedStyle(document.documentElement);
  const read = (name: string) => style.getPropertyValue(`--vscode-${name}`).trim();
  const found = Object.entries(variables).flatMap(([name, sources]) => {
    const value = sources.map(read).find((text) => text !== '');
    return value === undefined ? [] : [[name, value] as const];
  });
  const { classList } = document.body;
  const isLight =
    classList.contains('vscode-light') || classList.contains('vscode-high-contrast-light');
  return {
    theme: isLight ? 'light' : 'dark',
    width: Math.round(frame.clientWidth),
    height: Math.round(frame.clientHeight),
    variables: Object.fromEntries(found),
  };
}

/** Calls back when the theme or the size changes, at most once per `pauseMs`. */
export function watchSurroundings(frame: HTMLElement, onDidChange: () => void): void {
  const pauseMs = 100;
  let isQueued = false;
  const request = () => {
    if (!isQueued) {
      isQueued = true;
      setTimeout(() => {
        isQueued = false;
        onDidChange();
      }, pauseMs);
    }
  };
  let width = frame.clientWidth;
  new ResizeObserver(() => {
    // the height follows the app, which must not be told of its own request
    if (frame.clientWidth !== width) {
      width = frame.clientWidth;
      request();
    }
  }).observe(frame);
  new MutationObserver(request).observe(document.body, { attributeFilter: ['class'] });
  new MutationObserver(request).observe(document.documentElement, { attributeFilter: ['style'] });
}
