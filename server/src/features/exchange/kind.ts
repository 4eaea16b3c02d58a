import { invariant } from '../../platform/domain-error.ts';
import type { SubmittedKind } from '../outgoing/index.ts';
import type { AssessedSubject } from '../risk/index.ts';
import { readExchange } from './store/exchanges.ts';

/**
 * What risk looks at of an exchange: a payment of the sold asset to the company's own wallet, which no list and no region is about. Quantity
 * in minor units, value in US cents.
 */
export function riskSubjectOf(exchange: {
  id: string;
  sellAsset: string;
  isCoin: boolean;
  decimals: number;
  quantityMinor: bigint;
  valueUsdCents: bigint;
  /** Of the bought wallet. */
  account: string;
  initiatorId: string;
}): AssessedSubject {
  const { id, sellAsset, isCoin, decimals, quantityMinor, valueUsdCents, account, initiatorId } = exchange;
  return {
    id,
    business: 'payment',
    chainId: null,
    coin: isCoin ? sellAsset : null,
    currency: isCoin ? null : sellAsset,
    region: null,
    quantityMinor,
    decimals,
    valueUsdCents,
    accountKind: null,
    account,
    accountKey: '',
    initiatorId,
  };
}

const common = {
  codeSubject: 'exchange',
  actions: { submit: 'exchange.submit', cancel: 'exchange.cancel', stop: 'exchange.stop', fail: 'exchange.fail' },
  refusals: { notOwn: 'exchangeNotOwn', notCancellable: 'exchangeNotCancellable' },
  async riskSubject(tx, id) {
    const exchange = await readExchange(tx, id);
    invariant(exchange, `exchange ${id} can be judged`);
    const { valueUsdCents, soldMinor: quantityMinor, sell, initiatorId, buyAccount: account } = exchange;
    if (valueUsdCents === null) return null;
    const { asset: sellAsset, decimals, isCoin } = sell;
    return riskSubjectOf({ id, sellAsset, isCoin, decimals, quantityMinor, valueUsdCents, account, initiatorId });
  },
} satisfies Omit<SubmittedKind, 'type'>;

/** The sold side of an exchange, of a coin and of a currency, as kinds of what members submit. */
export const exchangeKinds: Readonly<Record<'crypto' | 'fiat', SubmittedKind>> = {
  crypto: { type: 'crypto_exchange_out', ...common },
  fiat: { type: 'fiat_exchange_out', ...common },
};

/** By the chain of the sold wallet. */
export function kindOfSide({ chainId }: { chainId: string | null }): SubmittedKind {
  return chainId === null ? exchangeKinds.fiat : exchangeKinds.crypto;
}
