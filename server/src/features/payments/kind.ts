import { invariant } from '../../platform/domain-error.ts';
import type { ChainFamilies } from '../chains/index.ts';
import type { OutgoingKind } from '../outgoing/index.ts';
import { type AssessedSubject, accountKey } from '../risk/index.ts';
import { payoutDigest } from './domain.ts';
import { readReviewed } from './store/reviewing.ts';

/** What risk looks at of a payment out of a bank. Quantity in minor units, value in US cents. */
export function riskSubjectOf(
  families: ChainFamilies,
  payout: {
    id: string;
    currency: string;
    decimals: number;
    quantityMinor: bigint;
    valueUsdCents: bigint;
    country: string;
    account: string;
    initiatorId: string;
    /** What pays it where its currency is bought; minor units. */
    coins?: { asset: string; decimals: number; quantityMinor: bigint } | null;
  },
): AssessedSubject {
  const { id, currency, decimals, quantityMinor, valueUsdCents, country, account, initiatorId, coins } = payout;
  return {
    id,
    business: 'payment',
    chainId: null,
    coin: coins?.asset ?? null,
    ...(coins && { paidWith: { quantityMinor: coins.quantityMinor, decimals: coins.decimals } }),
    quantityMinor,
    decimals,
    valueUsdCents,
    currency,
    region: country,
    accountKind: 'bank_no',
    account,
    accountKey: accountKey(families, 'bank_no', account),
    initiatorId,
  };
}

/** A payment out of a bank, as a kind of outgoing payment. */
export function createPayoutKind(families: ChainFamilies): OutgoingKind {
  return { type: 'fiat_payout', codeSubject: 'payout', ...common(families) };
}

/** The same of which the currency is bought with coins. */
export function createCryptoPayoutKind(families: ChainFamilies): OutgoingKind {
  return { type: 'crypto_payout', codeSubject: 'cryptoPayout', ...common(families) };
}

function common(families: ChainFamilies): Omit<OutgoingKind, 'type' | 'codeSubject'> {
  return {
    seal: 'causeway-payout',
    digest: payoutDigest,
    actions: { submit: 'payments.submit', cancel: 'payments.cancel', stop: 'payments.stop', fail: 'payments.fail' },
    refusals: { notOwn: 'payoutNotOwn', notCancellable: 'payoutNotCancellable' },
    async riskSubject(tx, id) {
      const payout = await readReviewed(tx, id);
      invariant(payout, `payment ${id} can be judged`);
      const { coin: currency, amountMinor: quantityMinor, payeeAccount: account, valueUsdCents } = payout;
      if (valueUsdCents === null) return null;
      return riskSubjectOf(families, { ...payout, currency, quantityMinor, account, valueUsdCents });
    },
  };
}
