import type { OutputInput, Query } from '@causeway/contract/call.ts';
import type { getCryptoPaymentOptions } from '@causeway/contract/payments.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import type { SignedInContext } from '../../../platform/session.ts';
import { exchangeWallets } from '../../exchange/index.ts';
import { findPayeeCurrency } from '../store/payout.ts';

/**
 * The coin wallets that can pay a payee, and the wallets at banks through which they can.
 * @throws DomainError payeeNotFound
 */
export async function options(
  tx: Tx,
  context: SignedInContext,
  { payeeId }: Query<typeof getCryptoPaymentOptions>,
): Promise<OutputInput<typeof getCryptoPaymentOptions>> {
  const currency = await findPayeeCurrency(tx, payeeId);
  if (currency === null) throw new DomainError('payeeNotFound');
  const wallets = await exchangeWallets(tx, context);
  return {
    currency,
    banks: wallets
      .filter(({ isCoin, asset }) => !isCoin && asset === currency)
      .map(({ walletId, placeName, cannotBuy: cannotPay }) => ({ walletId, placeName, cannotPay })),
    coins: wallets
      .filter(({ isCoin }) => isCoin)
      .map(({ walletId, asset, decimals, placeName, available, cannotSell: cannotPay }) => {
        return { walletId, asset, decimals, placeName, available, cannotPay };
      }),
  };
}
