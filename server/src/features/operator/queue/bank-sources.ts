import { formatAmount } from '@causeway/contract/money.ts';
import type { QueueKind } from '@causeway/contract/operator-queue-rules.ts';
import { type RawBuilder, sql } from 'kysely';
import { translate } from '../../../platform/text/texts.ts';
import { type Cause, mostCauses, type Source } from './cause.ts';
import { kept } from './words.ts';

/** Causes about banks: money that is no company's, files that cannot be used, days that are missing, connections. */

/** A connection that fails for less may be a restart of the bank's. */
const failingForMinutes = 2;

interface HeldRow {
  id: string;
  since: Date;
  bank: string;
  account: string;
  asset: string;
  decimals: number;
  minor: bigint;
  unmatched: string;
  payer: string | null;
  payerAccount: string | null;
  remittance: string;
  reference: string | null;
  bookedOn: string | null;
  suggested: string | null;
}

const heldAs = (kind: 'moneyUnmatched' | 'bankCharged', state: 'suspense' | 'charged'): Source => ({
  kind,
  async find(tx) {
    const { rows } = await sql<HeldRow>`
      select m.id, m.created_at as since, c.bank_id as bank, c.number as account, a.id as asset, a.decimals, abs(m.amount) as minor,
        coalesce(m.unmatched, 'nothing') as unmatched, m.payer_name as payer, m.payer_account as "payerAccount", m.remittance,
        coalesce(m.reference, m.transaction_reference) as reference, m.booked_on::text as "bookedOn",
        (select string_agg(distinct coalesce(n.name, s ->> 'companyId'), ', ') from jsonb_array_elements(m.suggestions) s
          left join company n on n.company_id = (s ->> 'companyId')::uuid) as suggested
      from bank_money m join bank_collection c on c.id = m.collection_id join asset a on a.id = c.asset_id
      where m.state = ${state} order by m.id limit ${mostCauses}`.execute(tx);
    return rows.map(({ id, since, asset, decimals, minor, unmatched, ...facts }) => ({
      subject: id,
      companyId: null,
      since,
      money: { asset, decimals, minor },
      facts: { next: unmatched === 'again' ? 'nothing' : unmatched, ...given(facts) },
    }));
  },
});

const failing: Source = {
  kind: 'bankFailing',
  async find(tx) {
    const { rows } = await sql<{ bank: string; since: Date; problem: string; error: string | null }>`
      select bank_id as bank, problem_since as since, problem, detail as error from bank_connection_state
      where problem is not null and (problem = 'hostKeyChanged' or problem_since < now() - make_interval(mins => ${failingForMinutes}))
      order by bank_id`.execute(tx);
    return rows.map(({ bank, since, problem, error }) =>
      ofInstallation(bank, since, { bank, next: problem, ...given({ error }) }),
    );
  },
};

const refused: Source = {
  kind: 'bankFileRefused',
  async find(tx) {
    const { rows } = await sql<{
      id: string;
      bank: string;
      file: string;
      since: Date;
      problem: string;
      blanks: Record<string, string | number>;
    }>`
      select m.id, m.bank_id as bank, m.name as file, m.received_at as since, m.problem, m.problem_blanks as blanks from bank_message m
      where m.state = 'refused' and ${notClosed('bankFileRefused', sql`m.id`)}
      order by m.id limit ${mostCauses}`.execute(tx);
    return rows.map(({ id, bank, file, since, problem, blanks }) => {
      const errorSaid = kept({ id: problem, values: blanks });
      return ofInstallation(id, since, { bank, file, error: translate('en-us', problem, blanks), errorSaid });
    });
  },
};

interface GapRow {
  id: string;
  bank: string;
  account: string;
  asset: string;
  decimals: number;
  since: Date;
  before: string;
  after: string;
  difference: bigint;
}

const gaps: Source = {
  kind: 'bankDayMissing',
  async find(tx) {
    const { rows } = await sql<GapRow>`
      with day as (
        select s.*, lag(s.closing) over following as closed_before, lag(s.closed_on) over following as day_before
        from bank_statement s where s.kind = 'statement' and s.copy_of is null and s.opening is not null and s.closing is not null
        window following as (partition by s.collection_id order by s.closed_on, s.opened_on, s.id)
      )
      select d.id, c.bank_id as bank, c.number as account, a.id as asset, a.decimals, d.created_at as since, d.day_before::text as before,
        d.closed_on::text as after, d.opening - d.closed_before as difference
      from day d join bank_collection c on c.id = d.collection_id join asset a on a.id = c.asset_id
      where d.closed_before is not null and d.opening <> d.closed_before order by d.id limit ${mostCauses}`.execute(tx);
    return rows.map(({ id, since, asset, decimals, difference, ...facts }) =>
      ofInstallation(id, since, { ...facts, difference: `${signed(difference, decimals)} ${asset}` }),
    );
  },
};

const differing: Source = {
  kind: 'bankEntryDiffers',
  async find(tx) {
    const { rows } = await sql<
      Omit<GapRow, 'before' | 'after'> & { bookedOn: string | null; reference: string | null }
    >`
      select e.id, c.bank_id as bank, c.number as account, a.id as asset, a.decimals, s.created_at as since, e.unexplained as difference,
        e.booked_on::text as "bookedOn", e.reference
      from bank_entry e join bank_statement s on s.id = e.statement_id join bank_collection c on c.id = s.collection_id
      join asset a on a.id = c.asset_id where e.unexplained is not null and ${notClosed('bankEntryDiffers', sql`e.id`)} order by e.id limit ${mostCauses}`.execute(
      tx,
    );
    return rows.map(({ id, since, asset, decimals, difference, ...facts }) =>
      ofInstallation(id, since, { ...given(facts), difference: `${signed(difference, decimals)} ${asset}` }),
    );
  },
};

const notBooked: Source = {
  kind: 'bankNotBooked',
  async find(tx) {
    const { rows } = await sql<HeldRow>`
      select m.id, m.created_at as since, c.bank_id as bank, c.number as account, a.id as asset, a.decimals, abs(m.amount) as minor,
        m.payer_name as payer, coalesce(m.reference, m.transaction_reference) as reference, m.booked_on::text as "bookedOn"
      from bank_money m join bank_collection c on c.id = m.collection_id join asset a on a.id = c.asset_id
      where m.booked_entry_id is null and m.state <> 'detailed' and exists (select from bank_statement s
        where s.collection_id = m.collection_id and s.kind = 'statement' and s.closed_on >= m.booked_on)
        and ${notClosed('bankNotBooked', sql`m.id`)}
      order by m.id limit ${mostCauses}`.execute(tx);
    return rows.map(({ id, since, asset, decimals, minor, bank, account, payer, reference, bookedOn }) => ({
      subject: id,
      companyId: null,
      since,
      money: { asset, decimals, minor },
      facts: given({ bank, account, payer, reference, bookedOn }),
    }));
  },
};

/** The file of banks is another one. Nothing undoes it, so a person has to look at it. */
const registryChanged: Source = {
  kind: 'bankRegistryChanged',
  async find(tx) {
    const { rows } = await sql<{
      id: string;
      since: Date;
      digest: string;
      changes: { bank: string; currency: string | null; field: string; before: string | null; after: string | null }[];
    }>`
      select r.id, r.at as since, encode(r.digest, 'hex') as digest, r.changes from bank_registry_change r
      where r.changes <> '[]' and ${notClosed('bankRegistryChanged', sql`r.id`)} order by r.at, r.id limit ${mostCauses}`.execute(
      tx,
    );
    return rows.map(({ id, since, digest, changes }) =>
      ofInstallation(id, since, {
        fileDigest: digest,
        changes: changes
          .map(({ bank, currency, field, before, after }) =>
            [bank, currency, field]
              .filter((part) => part !== null)
              .join(' ')
              .concat(`: ${before ?? '–'} → ${after ?? '–'}`),
          )
          .join('; '),
      }),
    );
  },
};

/** No operator has closed the item of this subject. */
function notClosed(kind: QueueKind, subject: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`not exists (select from operator_item i
    where i.kind = ${kind} and i.subject = ${subject}::text and i.state = 'resolved' and i.resolved_by is not null)`;
}

function ofInstallation(subject: string, since: Date, facts: Cause['facts']): Cause {
  return { subject, companyId: null, since, money: null, facts };
}

function signed(minor: bigint, decimals: number): string {
  return minor < 0n ? `-${formatAmount(-minor, decimals)}` : formatAmount(minor, decimals);
}

/** The facts that are known. */
function given(facts: Record<string, string | null>): Cause['facts'] {
  return Object.fromEntries(
    Object.entries(facts).filter((fact): fact is [string, string] => fact[1] !== null && fact[1] !== ''),
  );
}

export const bankSources: readonly Source[] = [
  heldAs('moneyUnmatched', 'suspense'),
  heldAs('bankCharged', 'charged'),
  failing,
  refused,
  gaps,
  differing,
  notBooked,
  registryChanged,
];
