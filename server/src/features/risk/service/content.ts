import { currencies, isCurrency } from '@causeway/contract/currencies.ts';
import type { RiskContent } from '@causeway/contract/risk.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { findChains } from '../../chains/index.ts';
import { amountOf, refusal } from '../../ledger/index.ts';

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
    case 'crypto_value':
    case 'crypto_frequency':
    case 'fiat_frequency':
    case 'payment_region':
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
