import { cancelExchange, exchange, getExchangeOptions, quoteExchange } from '@causeway/contract/exchange.ts';
import { type Http, route, withPorts } from '../../platform/http/route.ts';
import type { SubmitPorts } from '../outgoing/index.ts';
import { cancel } from './service/cancel.ts';
import { options } from './service/options.ts';
import { quote } from './service/quote.ts';
import { createExchangeSubject } from './service/subject.ts';
import { submitting } from './service/submit.ts';

export function registerExchangeRoutes(given: Http, ports: SubmitPorts): void {
  const http = withPorts(given, { ...ports, subject: createExchangeSubject(ports.seal) });
  route.read(http, getExchangeOptions, options);
  route.write(http, quoteExchange, quote);
  route.batch(http, exchange, submitting);
  route.money(http, cancelExchange, cancel);
}
