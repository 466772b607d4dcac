/** Owns the page's state: the report, and what became of what the user asked for. */
import { errorMessage } from '../../base/errors.js';
import type {
  DoctorEnding,
  DoctorEvents,
  DoctorReport,
  DoctorRequests,
} from '../../protocol/doctor/doctorProtocol.js';
import type { MessageChannel } from '../../protocol/messages.js';

type Send = MessageChannel<DoctorRequests, DoctorEvents>['request'];

export interface DoctorPageState {
  readonly report: DoctorReport | undefined;
  /** Everything is looked at anew. */
  readonly isLooking: boolean;
  readonly isEnding: boolean;
  /** How often the report was copied, so that each copy is told. */
  readonly copies: number;
  readonly ending: DoctorEnding | undefined;
  /** A full sentence. */
  readonly error: string | undefined;
}

export class DoctorPage {
  private current: DoctorPageState = {
    report: undefined,
    isLooking: false,
    isEnding: false,
    copies: 0,
    ending: undefined,
    error: undefined,
  };

  constructor(
    private readonly send: Send,
    private readonly onDidChange: (state: DoctorPageState) => void,
  ) {}

  get state(): DoctorPageState {
    return this.current;
  }

  async look(): Promise<void> {
    if (this.current.isLooking) {
      return;
    }
    this.change({ isLooking: true, error: undefined });
    try {
      const report = await this.send('look', undefined);
      this.change({ report, isLooking: false });
    } catch (error) {
      this.change({ isLooking: false, error: errorMessage(error) });
    }
  }

  receive(report: DoctorReport): void {
    this.change({ report });
  }

  async copy(): Promise<void> {
    try {
      await this.send('copy', undefined);
      this.change({ copies: this.current.copies + 1, error: undefined });
    } catch (error) {
      this.change({ error: errorMessage(error) });
    }
  }

  /** All that are shown. */
  async endLeftovers(): Promise<void> {
    const keys = (this.current.report?.leftovers ?? []).map(({ key }) => key);
    this.change({ isEnding: true, ending: undefined, error: undefined });
    try {
      const ending = await this.send('endLeftovers', { keys });
      this.change({ isEnding: false, ending });
    } catch (error) {
      this.change({ isEnding: false, error: errorMessage(error) });
    }
  }

  openServer(id: string): void {
    void this.send('openServer', { id }).catch(() => undefined);
  }

  private change(part: Partial<DoctorPageState>): void {
    this.current = { ...this.current, ...part };
    this.onDidChange(this.current);
  }
}
