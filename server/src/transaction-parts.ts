import { approvalOf } from './features/approvals/index.ts';
import { batchesOf, batchOf, runApprovalOf } from './features/batches/index.ts';
import { cardOfTransaction, cardsOfTransactions } from './features/cards/index.ts';
import { paymentRequestOf, paymentRequestsOf } from './features/collections/index.ts';
import { exchangeOf, pricesOf } from './features/exchange/index.ts';
import { readAttachmentIds } from './features/outgoing/index.ts';
import { boughtFor, payoutOf } from './features/payments/index.ts';
import { findObstruction, findPayoutObstruction, readBroadcastHashes, waitingOf } from './features/rails/index.ts';
import { tradeOfTransaction, tradesOfTransactions } from './features/trades/index.ts';
import type { TransactionParts } from './features/transactions/index.ts';
import { networkFeeOf, testOf } from './features/transfers/index.ts';

/** What features to the right know of a transaction: its company and the operator get one explanation. */
export const transactionParts: TransactionParts = {
  approvalOf: async (tx, kind, id, reader) => (await approvalOf(tx, kind, id, reader)) ?? runApprovalOf(tx, id, reader),
  batchOf,
  batchesOf,
  tradeOf: tradeOfTransaction,
  tradesOf: tradesOfTransactions,
  paymentRequestOf,
  paymentRequestsOf,
  cardOf: cardOfTransaction,
  cardsOf: cardsOfTransactions,
  findHashes: readBroadcastHashes,
  findAttachmentIds: readAttachmentIds,
  findObstruction: async (tx, id) => (await findObstruction(tx, id)) ?? findPayoutObstruction(tx, id),
  networkFeeOf,
  testOf,
  waitingOf,
  payoutOf,
  exchangeOf,
  pricesOf,
  boughtFor,
};
