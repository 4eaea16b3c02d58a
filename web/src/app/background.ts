import { reportActivity } from 'virtual:calls/identity';
import { getServiceStatus, streamEvents } from 'virtual:calls/live';
import { activitySampleMs, idleTimeoutMs, idleWarningMs } from '@causeway/contract/identity-rules.ts';
import { send } from '../lib/client.ts';
import { watchIdle } from '../lib/idle.ts';
import { openLive } from '../lib/live-stream.ts';
import { translate } from '../lib/locale.tsx';
import { queryClient } from '../lib/queries.ts';
import { watchOutages } from '../lib/service-state.ts';
import { endSession } from '../lib/session.ts';
import { toast } from '../lib/toasts.ts';

/** Activity is reported to the server at most once a minute. */
const reportEvery_ms = 60_000;

/**
 * What goes on behind the console's pages: the tab's one stream of events, the watch that ends the session after fifteen
 * minutes without mouse or key (decisions, "Session"), and the one for the end of an outage. Returns a function that
 * stops them.
 */
export function runBackground(): () => void {
  const closeStream = openLive(streamEvents);
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
    onReport: () => void send(reportActivity, {}).catch(() => undefined),
  });
  const stopOutages = watchOutages({
    ask: async () => (await send(getServiceStatus, {})).available,
    onBack: () => {
      toast('success', translate('app.available'));
      void queryClient.invalidateQueries();
    },
  });
  return () => {
    stopOutages();
    closeStream();
    stopWatch();
  };
}
