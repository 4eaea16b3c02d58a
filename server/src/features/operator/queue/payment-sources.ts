import { sql } from 'kysely';
import { nilCompany } from '../../identity/index.ts';
import { waitOf } from '../domain.ts';
import { frozenReason } from '../freezing/store.ts';
import { findHeldAddresses, findUnexplained } from '../payments-store.ts';
import { findStuck } from '../store.ts';
import { type Cause, mostCauses, type Source } from './cause.ts';

/** Causes about payments: what does not move, and what only the chain knows. */

/** As in the command line's `transfers stuck`. */
const stuckAfterMinutes = 30;

const stuck: Source = {
  kind: 'transferStuck',
  async find(tx) {
    // A company's own approvers take the time that they need.
    const rows = await findStuck(tx, { minutes: stuckAfterMinutes, most: mostCauses, withApprovals: false });
    return rows.map((row) => {
      const { reason, blanks } = waitOf(row);
      return {
        subject: row.id,
        companyId: row.companyId,
        since: row.since,
        money: { asset: row.coin, decimals: row.decimals, minor: row.quantityMinor },
        facts: { ...blanks, waitsFor: reason, chain: row.chainId, ...given({ payee: row.payee, hash: row.hash }) },
      };
    });
  },
};

const unexplained: Source = {
  kind: 'paymentUnexplained',
  async find(tx) {
    const rows = await findUnexplained(tx, null, mostCauses);
    return rows.map((row) => ({
      subject: row.id,
      companyId: companyOf(row.companyId),
      since: row.seenAt,
      money:
        row.coin === null || row.decimals === null
          ? null
          : { asset: row.coin, decimals: row.decimals, minor: row.amountMinor },
      facts: {
        chain: row.chainId,
        from: row.fromAddress,
        hash: row.hash,
        // Decided: the worker books it when what it waits for is there.
        next: row.decision === null ? 'decide' : 'wait',
        ...given({ to: row.toAddress, transfer: row.journaledId }),
      },
    }));
  },
};

const held: Source = {
  kind: 'addressHeld',
  async find(tx) {
    const rows = await findHeldAddresses(tx, mostCauses);
    return rows.map((row) => ({
      subject: `${row.chain}/${row.address}`,
      companyId: companyOf(row.companyId),
      since: row.heldAt,
      money: null,
      facts: {
        chain: row.chain,
        address: row.address,
        next: row.reason,
        onChain: String(row.chainNonce),
        known: String(row.nextNonce),
        unexplained: String(row.unexplained),
      },
    }));
  },
};

interface ReversedRow {
  id: string;
  companyId: string;
  since: Date;
  asset: string;
  decimals: number;
  minor: bigint;
  chain: string;
  hash: string | null;
}

const reorganised: Source = {
  kind: 'depositReorganised',
  async find(tx) {
    const { rows } = await sql<ReversedRow>`
      select t.id, t.company_id as "companyId", t.stage_at as since, t.coin as asset, a.decimals, t.quantity as minor,
        t.chain_id as chain, c.hash
      from transaction t
      join asset a on a.id = t.coin
      left join transaction_chain c on c.company_id = t.company_id and c.transaction_id = t.id
      where t.stage = 'reversed' and t.direction = 'in' and not exists (select from operator_item i
        where i.kind = 'depositReorganised' and i.subject = t.id::text and i.state = 'resolved' and i.resolved_by is not null)
      order by t.id limit ${mostCauses}`.execute(tx);
    return rows.map(({ id, companyId, since, chain, hash, ...money }) => ({
      subject: id,
      companyId,
      since,
      money,
      facts: { chain, ...given({ hash }) },
    }));
  },
};

const restore: Source = {
  kind: 'restoreOpen',
  async find(tx) {
    const { rows } = await sql<{ id: number; cause: string; reason: string; by: string; since: Date }>`
      select id, cause, reason, begun_by as by, begun_at as since from restore_mode where released_at is null`.execute(
      tx,
    );
    return rows.map(({ id, since, cause, reason, by }) => ({
      subject: String(id),
      companyId: null,
      since,
      money: null,
      facts: { cause, reason, by },
    }));
  },
};

interface AccountRow {
  id: string;
  companyId: string;
  since: Date;
  asset: string;
  decimals: number;
  minor: bigint;
}

const deficit: Source = {
  kind: 'companyDeficit',
  async find(tx) {
    const { rows } = await sql<AccountRow>`
      select l.id, l.company_id as "companyId", coalesce(e.at, now()) as since, a.id as asset, a.decimals, abs(l.balance) as minor
      from ledger_account l
      join asset a on a.id = l.asset_id
      left join lateral (select max(created_at) as at from ledger_entry e
        where e.company_id = l.company_id and e.account_id = l.id) e on true
      where l.kind = 'deficit' and l.balance <> 0
        -- What a card took is an item of its own.
        and not exists (select from card c where c.company_id = l.company_id and c.wallet_id = l.owner_id and c.blocked_at is not null)
      order by l.company_id, l.id limit ${mostCauses}`.execute(tx);
    return rows.map(({ id, companyId, since, ...money }) => ({ subject: id, companyId, since, money, facts: {} }));
  },
};

const frozen: Source = {
  kind: 'walletFrozen',
  async find(tx) {
    const { rows } = await sql<AccountRow & { reason: string | null; place: string }>`
      select w.id, w.company_id as "companyId", w.frozen_at as since, ${frozenReason} as reason,
        coalesce(w.chain_id, w.bank_id) as place, a.id as asset, a.decimals, coalesce(l.balance, 0) as minor
      from wallet w
      join asset a on a.id = w.asset_id
      left join ledger_account l on l.company_id = w.company_id and l.owner_id = w.id and l.kind = 'available'
      where w.frozen_at is not null
      order by w.company_id, w.id limit ${mostCauses}`.execute(tx);
    return rows.map(({ id, companyId, since, reason, place, ...money }) => ({
      subject: id,
      companyId,
      since,
      money,
      facts: { place, ...given({ reason }) },
    }));
  },
};

function companyOf(companyId: string): string | null {
  return companyId === nilCompany ? null : companyId;
}

/** The facts that are known. */
function given(facts: Record<string, string | null>): Cause['facts'] {
  return Object.fromEntries(Object.entries(facts).filter((fact): fact is [string, string] => fact[1] !== null));
}

export const paymentSources: readonly Source[] = [stuck, unexplained, held, restore, reorganised, deficit, frozen];
