import type { CryptoPayoutContent } from '@causeway/contract/payments.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import type { Session } from '../../../platform/session.ts';
import type { Sides } from '../../exchange/index.ts';
import { amountOf, refusal } from '../../ledger/index.ts';
import { payoutDigest } from '../domain.ts';
import { feeOf, meaningOf, type PayoutMeaning, wayOf } from '../service/content.ts';
import type { PayoutRow } from '../store/submission.ts';

/** What the content of a payment out of coins means by what is stored now: pure. Amounts in minor units. */
export interface CryptoMeaning extends PayoutMeaning {
  sides: Sides;
  /** Of its way now, of the payee's currency. */
  feeMinor: bigint;
  /** What is bought: amount and fee. */
  boughtMinor: bigint;
  /** The most of the coin that leaves. */
  boundMinor: bigint;
}

/**
 * @throws DomainError walletNotFound, payoutNotAtBank, payeeNotFound, payeeAccountChanged, payoutWayClosed, amountFormat, amountTooManyDecimals,
 * amountTooLarge, exchangeTooSmall on the bound
 */
export function cryptoMeaningOf(
  session: Pick<Session, 'companyId'>,
  content: CryptoPayoutContent,
  row: PayoutRow | null,
  sides: Sides | null,
): CryptoMeaning {
  if (!sides || sides.sell.chainId === null) throw new DomainError('walletNotFound');
  if (!row) throw refusal('payoutNotAtBank', {}, 'bankWalletId');
  const { walletId, bankWalletId, bound, ...rest } = content;
  const meaning = inBankWallet(() => meaningOf(session, { ...rest, walletId: bankWalletId }, row));
  const boundMinor = amountOf(bound, sides.sell, 'bound');
  if (boundMinor <= 0n) throw refusal('exchangeTooSmall', {}, 'bound');
  const { payee, amountMinor, terms } = meaning;
  const feeMinor = feeOf(row, wayOf(payee));
  const digest = payoutDigest({
    companyId: session.companyId,
    id: content.id,
    walletId: bankWalletId,
    payeeId: content.payeeId,
    payeeAccount: payee.account,
    chainId: null,
    coin: row.currency,
    amountMinor,
    notes: content.notes ?? '',
    attachmentIds: content.attachmentIds,
    terms,
    boughtWith: { walletId, boundMinor },
  });
  return { ...meaning, sides, digest, feeMinor, boughtMinor: amountMinor + feeMinor, boundMinor };
}

/** Rules of a payment out of a bank call the wallet there `walletId`. */
export function inBankWallet<T>(rule: () => T): T {
  return withFields({ walletId: 'bankWalletId' }, rule);
}

/** Rules of an exchange name both its wallets. */
export function inExchange<T>(rule: () => T): T {
  return withFields({ sellWalletId: 'walletId', buyWalletId: 'bankWalletId' }, rule);
}

function withFields<T>(names: Readonly<Record<string, string>>, rule: () => T): T {
  try {
    return rule();
  } catch (error) {
    throw renamed(names, error);
  }
}

/** As `inExchange`, of a rule that reads. */
export async function inExchangeLater<T>(rule: () => Promise<T>): Promise<T> {
  try {
    return await rule();
  } catch (error) {
    throw renamed({ sellWalletId: 'walletId', buyWalletId: 'bankWalletId' }, error);
  }
}

function renamed(names: Readonly<Record<string, string>>, error: unknown): unknown {
  if (!(error instanceof DomainError)) return error;
  const fields = Object.entries(error.fields).map(([field, message]) => [names[field] ?? field, message]);
  return new DomainError(error.key, error.details, Object.fromEntries(fields));
}
