import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/database.ts';
import { type Leg, type LegSide, netOf, type SettlementType, settlementTypes } from './domain.ts';
import { makeSettlement } from './making.ts';
import { findSettledWallet, lockSettling } from './store.ts';

/**
 * Makes a settlement again that the signer's journal has and a restored database has lost, under its id, with the legs that it paid: otherwise the
 * same legs would be settled by another one, which the signer never signs.
 * @returns its type; null where the journal has no such settlement, or one of its exchanges was lost too
 */
export async function restoreSettlement(tx: Tx, id: string): Promise<SettlementType | null> {
  const signed = await findSigned(tx, id);
  if (signed === null) return null;
  await lockSettling(tx, signed.walletId);
  const wallet = await findSettledWallet(tx, signed.walletId);
  const legs = await findFreeLegs(tx, signed.walletId, signed.legs);
  const { direction, amountMinor } = netOf(legs);
  const isWhole = legs.length === signed.legs.length && amountMinor === signed.amountMinor && direction !== 'none';
  if (wallet === null || !isWhole) return null;
  await makeSettlement(tx, { id, wallet, cause: 'restored', legs });
  return settlementTypes[direction];
}

interface Signed {
  walletId: string;
  amountMinor: bigint;
  legs: readonly string[];
}

async function findSigned(tx: Tx, id: string): Promise<Signed | null> {
  const { rows } = await sql<Signed>`
    select w.id as "walletId", j.amount as "amountMinor", j.legs from signer_journal j
    join wallet w on w.company_id = j.company_id and w.chain_id = j.chain_id and w.asset_id = j.coin
    where j.company_id = company_id() and j.transfer_id = ${id} and j.legs is not null limit 1`.execute(tx);
  return rows[0] ?? null;
}

/** The legs, in their order, of executed exchanges of the wallet that no settlement has. */
async function findFreeLegs(tx: Tx, walletId: string, keys: readonly string[]): Promise<Leg[]> {
  const { rows } = await sql<{ exchangeId: string; side: LegSide; amountMinor: bigint }>`
    select e.transaction_id as "exchangeId", k.side,
      case k.side when 'sold' then e.executed_sold else e.executed_bought end as "amountMinor"
    from (select split_part(key, '/', 1)::uuid as id, split_part(key, '/', 2) as side, place
      from unnest(${[...keys]}::text[]) with ordinality as u (key, place)) k
    join exchange e on e.company_id = company_id() and e.transaction_id = k.id and e.executed_at is not null
      and ${walletId} = case k.side when 'sold' then e.sell_wallet_id else e.buy_wallet_id end
    where not exists (select from settlement_leg l
      where l.company_id = company_id() and l.exchange_id = k.id and l.side = k.side)
    order by k.place`.execute(tx);
  return rows;
}
