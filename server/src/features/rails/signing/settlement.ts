import type { OpenSeal } from '../../../platform/crypto/seal.ts';
import type { PlatformTx } from '../../../platform/database/database.ts';
import { type ExchangeClaims, exchangeClaims } from '../../outgoing/index.ts';
import { type Leg, legKey, mostLegs, netOf, settlementTypes } from '../settlement/domain.ts';
import type { StoredRecord } from '../store/signing.ts';
import { bookedFx, readSettlement, type StoredLeg, type StoredSettlement } from '../store/signing-settlement.ts';

/**
 * Whether a settlement is what executed exchanges say, judged by the signer alone (docs/adr/0081-…): each leg has the HTTP process's seal, was
 * executed, and was posted on both sides; the net of the legs is the amount, in this direction; coins go from or to the treasury's own address.
 */

interface Judging {
  openSeal: OpenSeal;
  /** The treasury's address by the signer's seed; null where the chain's family has none. */
  treasury: string | null;
  /** The company's addresses, derived from the signer's seed. */
  own: readonly string[];
}

/** @returns the legs, as the journal names them; null when it is not to be signed */
export async function settlementLegs(
  tx: PlatformTx,
  { openSeal, treasury, own }: Judging,
  record: StoredRecord,
): Promise<readonly string[] | null> {
  const stored = await readSettlement(tx, record.companyId, record.id);
  if (stored === null || !isOf(stored, record) || treasury === null || record.payeeAccount === null) return null;
  const isIn = record.type === settlementTypes.in;
  if (isIn ? !own.includes(record.payeeAccount) : record.payeeAccount !== treasury) return null;
  const legs: Leg[] = [];
  for (const leg of stored.legs) {
    const claims = claimsOf(openSeal, leg);
    if (claims === null || !(await isGenuine(tx, record, leg, claims))) return null;
    legs.push({ ...leg, amountMinor: BigInt(leg.side === 'sold' ? claims.sold : claims.bought) });
  }
  const keys = legs.map(legKey);
  const { direction, amountMinor } = netOf(legs);
  const isWhole = keys.length > 0 && keys.length <= mostLegs && new Set(keys).size === keys.length;
  return isWhole && direction === (isIn ? 'in' : 'out') && amountMinor === record.amountMinor ? keys : null;
}

function isOf(stored: StoredSettlement, record: StoredRecord): boolean {
  return (
    stored.walletId === record.walletId &&
    stored.chainId === record.chainId &&
    stored.coin === record.coin &&
    stored.amountMinor === record.amountMinor &&
    settlementTypes[stored.direction] === record.type
  );
}

function claimsOf(openSeal: OpenSeal, { jws }: StoredLeg): ExchangeClaims | null {
  const parsed = exchangeClaims.safeParse(jws === null ? null : openSeal('causeway-exchange', jws));
  return parsed.success ? parsed.data : null;
}

/** Whether a seal is that of the leg's exchange, in the settled wallet, and the ledger has both sides of it. */
async function isGenuine(
  tx: PlatformTx,
  { companyId, walletId, coin }: StoredRecord,
  leg: StoredLeg,
  claims: ExchangeClaims,
): Promise<boolean> {
  const [sold, bought] = [BigInt(claims.sold), BigInt(claims.bought)];
  const isSealed =
    claims.companyId === companyId &&
    claims.exchangeId === leg.exchangeId &&
    (leg.side === 'sold' ? claims.sellWalletId : claims.buyWalletId) === walletId &&
    (leg.side === 'sold' ? claims.sellAsset : claims.buyAsset) === coin;
  const isExecuted = leg.executedSoldMinor === sold && leg.executedBoughtMinor === bought;
  if (!isSealed || !isExecuted || claims.sellWalletId === claims.buyWalletId) return false;
  return (
    (await bookedFx(tx, companyId, leg.exchangeId, claims.sellWalletId)) === sold &&
    (await bookedFx(tx, companyId, leg.exchangeId, claims.buyWalletId)) === -bought
  );
}
