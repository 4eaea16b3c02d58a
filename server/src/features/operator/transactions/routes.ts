import * as calls from '@causeway/contract/operator-transactions.ts';
import { type Http, route, withPorts } from '../../../platform/http/route.ts';
import { describeTransaction, type TransactionsPorts } from './detail.ts';
import { exportCsv } from './export.ts';
import { list, listFilters } from './list.ts';

/** The operator's calls about transactions of all companies. */
export function registerOperatorTransactionRoutes(given: Http, ports: TransactionsPorts): void {
  const http = withPorts(given, ports);
  route.operatorRead(http, calls.listOperatorTransactions, list);
  route.operatorRead(http, calls.listOperatorTransactionFilters, listFilters);
  route.open(http, calls.exportOperatorTransactions, 'batches', exportCsv);
  route.open(http, calls.getOperatorTransaction, 'a company’s rows', describeTransaction);
}
