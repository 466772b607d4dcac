import * as l10n from '@vscode/l10n';
import { markdownText } from '../../base/text/plainText.js';
import type {
  DoctorFact,
  DoctorReport,
  DoctorServer,
} from '../../protocol/doctor/doctorProtocol.js';

/** The report for whoever helps: what others wrote is shown as it is and never obeyed. */
export function doctorMarkdown(report: DoctorReport): string {
  const { versions, machine, files, servers, doubleStarts, leftovers = [], calls } = report;
  return [
    `# ${l10n.t('Pi MCP report')}`,
    '',
    ...versions.map(factLine),
    ...(report.isRestricted ? [`- ${l10n.t('The workspace is in Restricted Mode.')}`] : []),
    '',
    ...section(l10n.t('PATH and shell'), machine.map(factLine)),
    ...section(
      l10n.t('Files'),
      files.map(({ path, message }) => `- ${markdownText(path)}: ${markdownText(message)}`),
    ),
    ...servers.flatMap(serverLines),
    ...section(
      l10n.t('Also Running Elsewhere'),
      doubleStarts.map(({ server, text }) => `- ${markdownText(server)}: ${markdownText(text)}`),
    ),
    ...section(
      l10n.t('Orphaned Servers'),
      leftovers.map(({ command, facts }) => {
        const about = facts.map(({ label, text }) => `${label} ${text}`).join(', ');
        return `- ${markdownText(command)}: ${markdownText(about)}`;
      }),
    ),
    ...section(
      l10n.t('Calls'),
      calls.map(({ label, text }) => `- ${markdownText(label)}: ${markdownText(text)}`),
    ),
  ].join('\n');
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [`## ${title}`, '', ...lines, ''];
}

function factLine({ label, text }: DoctorFact): string {
  return `- ${markdownText(`${label}: ${text}`)}`;
}

function serverLines(server: DoctorServer): readonly string[] {
  const { name, reason, sentence, code, next, facts, notes, evidence } = server;
  const said = [sentence, reason, next].filter((text) => text !== undefined);
  return [
    `## ${markdownText(name)}`,
    '',
    ...[`${code === undefined ? '' : `${code}: `}${said[0]}`, ...said.slice(1)].map(
      (line) => `- ${markdownText(line)}`,
    ),
    ...facts.map(factLine),
    ...[...notes, ...evidence].map((line) => `- ${markdownText(line)}`),
    '',
  ];
}
