import { getTransaction } from '@causeway/contract/transactions.ts';
import { cancelTransfer, transferOut } from '@causeway/contract/transfers.ts';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '../../../platform/ids.ts';
import { credit } from '../../../testing/company.ts';
import { walletBalances } from '../../../testing/company-books.ts';
import { testDatabase } from '../../../testing/database.ts';
import { type MainApp, type Member, mainApp, type Tenant } from '../../../testing/main-app.ts';
import { enact, forbidding } from '../../../testing/risk.ts';
import { payee, succeed, transferRequest } from '../../../testing/valid-requests.ts';

/** Who may cancel a transfer, and what a cancel gives back: the hold, and what risk counted. */

let world: MainApp;
let tenant: Tenant;
let finance: Member;
let payeeId: string;
beforeAll(async () => {
  world = await mainApp(await testDatabase());
});
afterAll(async () => {
  await world.close();
  await world.db.close();
});
beforeEach(async () => {
  tenant = await world.company();
  finance = await world.member(tenant, 'finance');
  payeeId = await payee(world, tenant);
  await credit(world.db, tenant, 'USDT', 100_000_000n);
});
afterEach(() => expect(world.complaints.splice(0)).toEqual([]));

async function requested() {
  const content = { id: newId(), walletId: tenant.wallets.USDT, payeeId, amount: '5', attachmentIds: [], notes: '' };
  return transferRequest(world, tenant, content, finance);
}

test('a colleague cannot cancel a transfer, whatever their role; its initiator can', async () => {
  const { id } = (await succeed(world, transferOut, await requested())).data;
  const colleague = await world.member(tenant, 'finance');
  for (const as of [colleague, tenant.admin]) {
    expect(await world.ask(cancelTransfer, { as, body: { id } })).toMatchObject({ status: 403, key: 'transferNotOwn' });
  }
  const { data } = await succeed(world, getTransaction, { as: finance, params: { id } });
  expect(data).toMatchObject({ status: 'pending', stage: 'approved' });
  expect(await walletBalances(world.db, tenant.id, tenant.wallets.USDT)).toMatchObject({ outbound: 6_000_000n });

  await succeed(world, cancelTransfer, { as: finance, body: { id } });
  expect(await walletBalances(world.db, tenant.id, tenant.wallets.USDT)).toEqual({
    available: 100_000_000n,
    chain: -100_000_000n,
  });
});

test('a cancelled transfer no longer counts towards the window of a policy', async () => {
  const daily = forbidding({ dimension: 'crypto_frequency', from: '2', to: null });
  await enact(world.db, tenant.id, daily);
  const { id } = (await succeed(world, transferOut, await requested())).data;
  expect(await world.ask(transferOut, await requested())).toMatchObject({ status: 409, key: 'riskRefused' });
  await succeed(world, cancelTransfer, { as: finance, body: { id } });
  await succeed(world, transferOut, await requested());
});
