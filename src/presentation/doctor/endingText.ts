import * as l10n from '@vscode/l10n';
import type { LeftoverOutcome } from '../../platform/process/leftovers.js';
import type { DoctorEnding, DoctorLeftover } from '../../protocol/doctor/doctorProtocol.js';

/** The question before leftovers are ended. */
export function endingQuestion(leftovers: readonly DoctorLeftover[]): {
  readonly message: string;
  readonly detail: string;
  readonly action: string;
} {
  return {
    message: l10n.t('Stop the orphaned servers?'),
    detail: leftovers
      .map(({ command, facts }) =>
        [command, ...facts.map(({ label, text }) => `${label}: ${text}`)].join('\n'),
      )
      .join('\n\n'),
    action: l10n.t('Stop Them'),
  };
}

export function endingText(outcomes: readonly LeftoverOutcome[]): DoctorEnding {
  const count = (wanted: LeftoverOutcome) =>
    outcomes.filter((outcome) => outcome === wanted).length;
  const [ended, gone, alive] = [count('ended'), count('gone'), count('alive')];
  const sentences = [
    ...(ended > 0 || gone + alive === 0 ? [l10n.t('Stopped: {0}.', ended)] : []),
    ...(gone > 0 ? [l10n.t('Not stopped, process changed: {0}.', gone)] : []),
    ...(alive > 0
      ? [l10n.t('Could not be stopped: {0}. Refresh, or stop them by hand.', alive)]
      : []),
  ];
  return { text: sentences.join(' '), isWarning: alive > 0 };
}
