import { currencies, isCurrency } from '@causeway/contract/currencies.ts';
import type { RiskContent } from '@causeway/contract/risk.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { findChains } from '../../chains/index.ts';
import { amountOf, refusal } from '../../ledger/index.ts';
import { findCalled } from '../../organisation/index.ts';

/**
 * Checks what a policy is about against what the product and the company have. Who is named already by the policy that it changes
 * (`before`) may stay although they were deleted.
 * @throws DomainError chainUnknown, coinNotOnChain, currencyUnknown, amountTooManyDecimals, amountTooLarge, memberNotFound,
 *   departmentNotFound, roleNotFound on the field
 */
export async function checkContent(tx: Tx, content: RiskContent, before: RiskContent | null = null): Promise<void> {
  switch (content.dimension) {
    case 'chain': {
      const known = new Set((await chainsInForce(tx)).map(({ id }) => id));
      if (!content.chains.every((id) => known.has(id))) throw refusal('chainUnknown', {}, 'content.chains');
      return;
    }
    case 'coin': {
      const known = await coinsInForce(tx);
      if (!content.coins.every((coin) => known.has(coin))) throw refusal('coinNotOnChain', {}, 'content.coins');
      return;
    }
    case 'crypto_quantity': {
      const decimals = (await coinsInForce(tx)).get(content.coin);
      if (decimals === undefined) throw refusal('coinNotOnChain', {}, 'content.coin');
      checkRange(content, { asset: content.coin, decimals });
      return;
    }
    case 'fiat_currency':
      if (!content.currencies.every(isCurrency)) throw refusal('currencyUnknown', {}, 'content.currencies');
      return;
    case 'fiat_amount': {
      const { currency } = content;
      if (!isCurrency(currency)) throw refusal('currencyUnknown', {}, 'content.currency');
      checkRange(content, { asset: currency, decimals: currencies[currency].decimals });
      return;
    }
    case 'initiator':
    case 'department':
    case 'role': {
      const { kind, error } = named[content.dimension];
      const kept = before?.dimension === content.dimension ? namedIn(before) : [];
      const ids = namedIn(content).filter((id) => !kept.includes(id));
      const called = await findCalled(tx, ids);
      const isKnown = (id: string) => called.get(id)?.kind === kind && called.get(id)?.gone === false;
      if (!ids.every(isKnown)) throw refusal(error, {}, `content.${kind}s`);
      return;
    }
    case 'crypto_value':
    case 'crypto_frequency':
    case 'fiat_frequency':
    case 'payment_region':
  }
}

const named = {
  initiator: { kind: 'member', error: 'memberNotFound' },
  department: { kind: 'department', error: 'departmentNotFound' },
  role: { kind: 'role', error: 'roleNotFound' },
} as const;

/** The ids of the members, departments or roles that a content names. */
export function namedIn(content: RiskContent): readonly string[] {
  switch (content.dimension) {
    case 'initiator':
      return content.members;
    case 'department':
      return content.departments;
    case 'role':
      return content.roles;
    default:
      return [];
  }
}

function checkRange(range: { from: string; to: string | null }, of: { asset: string; decimals: number }): void {
  amountOf(range.from, of, 'content.from');
  if (range.to !== null) amountOf(range.to, of, 'content.to');
}

async function chainsInForce(tx: Tx) {
  return (await findChains(tx)).filter(({ enabled }) => enabled);
}

/** Decimals by coin. */
async function coinsInForce(tx: Tx): Promise<Map<string, number>> {
  const coins = (await chainsInForce(tx)).flatMap((chain) => chain.coins.filter(({ enabled }) => enabled));
  return new Map(coins.map(({ coin, decimals }) => [coin, decimals]));
}
