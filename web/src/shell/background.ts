import { activitySampleMs, idleTimeoutMs, idleWarningMs } from '@causeway/contract/identity-rules.ts';
import { watchIdle } from '../lib/idle.ts';
import { translate } from '../lib/locale.tsx';
import { queryClient } from '../lib/queries.ts';
import { watchOutages } from '../lib/service-state.ts';
import { endSession } from '../lib/session.ts';
import { toast } from '../lib/toasts.ts';

/** Activity is reported to the server at most once a minute. */
const reportEvery_ms = 60_000;

export interface Background {
  /** Says to the server that the person is at the keyboard. */
  reportActivity: () => Promise<unknown>;
  /** Resolves with whether the service works; rejects when it can't be reached. */
  isBack: () => Promise<boolean>;
}

/**
 * What goes on behind the pages of either console: the watch that ends the session after fifteen
 * minutes without mouse or key (decisions, "Session"), and the one for the end of an outage. Returns a function that
 * stops them.
 */
export function runBackground({ reportActivity, isBack }: Background): () => void {
  const timings = {
    timeout_ms: idleTimeoutMs,
    sample_ms: activitySampleMs,
    warning_ms: idleWarningMs,
    report_ms: reportEvery_ms,
  };
  const stopWatch = watchIdle(document, timings, {
    onWarn: () => toast('notice', translate('app.idle.warning'), { stay_ms: idleWarningMs }),
    onEnd: () => endSession('lapse'),
    // That the session is over is reported by the client; any other failure is the next report's.
    onReport: () => void reportActivity().catch(() => undefined),
  });
  const stopOutages = watchOutages({
    ask: isBack,
    onBack: () => {
      toast('success', translate('app.available'));
      void queryClient.invalidateQueries();
    },
  });
  return () => {
    stopOutages();
    stopWatch();
  };
}
