import * as calls from '@causeway/contract/otc.ts';
import { type Http, route } from '../../platform/http/route.ts';
import { ask, terms } from './service/ask.ts';
import { exportCsv } from './service/export.ts';
import { get, list } from './service/reading.ts';
import { counter, note, withdraw } from './service/step.ts';

/** A company’s requests to the operator's desk. Accepting one is `exchange`, at the desk's quote. */
export function registerOtcRoutes(http: Http): void {
  route.read(http, calls.getOtcTerms, terms);
  route.write(http, calls.askOtc, ask);
  route.read(http, calls.listOtc, list);
  route.open(http, calls.exportOtc, 'batches', exportCsv);
  route.read(http, calls.getOtc, get);
  route.write(http, calls.counterOtc, counter);
  route.write(http, calls.noteOtc, note);
  route.write(http, calls.withdrawOtc, withdraw);
}
