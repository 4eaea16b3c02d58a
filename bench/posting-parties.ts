import { randomInt, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type pg from 'pg';
import { newId } from '../server/src/platform/ids.ts';
import type { Stage } from './stage.ts';

/** Ten thousand accounts with money, and how to move one unit between two of them; for each who takes part. */

export const accountCount = 10_000;
const opening = '1000000000000';

/** Two different accounts by their numbers, 0 to 9,999. */
export type Pick = () => { from: number; to: number };

export const pickRandom: Pick = () => {
  const from = randomInt(accountCount);
  const to = randomInt(accountCount - 1);
  return { from, to: to < from ? to : to + 1 };
};

/** Everything pays into one account. */
export const pickHot: Pick = () => ({ from: 1 + randomInt(accountCount - 1), to: 0 });

export interface Party {
  name: string;
  /** Whom its connections belong to. */
  role: string | undefined;
  post(client: pg.Client, pick: Pick): Promise<void>;
  /** Many in one call and one commit; null: knows no batches. */
  postBatch: ((client: pg.Client, pick: Pick, size: number) => Promise<void>) | null;
}

const oneUnit = '1';

/** The minimal ledger transaction, as one function call. */
export async function oneCallParty({ admin }: Stage): Promise<Party> {
  await admin.query(
    `insert into one_call.account (id, balance) select i, ${opening} from generate_series(0, ${accountCount - 1}) i`,
  );
  return {
    name: 'one-call',
    role: undefined,
    async post(client, pick) {
      const { from, to } = pick();
      const text = 'select one_call.post($1, $2, $3)';
      await client.query({ name: 'one-call', text, values: [from, to, oneUnit] });
    },
    postBatch: null,
  };
}

/** The product's ledger: the accounts of one company, as the HTTP process's role. */
export async function causewayParty({ admin }: Stage): Promise<Party> {
  const companyId = newId();
  const accounts = await openAccounts(admin, companyId);
  const id = (index: number) => accounts[index] ?? '';
  return {
    name: 'causeway',
    role: 'causeway_app',
    async post(client, pick) {
      const { from, to } = pick();
      const text = `select set_config('causeway.company_id', $1, true),
        ledger_post($2, 'bench', $3, 'bench', null, array[$4, $5]::uuid[], array[$6, -($6::numeric)])`;
      // The legs in the order of their accounts, as the product's store hands them over.
      const [low, high, amount] = id(from) < id(to) ? [from, to, `-${oneUnit}`] : [to, from, oneUnit];
      const values = [companyId, newId(), randomUUID(), id(low), id(high), amount];
      await client.query({ name: 'causeway', text, values });
    },
    async postBatch(client, pick, size) {
      const items = Array.from({ length: size }, (_, i) => ({ ...pick(), item: i + 1 }));
      const text = `select set_config('causeway.company_id', $1, true), ledger_post_batch($2::uuid[],
        array_fill('bench'::text, array[$7::integer]), $3::uuid[], array_fill('bench'::text, array[$7]),
        $4::integer[], $5::uuid[], $6::numeric[]) as outcomes`;
      const { rows } = await client.query({
        name: 'causeway-batch',
        text,
        values: [
          companyId,
          items.map(() => newId()),
          items.map(() => randomUUID()),
          items.flatMap(({ item }) => [item, item]),
          items.flatMap(({ from, to }) => [id(from), id(to)]),
          items.flatMap(() => [`-${oneUnit}`, oneUnit]),
          size,
        ],
      });
      if (rows[0]?.outcomes.some((outcome: string) => outcome !== 'posted')) throw new Error('a posting was refused');
    },
  };
}

/** Inserted by the superuser, then given money by one posting from a contra account. */
async function openAccounts(admin: pg.Client, companyId: string): Promise<string[]> {
  const ids = Array.from({ length: accountCount }, () => newId());
  const contra = newId();
  await admin.query(
    `insert into causeway.ledger_account (company_id, id, owner_id, kind, asset_id, normal)
     select $1::uuid, id, gen_random_uuid(), 'available', 'USDT', 'credit' from unnest($2::uuid[]) as n (id)
     union all select $1, $3::uuid, gen_random_uuid(), 'chain', 'USDT', 'debit'`,
    [companyId, ids, contra],
  );
  await admin.query('begin');
  await admin.query(`select set_config('causeway.company_id', $1, true)`, [companyId]);
  const legs = [...ids.map(() => opening), `-${BigInt(opening) * BigInt(accountCount)}`];
  await admin.query(`select causeway.ledger_post($1, 'opening', $1, 'opening', null, $2::uuid[], $3::numeric[])`, [
    newId(),
    [...ids, contra],
    legs,
  ]);
  await admin.query('commit');
  return ids;
}

/** pgledger, from its public SQL in a file of the reader's own (docs/PERFORMANCE.md); null without one. */
export async function pgledgerParty({ admin }: Stage): Promise<Party | null> {
  const file = process.env['PGLEDGER_SQL'];
  if (file === undefined || file === '') return null;
  await admin.query(readFileSync(file, 'utf8'));
  const { rows } = await admin.query<{ id: string }>(
    `select a.id from generate_series(1, ${accountCount}) i,
       lateral pgledger_create_account('account ' || i, 'USDT', allow_negative_balance => true) a`,
  );
  const id = (index: number) => rows[index]?.id ?? '';
  return {
    name: 'pgledger',
    role: undefined,
    async post(client, pick) {
      const { from, to } = pick();
      const text = 'select id from pgledger_create_transfer($1, $2, $3)';
      await client.query({ name: 'pgledger', text, values: [id(from), id(to), oneUnit] });
    },
    async postBatch(client, pick, size) {
      const picks = Array.from({ length: size }, () => pick());
      const text = `select count(*) from pgledger_create_transfers(
        (select array_agg((f, t, $3)::transfer_request) from unnest($1::text[], $2::text[]) as p (f, t)))`;
      const values = [picks.map(({ from }) => id(from)), picks.map(({ to }) => id(to)), oneUnit];
      await client.query({ name: 'pgledger-batch', text, values });
    },
  };
}
