import { toDisposable } from '../base/disposable.js';
import { nullLoggers } from '../config/ports.js';
import { findStatisticsPlace, ToolStatistics } from '../mcp/catalog/records/toolStatistics.js';
import type { CliSession } from './session.js';

/** The numbers of calls, where `captureStats` says that they are kept. */
export async function openStatistics({
  service,
  environment,
}: Pick<CliSession, 'service' | 'environment'>): Promise<ToolStatistics> {
  const statistics = new ToolStatistics({
    watcher: { watch: () => toDisposable(() => undefined) },
    logger: nullLoggers.main,
  });
  await statistics.keepIn(findStatisticsPlace(service, environment));
  return statistics;
}
