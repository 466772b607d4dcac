/** Entries of a recording as lines of the timeline. */
import * as l10n from '@vscode/l10n';
import type { RequestEntry, TrafficEntry } from '../../mcp/traffic/entries.js';
import type { InspectorRow } from '../../protocol/inspector/inspectorProtocol.js';
import { replayable } from './replay.js';

const maxText = 300;

export function rowOf(entry: TrafficEntry): InspectorRow {
  const { id, gen, startedAt: t } = entry;
  const head = { id, gen, t };
  switch (entry.kind) {
    case 'request':
      return requestRow(entry);
    case 'notification': {
      const { dir, method, target = '' } = entry;
      return {
        ...head,
        kind: 'notification',
        dir,
        method,
        target: oneLine(target),
        status: 'none',
      };
    }
    case 'stray': {
      const { dir, error } = entry;
      return {
        ...head,
        kind: 'response',
        dir,
        method: l10n.t('Response'),
        target: '',
        status: error ? 'error' : 'none',
        note: l10n.t('No matching request'),
      };
    }
    case 'http': {
      const { method, url, status, end, endedAt } = entry;
      const isBad = end === 'broken' || (status ?? 0) >= 400;
      return {
        ...head,
        kind: 'http',
        dir: 'sent',
        method,
        target: oneLine(url),
        ms: endedAt === undefined ? undefined : endedAt - t,
        status: isBad
          ? 'error'
          : end === undefined
            ? 'open'
            : end === 'cancelled'
              ? 'cancelled'
              : 'ok',
        note: status === undefined ? undefined : l10n.t('HTTP {0}', status),
      };
    }
    case 'stderr':
      return {
        ...head,
        kind: 'stderr',
        dir: 'received',
        method: l10n.t('Output'),
        target: oneLine(entry.text),
        status: 'none',
      };
    case 'life':
      return { ...head, kind: 'life', ...lifeText(entry.record) };
  }
}

function requestRow(entry: RequestEntry): InspectorRow {
  const { id, gen, dir, method, target = '', startedAt, endedAt, state, error } = entry;
  const notes = [
    ...(error ? [`${error.code ?? ''} ${error.message}`.trim()] : []),
    ...(state === 'error' && !error ? [l10n.t('The tool reports a failure.')] : []),
    ...(entry.fault === undefined ? [] : [l10n.t('Ignored: {0}', entry.fault)]),
    ...(state === 'lost' ? [l10n.t('The connection was closed.')] : []),
    ...(entry.task ? [l10n.t('Task: {0}', entry.task.status ?? '')] : []),
    ...(entry.rounds > 0 ? [l10n.t('Rounds: {0}', entry.rounds + 1)] : []),
    ...(state === 'open' && entry.progress ? [entry.progress] : []),
  ];
  return {
    id,
    gen,
    kind: 'request',
    dir,
    method,
    target: oneLine(target),
    t: startedAt,
    ms: endedAt === undefined ? undefined : endedAt - startedAt,
    status: state,
    note: notes.length > 0 ? oneLine(notes.join(' · ')) : undefined,
    canReplay: (dir === 'sent' && replayable.includes(method)) || undefined,
  };
}

function lifeText(
  record: Extract<TrafficEntry, { kind: 'life' }>['record'],
): Pick<InspectorRow, 'method' | 'target' | 'status' | 'note'> {
  switch (record.event) {
    case 'starting':
      return { method: l10n.t('Connecting'), target: record.launch, status: 'none' };
    case 'connected':
      return { method: l10n.t('Connected'), target: record.transport, status: 'ok' };
    case 'closed':
      return record.error === undefined
        ? { method: l10n.t('Disconnected'), target: '', status: 'none' }
        : { method: l10n.t('Disconnected'), target: oneLine(record.error), status: 'error' };
  }
}

function oneLine(text: string): string {
  return text.slice(0, maxText).replace(/\s+/g, ' ').trim();
}
