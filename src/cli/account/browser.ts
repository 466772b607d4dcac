import { spawn } from 'node:child_process';

/** Opens a page with the system's own program, as far as there is one. Never throws. */
export function openInBrowser(url: URL, platform: NodeJS.Platform): void {
  const [command, ...args] = openerOf(platform);
  try {
    const child = spawn(command, [...args, url.href], { stdio: 'ignore', detached: true });
    // the address was printed, so that a person can go there
    child.on('error', () => undefined);
    child.unref();
  } catch {
    // as above
  }
}

/** None of them is a shell, which would read the address. */
function openerOf(platform: NodeJS.Platform): readonly [string, ...string[]] {
  switch (platform) {
    case 'win32':
      return ['rundll32', 'url.dll,FileProtocolHandler'];
    case 'darwin':
      return ['open'];
    default:
      return ['xdg-open'];
  }
}
