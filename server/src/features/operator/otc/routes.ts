import * as calls from '@causeway/contract/operator-otc.ts';
import { type Http, route, withPorts } from '../../../platform/http/route.ts';
import type { ConsoleCore } from '../console/dependencies.ts';
import { changeMinimum, decline, note, quote } from './answering.ts';
import { get, list, price } from './reading.ts';

/** The operator's calls of the desk. */
export function registerDeskRoutes(given: Http, core: ConsoleCore): void {
  const http = withPorts(given, core);
  route.operatorRead(http, calls.listDeskRequests, list);
  route.operatorRead(http, calls.getDeskRequest, get);
  route.operatorRead(http, calls.priceDeskRequest, price);
  route.operatorWrite(http, calls.quoteDeskRequest, quote);
  route.operatorWrite(http, calls.declineDeskRequest, decline);
  route.operatorWrite(http, calls.noteDeskRequest, note);
  route.operatorWrite(http, calls.changeOtcMinimum, changeMinimum);
}
