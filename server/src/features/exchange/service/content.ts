import type { ExchangeContent } from '@causeway/contract/exchange.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { amountOf, refusal } from '../../ledger/index.ts';
import { exchangeDigest } from '../domain.ts';
import type { Sides } from '../store/sides.ts';

/** What the content of an exchange means; amounts in minor units. */
export interface Meaning {
  sides: Sides;
  amountMinor: bigint;
  boundMinor: bigint;
  /** SHA-256, hex: what code and approvals are bound to. */
  digest: string;
}

/** @throws DomainError walletNotFound, amountFormat, amountTooManyDecimals, amountTooLarge, exchangeTooSmall on the bound */
export function meaningOf(companyId: string, content: ExchangeContent, sides: Sides | null): Meaning {
  if (!sides) throw new DomainError('walletNotFound');
  const { sell, buy } = sides;
  const [named, other] = content.fixed === 'sell' ? [sell, buy] : [buy, sell];
  const amountMinor = amountOf(content.amount, named);
  const boundMinor = amountOf(content.bound, other, 'bound');
  if (boundMinor <= 0n) throw refusal('exchangeTooSmall', {}, 'bound');
  const digest = exchangeDigest({
    companyId,
    exchangeId: content.id,
    sellWalletId: content.sellWalletId,
    buyWalletId: content.buyWalletId,
    fixed: content.fixed,
    amountMinor,
    boundMinor,
    notes: content.notes ?? '',
  });
  return { sides, amountMinor, boundMinor, digest };
}
