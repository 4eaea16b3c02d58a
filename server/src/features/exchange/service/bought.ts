import type { NewTransaction } from '../../transactions/index.ts';
import { inverseOf } from '../domain.ts';
import type { Sides } from '../store/sides.ts';

/** The transaction of the bought side, which is credited as soon as it is written. Minor units. */
export function boughtTransaction(
  { sell, buy, companyName }: Sides,
  executed: {
    exchangeId: string;
    boughtId: string;
    soldMinor: bigint;
    boughtMinor: bigint;
    rate: string;
    sources: readonly string[];
    ratedAt: Date;
    id: string;
    initiator: { id: string; name: string };
  },
): NewTransaction {
  return {
    id: executed.boughtId,
    type: buy.chainId === null ? 'fiat_exchange_in' : 'crypto_exchange_in',
    walletId: buy.walletId,
    coin: buy.asset,
    quantityMinor: executed.boughtMinor,
    payeeName: companyName,
    payeeAccount: buy.account,
    initiator: executed.initiator,
    relatedId: executed.exchangeId,
    counter: { asset: sell.asset, quantityMinor: executed.soldMinor },
    rate: {
      rate: inverseOf(executed.rate),
      source: executed.sources.join(','),
      at: executed.ratedAt,
      quoteId: executed.id,
    },
    ...(buy.chainId === null ? {} : { chain: { chainId: buy.chainId } }),
    timeline: [{ stage: 'credited' }],
  };
}
