import {
  downloadReceipt,
  exportTransactions,
  getTransaction,
  listTransactions,
} from '@causeway/contract/transactions.ts';
import { type Http, route, withPorts } from '../../platform/http/route.ts';
import { describe } from './service/detail.ts';
import { exportCsv } from './service/export.ts';
import { list } from './service/list.ts';
import type { TransactionPorts } from './service/parts.ts';
import { receipt } from './service/receipt.ts';

export function registerTransactionRoutes(given: Http, ports: TransactionPorts): void {
  const http = withPorts(given, ports);
  route.read(http, listTransactions, list);
  route.open(http, exportTransactions, 'batches', exportCsv);
  route.read(http, getTransaction, describe);
  route.open(http, downloadReceipt, 'slow work', receipt);
}
