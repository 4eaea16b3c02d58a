import * as calls from '@causeway/contract/operator-exchange.ts';
import { type Http, route, withPorts } from '../../../platform/http/route.ts';
import type { ConsoleCore } from '../console/dependencies.ts';
import { changeLimit } from './limits.ts';
import { getHedge, getPosition, listHedges } from './service.ts';
import { listTerms, proposeTerms, withdrawTerms } from './terms.ts';

/** The operator's calls about positions, what is added to spreads, and hedges. */
export function registerOperatorExchangeRoutes(given: Http, core: ConsoleCore): void {
  const http = withPorts(given, core);
  route.operatorRead(http, calls.getExchangePosition, getPosition);
  route.operatorWrite(http, calls.changeExchangeLimit, changeLimit);
  route.operatorRead(http, calls.listExchangeTerms, listTerms);
  route.operatorWrite(http, calls.proposeExchangeTerms, proposeTerms);
  route.operatorWrite(http, calls.withdrawExchangeTerms, withdrawTerms);
  route.operatorRead(http, calls.listHedgeOrders, listHedges);
  route.operatorRead(http, calls.getHedgeOrder, getHedge);
}
