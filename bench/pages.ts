import { createHash, randomBytes } from 'node:crypto';
import { systemRoleIds } from '@causeway/contract/permission.ts';
import { newId } from '../server/src/platform/ids.ts';
import { Connection } from './http-client.ts';
import { median } from './load.ts';
import { startServer } from './server-process.ts';
import type { Stage } from './stage.ts';

/** How long a page of 50 transactions and the balances take, as the rows of one company grow. */

const companyId = newId();
const walletId = newId();
const chunk = 250_000;

export const questions = {
  'page of 50': '/web/crypto/transaction?size=50',
  'page, by type': '/web/crypto/transaction?size=50&type=chain_deposit',
  'page, by status and time': '/web/crypto/transaction?size=50&status=failed&from=2026-02-01T00:00:00.000Z',
  'page, oldest first': '/web/crypto/transaction?size=50&order=asc',
  balances: '/web/account/overview',
};
export type Question = keyof typeof questions;

/** Milliseconds, median, by question, at one number of rows. */
export interface Timing<Name extends string = Question> {
  rows: number;
  milliseconds: Record<Name, number>;
}

export async function timePages(stage: Stage, sizes: readonly number[], askings: number): Promise<Timing[]> {
  const token = await seedCompany(stage, { companyId, walletId });
  const server = await startServer(stage);
  const timings: Timing[] = [];
  let rows = 0;
  try {
    for (const size of sizes) {
      await addTransactions(stage, { companyId, walletId }, rows, size);
      rows = size;
      timings.push({ rows, milliseconds: await ask(server.port, token, { questions, askings }) });
    }
  } finally {
    await server.stop();
  }
  return timings;
}

/** Milliseconds, median, by question. */
export async function ask<Name extends string>(
  port: number,
  token: string,
  { questions: asked, askings }: { questions: Readonly<Record<Name, string>>; askings: number },
): Promise<Record<Name, number>> {
  const connection = await Connection.open(port);
  const times = new Map<string, number[]>();
  // Round by round, so that a busy moment falls on all questions alike; the first rounds warm caches and plans.
  for (let round = -8; round < askings; round++) {
    for (const [name, path] of Object.entries<string>(asked)) {
      const began = performance.now();
      const answer = await connection.request('GET', path, { authorization: `Bearer ${token}` });
      if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${answer.body}`);
      if (round >= 0) times.set(name, [...(times.get(name) ?? []), performance.now() - began]);
    }
  }
  connection.close();
  return Object.fromEntries([...times].map(([name, list]) => [name, median(list)])) as Record<Name, number>;
}

/** A company with one administrator, who is signed in, and a wallet without entries. @returns the token */
export async function seedCompany(
  { admin }: Stage,
  { companyId, walletId }: { companyId: string; walletId: string },
): Promise<string> {
  const userId = newId();
  const token = randomBytes(32).toString('base64url');
  const statements: [string, unknown[]][] = [
    ['insert into causeway.company (company_id, name) values ($1, $2)', [companyId, 'Pages']],
    [
      `insert into causeway.member (company_id, id, identifier, email, language, role_id)
       values ($1, $2, 'CW-PAGES', $3, 'en_US', '${systemRoleIds.administrator}')`,
      [companyId, userId, `${companyId}@example.com`],
    ],
    [
      `insert into causeway.session (company_id, id, user_id, token_sha256, expires_at, ip, user_agent)
       values ($1, gen_random_uuid(), $2, $3, now() + interval '1 day', '127.0.0.1', 'bench')`,
      [companyId, userId, createHash('sha256').update(token).digest()],
    ],
    [
      `insert into causeway.chain_address (company_id, chain_id, address, derivation_index)
       values ($1, 'ethereum', $2,
         (select coalesce(max(derivation_index), 999999) + 1 from causeway.chain_address))`,
      [companyId, `0x${randomBytes(20).toString('hex')}`],
    ],
    [
      `insert into causeway.wallet (company_id, id, chain_id, asset_id) values ($1, $2, 'ethereum', 'USDT')`,
      [companyId, walletId],
    ],
    [
      `insert into causeway.ledger_account (company_id, id, owner_id, kind, asset_id, normal)
       select $1, gen_random_uuid(), $2, k, 'USDT', case k when 'chain' then 'debit' else 'credit' end
       from unnest(array['available', 'outbound', 'inbound', 'chain', 'fee']) k`,
      [companyId, walletId],
    ],
  ];
  for (const [text, values] of statements) await admin.query(text, values);
  return token;
}

/** Bulk rows in SQL: a year of deposits and withdrawals, one in a hundred failed; triggers and indexes as they are. */
export async function addTransactions(
  { admin }: Stage,
  { companyId, walletId }: { companyId: string; walletId: string },
  from: number,
  to: number,
): Promise<void> {
  for (let at = from; at < to; at += chunk) {
    await admin.query(
      `insert into causeway.transaction (company_id, id, type, status, stage, direction, wallet_id, chain_id, coin, quantity,
         payer_name, payee_name, created_at, updated_at, completed_at)
       select $1, gen_random_uuid(), case when i % 2 = 0 then 'chain_deposit' else 'chain_withdraw' end,
         case when i % 100 = 0 then 'failed' else 'completed' end, case when i % 100 = 0 then 'failed' else 'completed' end,
         case when i % 2 = 0 then 'in' else 'out' end, $2, 'ethereum', 'USDT', 1000000 + i, 'Payer', 'Payee',
         at, at, at
       from generate_series($3::bigint, $4::bigint - 1) i,
         lateral (select timestamptz '2026-01-01' + i * interval '6 seconds' as at) t`,
      [companyId, walletId, at, Math.min(to, at + chunk)],
    );
  }
  await admin.query('vacuum analyze causeway.transaction');
  await admin.query('checkpoint');
}
