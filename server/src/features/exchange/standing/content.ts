import { createHash } from 'node:crypto';
import type { StandingContent } from '@causeway/contract/standing-orders.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { amountOf, refusal } from '../../ledger/index.ts';
import { checkPair } from '../service/price.ts';
import type { Sides } from '../store/sides.ts';

/** What the content of a standing order means; the amount in minor units of the sold asset. */
export interface StandingMeaning {
  sides: Sides;
  amountMinor: bigint;
  /** SHA-256, hex: what its code is bound to. */
  digest: string;
}

const daysOf = { day: [0, 0], week: [1, 7], month: [1, 31] } as const;

/**
 * @throws DomainError walletNotFound, exchangeSameWallet, walletFrozen, exchangePairOff, amountFormat, amountTooManyDecimals, amountTooLarge, exchangeTooSmall, standingDay
 */
export function standingMeaning(companyId: string, content: StandingContent, sides: Sides | null): StandingMeaning {
  if (!sides) throw new DomainError('walletNotFound');
  checkPair(sides);
  const { rule, every, day } = content;
  const amountMinor = amountOf(content.amount, sides.sell);
  if (rule === 'amount' && amountMinor <= 0n) throw refusal('exchangeTooSmall', {}, 'amount');
  const [first, last] = daysOf[every];
  if (day < first || day > last) throw refusal('standingDay', {}, 'day');
  return { sides, amountMinor, digest: standingDigest(companyId, content, amountMinor) };
}

/** SHA-256, hex, of a standing order in one fixed form. */
function standingDigest(companyId: string, content: StandingContent, amountMinor: bigint): string {
  const parts = [
    'causeway.standing.1',
    companyId,
    content.id,
    content.sellWalletId,
    content.buyWalletId,
    content.rule,
    amountMinor.toString(),
    content.every,
    content.day,
    content.time,
    content.tolerance,
    content.lastDay,
  ];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
