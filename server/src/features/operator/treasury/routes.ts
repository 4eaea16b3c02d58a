import * as outputCalls from '@causeway/contract/operator-outputs.ts';
import * as calls from '@causeway/contract/operator-treasury.ts';
import { type Http, route, withPorts } from '../../../platform/http/route.ts';
import type { ChainFamilies } from '../../chains/index.ts';
import type { ConsoleCore } from '../console/dependencies.ts';
import { list as listAddresses, proposeAddress, removeAddress } from './addresses.ts';
import { list, listPayments, listSources, proposeWithdrawal } from './fees.ts';
import { getSet, listOutputs, listSets } from './outputs.ts';
import { exportCsv } from './outputs-export.ts';
import { get } from './service.ts';
import { listSettlements } from './settlements.ts';
import { proposeThreshold } from './thresholds.ts';

/** The operator's calls about gas tanks, fees, keys and nodes. */
export function registerTreasuryRoutes(given: Http, core: ConsoleCore & { families: ChainFamilies }): void {
  const http = withPorts(given, core);
  route.operatorRead(http, calls.getTreasury, get);
  route.operatorWrite(http, calls.proposeTankThreshold, proposeThreshold);
  route.operatorRead(http, calls.listCollectableFees, list);
  route.operatorRead(http, calls.listFeeSources, listSources);
  route.operatorRead(http, calls.listTreasuryAddresses, listAddresses);
  route.operatorWrite(http, calls.proposeTreasuryAddress, proposeAddress);
  route.operatorWrite(http, calls.removeTreasuryAddress, removeAddress);
  route.operatorWrite(http, calls.proposeFeeWithdrawal, proposeWithdrawal);
  route.operatorRead(http, calls.listFeePayments, listPayments);
  route.operatorRead(http, calls.listSettlements, listSettlements);
  route.operatorRead(http, outputCalls.listOutputSets, listSets);
  route.operatorRead(http, outputCalls.getOutputSet, getSet);
  route.operatorRead(http, outputCalls.listOutputs, listOutputs);
  route.open(http, outputCalls.exportOutputs, 'batches', exportCsv);
}
