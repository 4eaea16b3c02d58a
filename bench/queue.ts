import { operatorPermissionsOf } from '@causeway/contract/operator-rules.ts';
import { nilCompany } from '../server/src/features/identity/index.ts';
import { list, summarise } from '../server/src/features/operator/queue/service.ts';
import { systemClock } from '../server/src/platform/clock.ts';
import { type Database, openDatabase } from '../server/src/platform/database/database.ts';
import { newId } from '../server/src/platform/ids.ts';
import type { OperatorContext } from '../server/src/platform/session.ts';
import { loadTexts } from '../server/src/platform/text/texts.ts';
import { median } from './load.ts';
import { addTransactions, seedCompany } from './pages.ts';
import type { Line } from './report.ts';
import type { Stage } from './stage.ts';

/** The operator's overview, summary and first page, with ten open items and with ten thousand beside many transactions. */

const few = 10;
const many = 10_000;
const askings = 200;

export async function measureQueue(stage: Stage, transactions: number): Promise<Line[]> {
  loadTexts();
  const database = openDatabase(stage.urlFor('causeway_console'), { poolSize: 2, applicationName: 'bench' });
  try {
    await addItems(stage, 0, few);
    const small = [await ask(database)];
    const company = { companyId: newId(), walletId: newId() };
    await seedCompany(stage, company);
    await addTransactions(stage, company, 0, transactions);
    await addItems(stage, few, many);
    const large = [await ask(database)];
    // Again in the other order, so that a machine that grows slower does not decide.
    large.push(await ask(database));
    await stage.admin.query(
      `update causeway.operator_item set state = 'resolved', resolved_at = now() where subject::int >= ${few}`,
    );
    await stage.admin.query('vacuum analyze causeway.operator_item');
    small.push(await ask(database));
    const [before, after] = [Math.min(...small), Math.min(...large)];
    return [
      {
        what: 'operator’s overview, 10,000 open items',
        goal: { atMost: 1.3 },
        figure: after / before,
        unit: '× ten items',
        detail: `${before.toFixed(2)} ms, then ${after.toFixed(2)} ms with ${transactions} transactions`,
      },
    ];
  } finally {
    await database.close();
  }
}

/** Milliseconds for summary and first page together, median. */
async function ask(database: Database): Promise<number> {
  const role = 'support';
  const session = {
    id: newId(),
    companyId: nilCompany,
    userId: newId(),
    userName: 'Bench',
    role,
    permissions: operatorPermissionsOf[role],
  };
  const context = {
    session,
    locale: 'en-us',
    ip: '127.0.0.1',
    userAgent: 'bench',
    requestId: 'bench',
    clock: systemClock,
  } as OperatorContext;
  const times: number[] = [];
  // The first rounds warm caches and plans.
  for (let round = -20; round < askings; round++) {
    const began = performance.now();
    await database.withCompany(nilCompany, (tx) => summarise(tx, context), { readOnly: true });
    await database.withCompany(nilCompany, (tx) => list(tx, context, { size: '50' }), { readOnly: true });
    if (round >= 0) times.push(performance.now() - began);
  }
  return median(times);
}

/** Of two kinds, as the sweep would have opened them. */
async function addItems({ admin }: Stage, from: number, to: number): Promise<void> {
  await admin.query(
    `insert into causeway.operator_item (id, kind, subject, asset_id, amount, usd_cents, facts, opened_at, place)
     select gen_random_uuid(), case i % 2 when 0 then 'transferStuck' else 'walletFrozen' end, i::text, 'USDT', i + 1, i + 1,
       case i % 2 when 0 then '{"waitsFor":"signer","chain":"ethereum"}'::jsonb else '{"place":"ethereum","reason":"x"}' end, at,
       (extract(epoch from at) * 1000)::bigint + case i % 2 when 0 then 0 else 10000000000000 end
     from generate_series($1::int, $2::int - 1) i, lateral (select now() - i * interval '1 minute' as at) t`,
    [from, to],
  );
  await admin.query('vacuum analyze causeway.operator_item');
}
