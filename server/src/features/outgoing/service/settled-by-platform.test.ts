import { transferOut } from '@causeway/contract/transfers.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../../platform/ids.ts';
import { credit } from '../../../testing/company.ts';
import { testDatabase } from '../../../testing/database.ts';
import { type MainApp, mainApp } from '../../../testing/main-app.ts';
import { present } from '../../../testing/present.ts';
import { succeed } from '../../../testing/succeed.ts';
import { payee, transferRequest } from '../../../testing/valid-requests.ts';
import { changeStage, lockTransaction } from '../../transactions/index.ts';
import { settle } from './settle.ts';

let world: MainApp;
beforeAll(async () => {
  world = await mainApp(await testDatabase());
});
afterAll(async () => {
  await world.close();
  await world.db.close();
});

/** Ends the transaction without keeping anything of it. */
class RolledBack extends Error {}

test.each([
  ['chain_withdraw', ['transaction.reached']],
  ['fee_withdraw', []],
  ['fx_settlement_in', []],
  ['fx_settlement_out', []],
] as const)(
  'a %s that is made announces %j: the company is notified of its own payments alone',
  async (type, names) => {
    const tenant = await world.company();
    const finance = await world.member(tenant, 'finance');
    await credit(world.db, tenant, 'USDT', 100_000_000n);
    const content = { id: newId(), walletId: tenant.wallets.USDT, payeeId: await payee(world, tenant), amount: '5' };
    const request = await transferRequest(world, tenant, { ...content, attachmentIds: [], notes: '' }, finance);
    const { id } = (await succeed(world, transferOut, request)).data;
    const announced: string[] = [];
    const settling = world.db.worker.withCompany(tenant.id, async (tx) => {
      await changeStage(tx, id, ['approved'], { stage: 'signing' });
      await sql`delete from outbox where company_id = company_id()`.execute(tx);
      const payment = present(await lockTransaction(tx, id));
      await settle(tx, { ...payment, type }, { contra: 'chain', finals: 0, hash: null });
      const { rows } = await sql<{ name: string }>`
      select name from outbox where company_id = company_id() and name <> 'live'`.execute(tx);
      announced.push(...rows.map(({ name }) => name));
      throw new RolledBack();
    });
    await expect(settling).rejects.toBeInstanceOf(RolledBack);
    expect(announced).toEqual(names);
  },
);
