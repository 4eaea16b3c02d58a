import { getApproval, listApprovals } from '@causeway/contract/approvals.ts';
import { addBankPayee } from '@causeway/contract/bank-payees.ts';
import { addCryptoPayee } from '@causeway/contract/payees.ts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { newId } from '../../../platform/ids.ts';
import { newBankAccount } from '../../../testing/bank-payee-requests.ts';
import { checkOf, insertTestBatch, submittedRun } from '../../../testing/batches.ts';
import { credit } from '../../../testing/company.ts';
import { testDatabase } from '../../../testing/database.ts';
import { type MainApp, mainApp, type Tenant } from '../../../testing/main-app.ts';
import { present } from '../../../testing/present.ts';
import { succeed } from '../../../testing/succeed.ts';
import { reviewOf } from '../../../testing/transaction-requests.ts';
import { findAlikeAmong } from '../../payees/index.ts';

/** Payees of a run that look like others: said to who checks it, and shown first to who approves it. */

let world: MainApp;
beforeAll(async () => {
  world = await mainApp(await testDatabase());
});
afterAll(async () => {
  await world.close();
  await world.db.close();
});
afterEach(() => expect(world.complaints.splice(0)).toEqual([]));

const usdt = 1_000_000n;

async function cryptoPayee({ admin }: Tenant, label: string, address: string): Promise<string> {
  const body = { id: newId(), label, chain: 'ethereum', coin: 'USDT', address };
  return (await succeed(world, addCryptoPayee, { as: admin, body })).data.id;
}

/** The same beginning and end, with another middle. */
const [known, forged, other] = ['11', '22', '33'].map(
  (middle, place) => `0x${place < 2 ? 'abcd' : 'dcba'}${middle.repeat(16)}${place < 2 ? '4321' : '1234'}`,
);

test('the address of another payee is imitated: a warning to the checker, and first of the approval', async () => {
  const tenant = await world.company();
  await credit(world.db, tenant, 'USDT', 1_000n * usdt);
  await cryptoPayee(tenant, 'Pearl River', present(known));
  const ids = [
    await cryptoPayee(tenant, 'Harbour', present(other)),
    await cryptoPayee(tenant, 'Pearl River 2', present(forged)),
  ];
  const { id } = await insertTestBatch(
    world.db,
    tenant,
    ids.map((payeeId) => ({ walletId: tenant.wallets.USDT, payeeId, amountMinor: 10n * usdt })),
  );
  await reviewOf(world, tenant)(true);
  const approver = await world.member(tenant, 'approver');
  const sentence = 'The address looks like that of “Pearl River”';
  const check = await checkOf(world, tenant.admin, id);
  expect(
    check.items.map(({ findings }) => findings.map(({ severity, key, sentence: said }) => [severity, key, said])),
  ).toEqual([
    [['warning', 'newPayee', 'Never paid before']],
    [
      ['warning', 'lookAlike', sentence],
      ['warning', 'newPayee', 'Never paid before'],
    ],
  ]);
  await submittedRun(world, tenant.admin, id);
  const { items } = (await succeed(world, listApprovals, { as: approver, query: { view: 'pending' } })).data;
  const { content } = (await succeed(world, getApproval, { as: approver, params: { id: present(items[0]).id } })).data;
  if (content.shape !== 'batch') throw new Error('it is a batch');
  // A payee that was never paid is less to look at than one that looks like another.
  expect(content.remarkable.map(({ number, findings }) => [number, findings.map(({ kind }) => kind)])).toEqual([
    [2, ['lookAlike', 'newPayee']],
    [1, ['newPayee']],
  ]);
  expect(present(content.remarkable[0]).findings[0]).toEqual({ kind: 'lookAlike', text: sentence });
});

test('names of bank payees are compared, accounts that are the same are not, nor payees of other companies', async () => {
  const [tenant, stranger] = [await world.company(), await world.company()];
  const saved = async ({ admin }: Tenant, label: string, enterpriseName: string) => {
    const body = { id: newId(), label, ...newBankAccount(), enterpriseName };
    return (await succeed(world, addBankPayee, { as: admin, body })).data.id;
  };
  const first = await saved(tenant, 'Kowloon', 'Kowloon Freight Limited');
  const imitation = await saved(tenant, 'Imitation', 'KOWL00N FREIGHT LTD');
  const alone = await saved(tenant, 'Lantau', 'Lantau Freight Limited');
  await saved(stranger, 'Lantau', 'Lantau Freight Ltd');
  await cryptoPayee(stranger, 'Pearl River', present(known));
  const coin = await cryptoPayee(tenant, 'Pearl River', present(forged));
  const found = await world.db.app.withCompany(tenant.id, (tx) =>
    findAlikeAmong(tx, [first, imitation, alone, coin, first]),
  );
  expect(found).toHaveLength(2);
  expect(found).toEqual(
    expect.arrayContaining([
      { payeeId: first, by: 'name', label: 'Imitation' },
      { payeeId: imitation, by: 'name', label: 'Kowloon' },
    ]),
  );
});
