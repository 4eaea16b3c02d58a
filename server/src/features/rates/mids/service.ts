import { isCurrency } from '@causeway/contract/currencies.ts';
import type { PlatformTx } from '../../../platform/database/database.ts';
import { type MidRules, makeMid } from './domain.ts';
import { keepAnswer, keepFailure, keepMids, readMidState, type SourceAnswer, type SourceRefusal } from './store.ts';

/** Limits of one asset that differ from those of its kind. */
export type AssetRules = Partial<Pick<MidRules, 'needed' | 'disagreementBp' | 'jumpBp' | 'wideBp'>>;

/** What the operator decided about sources (docs/OPERATIONS.md, "Prices for exchange"). */
export interface RulesConfig {
  /** How many sources must agree, unless an asset says otherwise. */
  needed: number;
  assets: Readonly<Record<string, AssetRules>>;
}

/** Coins move by per cents within minutes, currencies hardly by one a day. */
const ofCoins: Omit<MidRules, 'needed'> = { disagreementBp: 100, jumpBp: 1000, wideBp: 300, bandBp: 300 };
const ofCurrencies: Omit<MidRules, 'needed'> = { disagreementBp: 50, jumpBp: 200, wideBp: 100, bandBp: 300 };

/** The limits by which the mid of an asset is made. */
function rulesOf(asset: string, { needed, assets }: RulesConfig): MidRules {
  return { needed, ...(isCurrency(asset) ? ofCurrencies : ofCoins), ...assets[asset] };
}

/** Keeps what a source says, and the mids that follow from it and from what the others said last. */
export async function takeAnswer(tx: PlatformTx, answer: SourceAnswer, config: RulesConfig): Promise<void> {
  await keepAnswer(tx, answer);
  await renewMids(tx, config);
}

/** Keeps that a source could not be asked, and the mids without what has grown too old. */
export async function takeFailure(tx: PlatformTx, failure: SourceRefusal, config: RulesConfig): Promise<void> {
  await keepFailure(tx, failure);
  await renewMids(tx, config);
}

/** Renews the mids from what the sources said last, by the database's clock. */
async function renewMids(tx: PlatformTx, config: RulesConfig): Promise<void> {
  const { now, prices, band, last } = await readMidState(tx);
  const assets = new Set([...prices.keys(), ...last.keys()]);
  const made = [...assets].map((asset) => {
    const rules = rulesOf(asset, config);
    const input = { prices: prices.get(asset) ?? [], last: last.get(asset) ?? null, band: band.get(asset) ?? null };
    return { asset, needed: rules.needed, ...makeMid({ ...input, now, rules }) };
  });
  await keepMids(tx, made, now);
}
