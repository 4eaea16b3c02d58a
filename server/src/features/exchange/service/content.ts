import type { ExchangeContent } from '@causeway/contract/exchange.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { amountOf, refusal } from '../../ledger/index.ts';
import { exchangeDigest, type Limit, plainRate } from '../domain.ts';
import type { Sides } from '../store/sides.ts';

/** What the content of an exchange means; amounts in minor units. */
export interface Meaning {
  sides: Sides;
  amountMinor: bigint;
  boundMinor: bigint;
  /** Of a limit order. */
  limit: Limit | null;
  /** SHA-256, hex: what code and approvals are bound to. */
  digest: string;
}

/** @throws DomainError walletNotFound, exchangeLimitSide, amountFormat, amountTooManyDecimals, amountTooLarge, exchangeTooSmall on the bound */
export function meaningOf(companyId: string, content: ExchangeContent, sides: Sides | null): Meaning {
  if (!sides) throw new DomainError('walletNotFound');
  const { sell, buy } = sides;
  const [named, other] = content.fixed === 'sell' ? [sell, buy] : [buy, sell];
  const limit = content.limit ? { rate: plainRate(content.limit.rate), until: new Date(content.limit.until) } : null;
  if (limit && content.fixed !== 'sell') throw refusal('exchangeLimitSide', {}, 'amount');
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
    limit,
    notes: content.notes ?? '',
  });
  return { sides, amountMinor, boundMinor, limit, digest };
}
