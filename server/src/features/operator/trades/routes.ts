import * as calls from '@causeway/contract/operator-trades.ts';
import { type Http, route } from '../../../platform/http/route.ts';
import { get, list, resend } from './service.ts';

/** The operator's calls of guaranteed trades. */
export function registerOperatorTradeRoutes(http: Http): void {
  route.operatorRead(http, calls.listOperatorTrades, list);
  route.operatorRead(http, calls.getOperatorTrade, get);
  route.operatorWrite(http, calls.resendTradeMessage, resend);
}
