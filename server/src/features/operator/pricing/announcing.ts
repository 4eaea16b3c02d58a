import { sayAmount } from '@causeway/contract/money.ts';
import { sql } from 'kysely';
import type { Database, PlatformTx, Tx } from '../../../platform/database/database.ts';
import { type Loop, startLoop } from '../../../platform/jobs/loop.ts';
import type { Log } from '../../../platform/process/log.ts';
import { companiesWithAddresses } from '../../chains/index.ts';
import { nilCompany } from '../../identity/index.ts';
import { notify } from '../../notices/index.ts';
import { findPeople } from '../../organisation/index.ts';

/**
 * Notifies companies of a fee of withdrawals or payments that rises, once it is confirmed, and of one that was announced and taken back. A company is notified
 * once of each (notices are unique by what they are about), so that a killed round is simply repeated.
 */

const everyMs = 5000;

export function startPriceNotices(database: Database, log: Log): Loop {
  return startLoop({
    name: 'operator.priceNotices',
    everyMs,
    log,
    alone: { database, lock: 'operator.priceNotices' },
    step: () => announcePrices(database),
  });
}

interface PriceToAnnounce {
  id: string;
  companyId: string;
  asset: string;
  decimals: number;
  chainName: string | null;
  /** Of a fee of payments: its bank, and whether it is that by SWIFT. */
  bankId: string | null;
  bankName: string | null;
  isSwift: boolean;
  validFrom: Date;
  isTakenBack: boolean;
}

/** One round: everything that is not announced yet. */
export async function announcePrices(database: Database): Promise<void> {
  for (const price of await database.withoutCompany(findUnannounced)) {
    const companies =
      price.companyId === nilCompany ? await database.withoutCompany((tx) => reachedBy(tx, price)) : [price.companyId];
    for (const companyId of companies) await database.withCompany(companyId, (tx) => tell(tx, price));
    await database.withoutCompany((tx) => markAnnounced(tx, price));
  }
}

async function findUnannounced(tx: PlatformTx): Promise<PriceToAnnounce[]> {
  const { rows } = await sql<PriceToAnnounce>`
    select o.id, o.company_id as "companyId", o.asset_id as asset, a.decimals, c.name as "chainName", b.id as "bankId",
      b.name as "bankName", o.kind = 'payout_fee_swift' as "isSwift", o.valid_from as "validFrom",
      o.withdrawn_at is not null as "isTakenBack"
    from operator_price o join asset a on a.id = o.asset_id
    left join chain c on c.id = o.chain_id left join bank b on b.id = o.bank_id
    where (c.id is not null or b.id is not null) and (
      (o.announced_at is null and o.withdrawn_at is null)
      or (o.announced_at is not null and o.withdrawn_at is not null and o.retracted_at is null))
    order by o.created_at, o.id`.execute(tx);
  return rows;
}

/** Companies that a price for every company is about. */
async function reachedBy(tx: PlatformTx, { bankId, asset }: PriceToAnnounce): Promise<string[]> {
  if (bankId === null) return companiesWithAddresses(tx);
  const { rows } = await sql<{ id: string }>`select companies_at_bank(${bankId}, ${asset}) as id`.execute(tx);
  return rows.map(({ id }) => id);
}

async function tell(tx: Tx, price: PriceToAnnounce): Promise<void> {
  const rise = await (price.bankId === null ? findRise(tx, price) : findPayoutRise(tx, price));
  if (rise === null || rise.after <= rise.before) return;
  const people = await findPeople(tx);
  const { asset, decimals, chainName, bankName, isSwift, validFrom } = price;
  const kinds =
    chainName === null
      ? { rises: 'price.payoutFeeRises', stays: 'price.payoutFeeStays' }
      : { rises: 'price.feeRises', stays: 'price.feeStays' };
  await notify(tx, {
    kind: price.isTakenBack ? kinds.stays : kinds.rises,
    sourceId: price.id,
    values: {
      coin: asset,
      ...(chainName === null ? { bank: bankName ?? '', way: isSwift ? 'swift' : 'local' } : { chain: chainName }),
      before: sayAmount(rise.before, decimals),
      after: sayAmount(rise.after, decimals),
      from: { at: validFrom.toISOString() },
    },
    link: null,
    mailTo: people.filter(({ permissions }) => permissions.includes('transfer.create')).map(({ id }) => id),
  });
}

/**
 * What the company pays just before, and from the price on: its own where it has one. Null where the price does not reach it. Of one that was taken back, what it would
 * have paid.
 */
async function findRise(
  tx: Tx,
  { id, isTakenBack }: PriceToAnnounce,
): Promise<{ before: bigint; after: bigint } | null> {
  const { rows } = await sql<{ before: bigint; after: bigint }>`
    select coalesce(earlier.withdrawal_fee, ca.withdraw_fee) as before,
      case when ${isTakenBack} then coalesce(o.value, everyone.withdrawal_fee, ca.withdraw_fee)
        else coalesce(later.withdrawal_fee, ca.withdraw_fee) end as after
    from operator_price o
    join chain_asset ca on ca.chain_id = o.chain_id and ca.coin = o.asset_id
    cross join lateral prices_at(company_id(), o.asset_id, o.chain_id, o.valid_from - interval '1 microsecond') earlier
    cross join lateral prices_at(company_id(), o.asset_id, o.chain_id, o.valid_from) later
    cross join lateral prices_at(${nilCompany}, o.asset_id, o.chain_id, o.valid_from) everyone
    where o.id = ${id} and (o.company_id = company_id() or not exists (
      select from operator_price own
      where own.company_id = company_id() and own.kind = o.kind and own.asset_id = o.asset_id and own.chain_id = o.chain_id
        and own.value is not null and own.valid_from <= o.valid_from and own.valid_until > o.valid_from))`.execute(tx);
  return rows[0] ?? null;
}

/** The same of a fee of payments at a bank. */
async function findPayoutRise(
  tx: Tx,
  { id, isTakenBack, isSwift }: PriceToAnnounce,
): Promise<{ before: bigint; after: bigint } | null> {
  const [fee, registered] = isSwift
    ? [sql.raw('swift'), sql.raw('payout_fee_swift')]
    : [sql.raw('local'), sql.raw('payout_fee_local')];
  const { rows } = await sql<{ before: bigint; after: bigint }>`
    select coalesce(earlier.${fee}, ba.${registered}) as before,
      case when ${isTakenBack} then coalesce(o.value, everyone.${fee}, ba.${registered})
        else coalesce(later.${fee}, ba.${registered}) end as after
    from operator_price o
    join bank_asset ba on ba.bank_id = o.bank_id and ba.asset_id = o.asset_id
    cross join lateral payout_fees_at(company_id(), o.asset_id, o.bank_id, o.valid_from - interval '1 microsecond') earlier
    cross join lateral payout_fees_at(company_id(), o.asset_id, o.bank_id, o.valid_from) later
    cross join lateral payout_fees_at(${nilCompany}, o.asset_id, o.bank_id, o.valid_from) everyone
    where o.id = ${id} and (o.company_id = company_id() or not exists (
      select from operator_price own
      where own.company_id = company_id() and own.kind = o.kind and own.asset_id = o.asset_id and own.bank_id = o.bank_id
        and own.value is not null and own.valid_from <= o.valid_from and own.valid_until > o.valid_from))`.execute(tx);
  return rows[0] ?? null;
}

async function markAnnounced(tx: PlatformTx, { id, isTakenBack }: PriceToAnnounce): Promise<void> {
  const column = isTakenBack ? sql`retracted_at` : sql`announced_at`;
  await sql`update operator_price set ${column} = now() where id = ${id}`.execute(tx);
}
