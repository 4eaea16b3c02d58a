import type { RiskContent } from '@causeway/contract/risk.ts';
import type { Tx } from '../../../platform/database.ts';
import { findChains } from '../../chains/index.ts';
import { amountOf, refusal } from '../../ledger/index.ts';
import { findCurrencies } from '../store/policies.ts';

/**
 * Checks what a policy is about against what the product has in force.
 * @throws DomainError chainUnknown, coinNotOnChain, currencyUnknown, amountTooManyDecimals, amountTooLarge on the field
 */
export async function checkContent(tx: Tx, content: RiskContent): Promise<void> {
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
      checkRange(content, { coin: content.coin, decimals });
      return;
    }
    case 'fiat_currency': {
      const known = await findCurrencies(tx);
      if (!content.currencies.every((currency) => known.includes(currency))) {
        throw refusal('currencyUnknown', {}, 'content.currencies');
      }
      return;
    }
    case 'fiat_amount':
      if (!(await findCurrencies(tx)).includes(content.currency)) {
        throw refusal('currencyUnknown', {}, 'content.currency');
      }
      checkRange(content, { coin: content.currency, decimals: 2 });
      return;
    case 'crypto_value':
    case 'crypto_frequency':
    case 'fiat_frequency':
    case 'payment_region':
  }
}

function checkRange(range: { from: string; to: string | null }, asset: { coin: string; decimals: number }): void {
  amountOf(range.from, asset, 'content.from');
  if (range.to !== null) amountOf(range.to, asset, 'content.to');
}

async function chainsInForce(tx: Tx) {
  return (await findChains(tx)).filter(({ enabled }) => enabled);
}

/** Decimals by coin. */
async function coinsInForce(tx: Tx): Promise<Map<string, number>> {
  const coins = (await chainsInForce(tx)).flatMap((chain) => chain.coins.filter(({ enabled }) => enabled));
  return new Map(coins.map(({ coin, decimals }) => [coin, decimals]));
}
