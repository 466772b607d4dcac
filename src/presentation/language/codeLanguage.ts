/** What VS Code calls the languages that answers name. */

const languageIds: Readonly<Record<string, string>> = {
  'c#': 'csharp',
  'c++': 'cpp',
  bash: 'shellscript',
  bat: 'bat',
  cc: 'cpp',
  cmd: 'bat',
  console: 'shellscript',
  cs: 'csharp',
  docker: 'dockerfile',
  'f#': 'fsharp',
  golang: 'go',
  gql: 'graphql',
  h: 'c',
  hpp: 'cpp',
  htm: 'html',
  js: 'javascript',
  jsx: 'javascriptreact',
  kt: 'kotlin',
  make: 'makefile',
  md: 'markdown',
  objc: 'objective-c',
  patch: 'diff',
  pl: 'perl',
  ps1: 'powershell',
  py: 'python',
  rb: 'ruby',
  rs: 'rust',
  sh: 'shellscript',
  shell: 'shellscript',
  ts: 'typescript',
  tsx: 'typescriptreact',
  vb: 'vb',
  yml: 'yaml',
  zsh: 'shellscript',
};

/**
 * @param name as it stands behind the fence; empty when nothing does
 * @param known ids that VS Code has
 * @returns plain text for what is not known
 */
export function languageIdOf(name: string, known: readonly string[]): string {
  const lower = name.toLowerCase();
  const id = Object.hasOwn(languageIds, lower) ? languageIds[lower] : lower;
  return known.find((one) => one === id) ?? 'plaintext';
}
