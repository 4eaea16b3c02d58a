import * as z from 'zod/mini';
import { call } from './call.ts';
import { id } from './ids.ts';
import { operatorReason } from './operator.ts';
import { bankMoney } from './operator-banks.ts';
import { bankExplained, bankWithdrawals } from './operator-banks-rules.ts';

/**
 * What becomes of a booking that two operators explained as fees collected, or as settled with the issuer of cards (docs/adr/0118-…): the bank returns all of
 * it or a part, or the explanation was wrong. Part of the feature operator.
 */

/** In whole units. */
const quantity = z.string();

/** So many companies of a return are listed. */
export const bankSharesMax = 100;
/** So many bookings that returned of one are listed. */
export const bankReturnsMax = 100;

export const getBankExplanation = call({
  name: 'getBankExplanation',
  method: 'GET',
  path: '/operator/bank-money/{id}/explanation',
  summary:
    'What the bank returned of a booking that was explained as fees collected or as settled with the issuer of cards; of a booking by which it did, what was returned; and of a held one, what it may be a return of.',
  access: 'operator.view',
  params: z.object({ id }),
  output: z.object({
    /**
     * Of a held booking: explained ones the other way, at its account, of which as much was not returned yet; those of exactly that first, then the
     * latest. `open`: how much was not returned.
     */
    returnable: z.array(z.object({ money: bankMoney, open: quantity })),
    /** Of an explained booking. `open`: what of it was not returned. */
    explained: z.nullable(z.object({ about: z.enum(bankExplained), open: quantity, returns: z.array(bankMoney) })),
    /** Of a booking by which the bank returned: which one, and each company's part; the largest first, 100 at most. */
    returned: z.nullable(
      z.object({
        about: z.enum(bankExplained),
        money: bankMoney,
        shares: z.object({
          companies: z.number(),
          items: z.array(z.object({ companyId: id, companyName: z.string(), quantity })),
        }),
      }),
    ),
    /** Whether what operators recorded can be withdrawn; null where nothing is explained. */
    withdrawal: z.nullable(z.enum(bankWithdrawals)),
  }),
  errors: ['notFound'],
});

export const proposeBankTakeBack = call({
  name: 'proposeBankTakeBack',
  method: 'POST',
  path: '/operator/bank-money/{id}/taken-back',
  summary:
    'Proposes to record that the bank returned by this money, which is held, what another was explained as, fees or a settlement with the issuer of cards: all of it or a part, the other way, at the same account. Another operator confirms it; the worker puts it back to the companies’ accounts, divided as it was taken, as old as it was.',
  access: 'operator.treasury',
  params: z.object({ id }),
  body: z.strictObject({ explainedId: id, reason: operatorReason }),
  output: z.object({ proposalId: id }),
  errors: ['notFound', 'bankTakeBackDiffers', 'proposalOpen'],
});

export const proposeBankWithdrawal = call({
  name: 'proposeBankWithdrawal',
  method: 'POST',
  path: '/operator/bank-money/{id}/explanation/withdrawal',
  summary:
    'Proposes to withdraw what operators recorded of a money wrongly: that it was fees collected, settled with the issuer of cards, or a return of either. Another operator confirms it; the worker posts each company’s share the other way, and the money is held as before.',
  access: 'operator.treasury',
  params: z.object({ id }),
  body: z.strictObject({ reason: operatorReason }),
  output: z.object({ proposalId: id }),
  errors: ['notFound', 'bankExplanationOther', 'bankExplanationShort', 'proposalOpen'],
});
