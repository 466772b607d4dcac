import * as l10n from '@vscode/l10n';
import type { DoctorFact } from '../../protocol/doctor/doctorProtocol.js';

/** What of the manifest of the extension is told. */
export interface Manifest {
  readonly version: string;
  readonly devDependencies: Readonly<Record<(typeof bundled)[number], string>>;
}

/** What is built into the bundles, so that its version is that of the build. */
const bundled = [
  '@earendil-works/pi-coding-agent',
  '@modelcontextprotocol/sdk',
  '@modelcontextprotocol/client',
] as const;

/** What runs here. @param editor where it runs in one */
export function versionFacts(
  { version, devDependencies }: Manifest,
  editor?: DoctorFact,
): readonly DoctorFact[] {
  const { platform, arch, versions } = process;
  return [
    { label: 'Pi MCP', text: version },
    ...(editor ? [editor] : []),
    { label: l10n.t('System'), text: `${platform} ${arch}` },
    { label: 'Node.js', text: versions.node },
    ...(versions.electron === undefined ? [] : [{ label: 'Electron', text: versions.electron }]),
    ...bundled.map((label) => ({ label, text: devDependencies[label] })),
  ];
}
