/** Where servers are started from: PATH, shell, and the programs that most entries name. */
import * as l10n from '@vscode/l10n';
import { resolveExecutable } from '../../platform/executable.js';
import type { HostEnvironment } from '../../platform/ports.js';
import type { DoctorFact } from '../../protocol/doctor/doctorProtocol.js';

/** None that a workspace names: in Restricted Mode nothing is looked up for it. */
const programs = ['node', 'npx', 'uvx', 'docker'];

/** Asks the login shell once, as the first server does that starts. Never rejects. */
export async function machineFacts(environment: HostEnvironment): Promise<readonly DoctorFact[]> {
  const { platform, homeDir } = environment;
  const own = environment.getVariable('PATH') ?? '';
  const path = await environment.loginShellPath();
  const shell = environment.getVariable(platform === 'win32' ? 'COMSPEC' : 'SHELL');
  const pathExt = environment.getVariable('PATHEXT');
  const found = await Promise.all(
    programs.map(async (program): Promise<DoctorFact> => {
      const search = { path, cwd: homeDir, platform, pathExt };
      const resolution = await resolveExecutable(program, search);
      return {
        label: program,
        text: resolution.kind === 'found' ? resolution.path : l10n.t('not found'),
      };
    }),
  );
  const isSame = foldersOf(path, platform).every((folder) =>
    foldersOf(own, platform).includes(folder),
  );
  return [
    { label: l10n.t('shell'), text: shell ?? l10n.t('none') },
    { label: l10n.t('PATH of this process'), text: own },
    {
      label: l10n.t('PATH of servers'),
      text: isSame ? l10n.t('same as the editor') : path,
    },
    ...found,
  ];
}

function foldersOf(path: string, platform: NodeJS.Platform): readonly string[] {
  return path.split(platform === 'win32' ? ';' : ':');
}
