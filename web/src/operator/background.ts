import { getOperator, reportOperatorActivity } from 'virtual:calls/operator';
import { send } from '../lib/client.ts';
import { runBackground } from '../shell/background.ts';

/** What goes on behind the operator's pages. There is no stream of events: what can change by others is asked for again. */
export function runOperatorBackground(): () => void {
  return runBackground({
    reportActivity: () => send(reportOperatorActivity, {}),
    isBack: async () => {
      await send(getOperator, {});
      return true;
    },
  });
}
