import {
  cancelExchange,
  exchange,
  getExchangeOptions,
  listLimitOrders,
  quoteExchange,
} from '@causeway/contract/exchange.ts';
import { addStandingOrder, listStandingOrders, stopStandingOrder } from '@causeway/contract/standing-orders.ts';
import { type Http, route, withPorts } from '../../platform/http/route.ts';
import type { SubmitPorts } from '../outgoing/index.ts';
import { cancel } from './service/cancel.ts';
import { listResting } from './service/limit-orders.ts';
import { options } from './service/options.ts';
import { quote } from './service/quote.ts';
import { createExchangeSubject } from './service/subject.ts';
import { submitting } from './service/submit.ts';
import type { StandingPorts } from './standing/service.ts';
import * as standing from './standing/service.ts';

export function registerExchangeRoutes(given: Http, ports: SubmitPorts & StandingPorts): void {
  const http = withPorts(given, { ...ports, subject: createExchangeSubject(ports.seal) });
  route.read(http, getExchangeOptions, options);
  route.write(http, quoteExchange, quote);
  route.batch(http, exchange, submitting);
  route.money(http, cancelExchange, cancel);
  route.read(http, listLimitOrders, listResting);
  route.read(http, listStandingOrders, standing.list);
  route.money(http, addStandingOrder, standing.adding);
  route.write(http, stopStandingOrder, standing.stop);
}
