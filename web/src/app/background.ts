import { reportActivity } from 'virtual:calls/identity';
import { getServiceStatus, streamEvents } from 'virtual:calls/live';
import { send } from '../lib/client.ts';
import { openLive } from '../lib/live-stream.ts';
import { runBackground } from '../shell/background.ts';

/** What goes on behind the companies' pages: what both consoles have, and the tab's one stream of events. */
export function runCompanyBackground(): () => void {
  const closeStream = openLive(streamEvents);
  const stop = runBackground({
    reportActivity: () => send(reportActivity, {}),
    isBack: async () => (await send(getServiceStatus, {})).available,
  });
  return () => {
    closeStream();
    stop();
  };
}
