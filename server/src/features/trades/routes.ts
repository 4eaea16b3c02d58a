import {
  confirmTrade,
  declineTrade,
  disputeTrade,
  exportTrades,
  getTrade,
  listTrades,
  releaseTrade,
} from '@causeway/contract/trades.ts';
import { type Http, route, withPorts } from '../../platform/http/route.ts';
import type { SubmitPorts } from '../outgoing/index.ts';
import { createTransferKind, createTransferSubject } from '../transfers/index.ts';
import { type ConfirmPorts, confirming } from './service/confirm.ts';
import { decline, dispute } from './service/decline.ts';
import { exportCsv } from './service/export.ts';
import { type ConnectedPort, get, list } from './service/list.ts';
import { releasing } from './service/release.ts';
import { tradeSubject } from './service/subject.ts';

export function registerTradeRoutes(
  given: Http,
  ports: SubmitPorts & ConnectedPort & Omit<ConfirmPorts, 'tradeSubject'>,
): void {
  const { families } = ports;
  const transfers = { families, kind: createTransferKind(families), subject: createTransferSubject(families) };
  const http = withPorts(given, { ...ports, tradeSubject, transfers });
  route.read(http, listTrades, list);
  route.open(http, exportTrades, 'batches', exportCsv);
  route.read(http, getTrade, get);
  route.money(http, confirmTrade, confirming);
  route.money(http, declineTrade, decline);
  route.money(http, releaseTrade, releasing);
  route.write(http, disputeTrade, dispute);
}
