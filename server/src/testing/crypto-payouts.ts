import type { Output } from '@causeway/contract/call.ts';
import { sendUserCode } from '@causeway/contract/identity.ts';
import { createCryptoPayment, quoteCryptoPayment } from '@causeway/contract/payments.ts';
import { newId } from '../platform/ids.ts';
import { credit } from './company.ts';
import type { MainApp, Member, Request } from './main-app.ts';
import { type PayingCompany, type PayoutWorld, payoutWorld } from './payouts.ts';
import { keepTestMids } from './prices.ts';
import { succeed } from './succeed.ts';

/** Payments out of coins, at 1 USDT = 7.8125 HKD where no test says otherwise. */

export interface CryptoPayoutWorld extends Omit<PayoutWorld, 'company'> {
  /** A company with so many USDT, a wallet in Hong Kong dollars with 1 HKD, and a payee there. */
  company(usdt: bigint): Promise<PayingCompany>;
}

export async function cryptoPayoutWorld(...given: Parameters<typeof payoutWorld>): Promise<CryptoPayoutWorld> {
  const world = await payoutWorld(...given);
  await keepTestMids(world.db, { USDT: '1', HKD: '0.128' });
  return {
    ...world,
    async company(usdt) {
      // The bank's fee for what arrives is 15.00.
      const company = await world.company('16.00');
      await credit(world.db, company, 'USDT', usdt * 1_000_000n);
      return company;
    },
  };
}

export interface CryptoWish {
  amount: string;
  /** The most that leaves; absent: what is quoted. */
  bound?: string;
  fee?: string;
  as?: Member;
  attachmentIds?: readonly string[];
  purpose?: string;
  remittance?: string;
}

/** A quote, and the request that pays at it, with a code that was mailed for it. */
export async function quotedPayout(
  { world }: { world: MainApp },
  company: PayingCompany,
  { amount, bound, fee = '0', as = company.admin, attachmentIds = [], ...terms }: CryptoWish,
): Promise<{ quote: Output<typeof quoteCryptoPayment>; request: Request & { body: Record<string, unknown> } }> {
  const wallets = { walletId: company.wallets.USDT, bankWalletId: company.walletId, payeeId: company.payee.id };
  const { data: quote } = await succeed(world, quoteCryptoPayment, { as, body: { ...wallets, amount, ...terms } });
  const content = {
    id: newId(),
    ...wallets,
    versionId: company.payee.versionId,
    amount,
    bound: bound ?? quote.sell.total,
    attachmentIds: [...attachmentIds],
    ...terms,
  };
  const subject = { kind: 'cryptoPayout', content };
  await succeed(world, sendUserCode, { as, body: { scenario: 'transaction', subject } });
  const proof = { quoteId: quote.id, fee, codeMethod: 'email', code: await world.takeCode() };
  return { quote, request: { as, body: { ...content, kind: 'crypto_payout', ...proof } } };
}

/** Submits it. @returns its id */
export async function paidWithCoins(
  test: { world: MainApp },
  company: PayingCompany,
  wish: CryptoWish,
): Promise<string> {
  const { request } = await quotedPayout(test, company, wish);
  return (await succeed(test.world, createCryptoPayment, request)).data.id;
}
