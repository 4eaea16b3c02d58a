import { payeeNumber } from '@causeway/contract/bank-payees-rules.ts';
import { addressCountryOf, type BankWay, holderNameOf, waysTo } from '@causeway/contract/bank-rules.ts';
import { isCurrency } from '@causeway/contract/currencies.ts';
import type { PayoutContent } from '@causeway/contract/payments.ts';
import { chargeBearersOf, routeOf } from '@causeway/contract/payments-rules.ts';
import { DomainError, invariant } from '../../../platform/domain-error.ts';
import type { Session } from '../../../platform/session.ts';
import { dayAt, expectedArrival } from '../../banks/index.ts';
import { amountOf, refusal } from '../../ledger/index.ts';
import { type BankTerms, writeTerms } from '../../outgoing/index.ts';
import { type PayoutFacts, payoutDigest, printedOf, remittanceOf } from '../domain.ts';
import type { PayeeRow, PayoutRow } from '../store/submission.ts';

/** What the content of a payment means by what is stored now: pure. */

/** The way to the payee's account; null: its currency is not carried there any more. */
export function wayOf({ country, currency, holder, way }: PayeeRow): BankWay | null {
  return isCurrency(currency) ? (waysTo(country, currency, holder).find(({ id }) => id === way) ?? null) : null;
}

/** Minor units of the wallet's currency. */
export function feeOf(row: PayoutRow, way: BankWay | null): bigint {
  return way !== null && routeOf(way) === 'swift' ? row.feeSwiftMinor : row.feeLocalMinor;
}

export function factsOf(row: PayoutRow): PayoutFacts {
  const { payee } = row;
  const way = payee && wayOf(payee);
  return {
    ...row,
    feeMinor: feeOf(row, way),
    way,
    today: dayAt(row.at, row.timeZone),
    payee: payee && {
      ...payee,
      town: payee.details.town ?? '',
      addressCountry: addressCountryOf(payee.country, payee.details),
    },
  };
}

/** The same where amount and fee are bought for it: what is in the wallet beside them does not count. */
export function withBought(facts: PayoutFacts, amountMinor: bigint): PayoutFacts {
  return { ...facts, availableMinor: amountMinor + facts.feeMinor };
}

/** When the money is expected at the payee's bank: a country's own clearing is there on the day, other ways take as long as the bank says. */
export function arrivalOf(row: PayoutRow, way: BankWay) {
  const { currency: asset, cutOff, daysMost } = row;
  const least = routeOf(way) === 'swift' ? Math.max(1, row.daysLeast) : 0;
  const most = routeOf(way) === 'swift' ? Math.max(least, daysMost) : Math.min(1, daysMost);
  return expectedArrival(row.at, row, { asset, cutOff, daysLeast: least, daysMost: most });
}

export interface PayoutMeaning {
  row: PayoutRow;
  payee: PayeeRow;
  amountMinor: bigint;
  terms: string;
  digest: string;
}

type Content = Pick<
  PayoutContent,
  | 'id'
  | 'walletId'
  | 'payeeId'
  | 'versionId'
  | 'amount'
  | 'charges'
  | 'purpose'
  | 'remittance'
  | 'notes'
  | 'attachmentIds'
>;

/**
 * What a payment's content means, and the digest that its code must be bound to.
 * @throws DomainError walletNotFound, payeeNotFound, payeeAccountChanged, payoutWayClosed, amountFormat, amountTooManyDecimals, amountTooLarge
 */
export function meaningOf(session: Pick<Session, 'companyId'>, content: Content, row: PayoutRow | null): PayoutMeaning {
  if (!row) throw new DomainError('walletNotFound');
  const amountMinor = amountOf(content.amount, { asset: row.currency, decimals: row.decimals });
  const { payee } = row;
  if (!payee?.isOfPayee) throw refusal('payeeNotFound', {}, 'payeeId');
  if (payee.versionId !== content.versionId) throw refusal('payeeAccountChanged', {}, 'payeeId');
  const way = wayOf(payee);
  if (!way) throw refusal('payoutWayClosed', {}, 'payeeId');
  const terms = writeTerms(termsOf(payee, way, content));
  const digest = payoutDigest({
    companyId: session.companyId,
    id: content.id,
    walletId: content.walletId,
    payeeId: content.payeeId,
    payeeAccount: payee.account,
    chainId: null,
    coin: row.currency,
    amountMinor,
    notes: content.notes ?? '',
    attachmentIds: content.attachmentIds,
    terms,
  });
  return { row, payee, amountMinor, terms, digest };
}

function termsOf(
  payee: PayeeRow,
  way: BankWay,
  { charges, purpose, remittance }: Pick<Content, 'charges' | 'purpose' | 'remittance'>,
): BankTerms {
  const { versionId, holder, name, country, currency, details } = payee;
  const [first] = chargeBearersOf(way);
  invariant(first, 'a way names who can bear the charges');
  return {
    versionId,
    customer: payeeNumber(payee.number),
    holder,
    name,
    nameSent: printedOf(way, holderNameOf({ name, details })).text,
    country,
    currency,
    way: way.id,
    details,
    charges: charges ?? first,
    purpose: purpose ?? null,
    remittance: remittanceOf(way, remittance ?? ''),
  };
}
