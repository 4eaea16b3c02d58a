import * as z from 'zod/mini';
import { call } from './call.ts';
import { id } from './ids.ts';
import { operatorReason } from './operator.ts';

/** Debits of banks that two operators explain: what was sent back to its payer, and the firm's own transfer of fees. Part of the feature operator. */

export const proposeBankReturn = call({
  name: 'proposeBankReturn',
  method: 'POST',
  path: '/operator/bank-money/{id}/return',
  summary:
    'Proposes to record that the bank sent money in suspense back to its payer, by a debit of the same amount that it has booked at the same account. Another operator confirms it.',
  access: 'operator.exception',
  params: z.object({ id }),
  body: z.strictObject({ takenId: id, reason: operatorReason }),
  output: z.object({ proposalId: id }),
  errors: ['notFound', 'bankMoneySettled', 'bankReturnDiffers', 'proposalOpen'],
});

export const proposeBankFees = call({
  name: 'proposeBankFees',
  method: 'POST',
  path: '/operator/bank-money/{id}/fees',
  summary:
    'Proposes to explain a debit that is held as taken by the bank as the firm’s own transfer of collected fees. Another operator confirms it; the worker sets it off against the fees of companies in its currency at its bank, the oldest first, all of it or none.',
  access: 'operator.treasury',
  params: z.object({ id }),
  body: z.strictObject({ reason: operatorReason }),
  output: z.object({ proposalId: id }),
  errors: ['notFound', 'bankDebitOther', 'bankFeesShort', 'proposalOpen'],
});
