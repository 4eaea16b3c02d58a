import {
  deleteCategory,
  deleteSavedFilter,
  downloadReceipt,
  exportTransactions,
  getTransaction,
  listCategories,
  listSavedFilters,
  listTransactions,
  saveFilter,
} from '@causeway/contract/transactions.ts';
import { type Http, route, withPorts } from '../../platform/http/route.ts';
import { categories, deleteOne } from './service/categories.ts';
import { describe } from './service/detail.ts';
import { exportCsv } from './service/export.ts';
import { list } from './service/list.ts';
import type { TransactionPorts } from './service/parts.ts';
import { receipt } from './service/receipt.ts';
import { deleteSaved, save, savedFilters } from './service/saved-filters.ts';

export function registerTransactionRoutes(given: Http, ports: TransactionPorts): void {
  const http = withPorts(given, ports);
  route.read(http, listTransactions, list);
  route.open(http, exportTransactions, 'batches', exportCsv);
  route.read(http, getTransaction, describe);
  route.open(http, downloadReceipt, 'slow work', receipt);
  route.read(http, listCategories, categories);
  route.write(http, deleteCategory, deleteOne);
  route.read(http, listSavedFilters, savedFilters);
  route.write(http, saveFilter, save);
  route.write(http, deleteSavedFilter, deleteSaved);
}
