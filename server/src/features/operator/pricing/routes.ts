import * as calls from '@causeway/contract/operator-prices.ts';
import { type Http, route, withPorts } from '../../../platform/http/route.ts';
import type { ConsoleCore } from '../console/dependencies.ts';
import { proposeChange, tryOne, withdraw } from './changing.ts';
import { listHistory, listInForce } from './prices.ts';
import { listAssets, proposeOn, turnOff } from './switches.ts';

/** The operator's calls about prices, and about what is switched off. */
export function registerPricingRoutes(given: Http, core: ConsoleCore): void {
  const http = withPorts(given, core);
  route.operatorRead(http, calls.listPricesInForce, listInForce);
  route.operatorRead(http, calls.listPriceHistory, listHistory);
  route.operatorRead(http, calls.tryPrice, tryOne);
  route.operatorWrite(http, calls.proposePrice, proposeChange);
  route.operatorWrite(http, calls.withdrawPrice, withdraw);
  route.operatorRead(http, calls.listOperatorAssets, listAssets);
  route.operatorWrite(http, calls.switchOff, turnOff);
  route.operatorWrite(http, calls.proposeSwitchOn, proposeOn);
}
