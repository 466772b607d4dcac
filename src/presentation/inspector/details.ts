/** What is shown of one entry: its frames, in order, as people read them. */
import * as l10n from '@vscode/l10n';
import { parseJson } from '../../base/json.js';
import type { FrameRecord, HeaderList, TrafficRecord } from '../../mcp/trafficTypes.js';
import type { InspectorFrame } from '../../protocol/inspector/inspectorProtocol.js';

/** Characters. A frame that is stored whole is not longer; imported ones could be. */
const maxShown = 64 * 1024;
const maxFrames = 200;

export function framesOf(records: readonly TrafficRecord[]): readonly InspectorFrame[] {
  return records.slice(0, maxFrames).map(frameOf);
}

function frameOf(record: TrafficRecord): InspectorFrame {
  const { seq, t } = record;
  const plain = { seq, t, isJson: false };
  switch (record.kind) {
    case 'frame': {
      const { text, isCut } = pretty(record);
      return {
        seq,
        t,
        title: titleOf(record),
        text,
        isJson: !isCut,
        wholeSize: isCut ? record.size : undefined,
      };
    }
    case 'stderr':
      return { ...plain, title: l10n.t('Output'), text: record.text };
    case 'life':
      return { ...plain, title: l10n.t('Connection'), text: lifeLines(record) };
    case 'http':
      return { ...plain, ...httpText(record) };
  }
}

export function prettyJson(text: string): string {
  // of the beginning of one, or of a foreign recording, as it is
  return JSON.stringify(parseJson(text), undefined, 2) ?? text;
}

function pretty({ text, isCut }: FrameRecord): { text: string; isCut: boolean } {
  if (isCut || text.length > maxShown) {
    return { text: text.slice(0, maxShown), isCut: true };
  }
  return { text: prettyJson(text), isCut: false };
}

function titleOf({ dir, facts }: FrameRecord): string {
  const { method, error } = facts;
  if (dir === 'local') {
    return l10n.t('Said by Pi MCP');
  }
  const what = method ?? (error ? l10n.t('Error') : l10n.t('Result'));
  return dir === 'sent'
    ? l10n.t('{0}: {1}', l10n.t('To the server'), what)
    : l10n.t('{0}: {1}', l10n.t('From the server'), what);
}

function lifeLines(record: Extract<TrafficRecord, { kind: 'life' }>): string {
  switch (record.event) {
    case 'starting':
      return l10n.t('{0}: {1}', l10n.t('Connecting'), record.launch);
    case 'connected': {
      const over = l10n.t('{0}: {1}', l10n.t('Connected'), record.transport);
      return record.pid === undefined ? over : l10n.t('{0}, process {1}', over, record.pid);
    }
    case 'closed':
      return record.error ?? l10n.t('Disconnected');
  }
}

function httpText(record: Extract<TrafficRecord, { kind: 'http' }>) {
  switch (record.phase) {
    case 'request':
      return {
        title: l10n.t('Request'),
        text: [`${record.method} ${record.url}`, ...headerLines(record.headers)].join('\n'),
      };
    case 'response':
      return {
        title: l10n.t('Response'),
        text: [String(record.status), ...headerLines(record.headers)].join('\n'),
      };
    case 'end':
      return {
        title: l10n.t('End'),
        text: [`${record.end}, ${record.bytes} B`, ...(record.error ? [record.error] : [])].join(
          '\n',
        ),
      };
  }
}

function headerLines(headers: HeaderList): readonly string[] {
  return headers.map(([name, value]) => `${name}: ${value}`);
}
