import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../platform/ids.ts';
import { chainFamilies } from '../../testing/chain-families.ts';
import { credit, openTestCompany, type TestCompany } from '../../testing/company.ts';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { signedInOperator } from '../../testing/operators.ts';
import { present } from '../../testing/present.ts';
import { insertTestTransaction } from '../../testing/transactions.ts';
import { runCommand, UsageError, usage } from './command-line.ts';

const nil = '00000000-0000-0000-0000-000000000000';
let db: TestDatabase;
let company: TestCompany;

beforeAll(async () => {
  db = await testDatabase();
  company = await openTestCompany(db);
  await db.app.withCompany(company.id, (tx) =>
    sql`insert into company (company_id, name) values (company_id(), 'Far Voyage')`.execute(tx),
  );
});
afterAll(() => db.close());

const run = (...args: string[]) =>
  runCommand({ database: db.operator, operator: 'jo' }, args, async () => ({ families: chainFamilies, gateways: [] }));
const runJson = async (...args: string[]) => JSON.parse(await run(...args, '--json'));

async function audited(companyId: string): Promise<string[]> {
  const { rows } = await db.operator.withCompany(companyId, (tx) =>
    sql<{ action: string }>`select action from audit_event
      where company_id = company_id() and actor_kind = 'operator' and actor_id = 'jo' order by id`.execute(tx),
  );
  return rows.map(({ action }) => action);
}

describe('invitations', () => {
  test('are made, listed without their codes, and revoked once', async () => {
    const made = await runJson('invitation', 'create', '--label', 'Far Voyage', '--days', '3');
    expect(made.code).toMatch(/^CW-/);
    const listed = await run('invitation', 'list');
    expect(listed).toContain('Far Voyage');
    expect(listed).not.toContain(made.code);
    expect(await run('invitation', 'revoke', made.id)).toContain(made.id);
    await expect(run('invitation', 'revoke', made.id)).rejects.toMatchObject({ key: 'notFound' });
    expect(await audited(nil)).toEqual(['identity.createInvitation', 'identity.revokeInvitation']);
  });

  test('need neither label nor days', async () => {
    expect((await runJson('invitation', 'create')).code).toMatch(/^CW-/);
  });

  test('are made several at once, each with a code of its own', async () => {
    const made: { code: string }[] = await runJson('invitation', 'create', '--count', '3');
    expect(new Set(made.map(({ code }) => code)).size).toBe(3);
    expect(await run('invitation', 'create', '--count', '2')).toMatch(/CW-.*\n.*CW-/);
  });
});

test('fees and minimums are set in whole coins, exactly, and shown', async () => {
  const fee = await runJson('asset', 'set-fee', 'ETH', 'ethereum', '0.002000000000000001');
  expect(fee).toMatchObject({ before: '0.001000000000000000', fee: '0.002000000000000001' });
  expect(await runJson('asset', 'set-minimum', 'USDT', '2.5')).toMatchObject({ minimum: '2.500000' });
  const shown: { coin: string; minimum: string; fee: string }[] = await runJson('asset', 'list');
  expect(shown.find(({ coin }) => coin === 'USDT')?.minimum).toBe('2.500000');
  expect(shown.find(({ coin }) => coin === 'ETH')?.fee).toBe('0.002000000000000001');
  for (const [amount, key] of [
    ['-1', 'amountFormat'],
    ['1e3', 'amountFormat'],
    ['0.0000001', 'amountTooManyDecimals'],
  ] as const) {
    await expect(run('asset', 'set-fee', 'USDT', 'ethereum', '--', amount)).rejects.toMatchObject({ key });
  }
  await expect(run('asset', 'set-fee', 'DOGE', 'ethereum', '1')).rejects.toMatchObject({ key: 'coinNotOnChain' });
  await expect(run('asset', 'set-minimum', 'DOGE', '1')).rejects.toMatchObject({ key: 'assetUnknown' });
  expect(await runJson('asset', 'set-minimum', 'JPY', '50')).toMatchObject({ before: '1', minimum: '50' });
  expect(await audited(nil)).toContain('operator.setFee');
});

test('stuck transfers are listed with where they stand', async () => {
  const id = await insertTestTransaction(db, company, { type: 'chain_withdraw', status: 'pending', stage: 'signing' });
  expect(await runJson('transfers', 'stuck')).toEqual([]);
  await db.worker.withCompany(company.id, (tx) =>
    sql`update transaction set stage_at = now() - interval '2 hours' where company_id = company_id() and id = ${id}`.execute(
      tx,
    ),
  );
  expect(await runJson('transfers', 'stuck')).toMatchObject([
    {
      id,
      company: 'Far Voyage',
      stage: 'signing',
      amount: '5.000000',
      coin: 'USDT',
      walletFrozen: false,
      waitsFor: 'the signer, or the gas tank',
    },
  ]);
  expect(await runJson('transfers', 'stuck', '--minutes', '180')).toEqual([]);
});

test('a transfer that its company has yet to approve waits for nobody here', async () => {
  const own = await openTestCompany(db);
  await db.app.withCompany(own.id, (tx) =>
    sql`insert into company (company_id, name) values (company_id(), 'Tai O')`.execute(tx),
  );
  const id = await insertTestTransaction(db, own, {
    type: 'chain_withdraw',
    status: 'pending',
    stage: 'waiting_approval',
  });
  await db.worker.withCompany(own.id, (tx) =>
    sql`update transaction set stage_at = now() - interval '2 hours' where company_id = company_id() and id = ${id}`.execute(
      tx,
    ),
  );
  await runJson('wallet', 'freeze', own.wallets.USDT, '--reason', 'court order');
  const seen = (await runJson('transfers', 'stuck')) as { id: string; waitsFor: string }[];
  expect(seen.find((one) => one.id === id)?.waitsFor).toBe("the company's own approvers");
  await runJson('wallet', 'unfreeze', own.wallets.USDT);
});

test('a payment whose deposit was taken back is named with what is missing, and those behind it with it', async () => {
  const own = await openTestCompany(db);
  await db.app.withCompany(own.id, (tx) =>
    sql`insert into company (company_id, name) values (company_id(), 'Lantau')`.execute(tx),
  );
  await credit(db, own, 'ETH', 3n * 10n ** 17n);
  const ids = [newId(), newId(), newId()];
  for (const [nonce, id] of ids.entries()) {
    const quantityMinor = 2n * 10n ** 17n;
    const facts = { id, type: 'chain_withdraw', status: 'pending', stage: 'broadcast', coin: 'ETH' } as const;
    await insertTestTransaction(db, own, { ...facts, quantityMinor });
    await db.worker.withCompany(own.id, async (tx) => {
      await sql`update transaction set stage_at = now() - interval '2 hours' where company_id = company_id() and id = ${id}`.execute(
        tx,
      );
      // The first is in a block, the second is not: what the chain holds is not enough for it.
      await sql`
        insert into chain_send (company_id, payment_id, attempt, kind, transfer_id, chain_id, from_address, nonce, amount,
          gas_limit, max_fee_per_gas, max_priority_fee_per_gas, hash, raw, mined_block, mined_hash)
        values (company_id(), ${id}, 1, 'transfer', ${id}, 'ethereum', ${own.address}, ${nonce}, ${quantityMinor.toString()},
          21000, 1, 1, ${`0x${id}`}, '0x', ${nonce === 0 ? 7 : null}, ${nonce === 0 ? '0xb' : null})`.execute(tx);
    });
  }
  const seen = (await runJson('transfers', 'stuck')) as { id: string; company: string; waitsFor: string }[];
  const reasons = new Map(seen.map(({ id, waitsFor }) => [id, waitsFor]));
  expect(ids.map((id) => reasons.get(id))).toEqual([
    'confirmations',
    `0.10 ETH to arrive at ${own.address}: a deposit was taken back after it was spent`,
    `transfer ${ids[1]} of the same address, which comes first`,
  ]);
  await db.worker.withCompany(own.id, (tx) =>
    sql`update chain_send set empty_wanted_at = now() where company_id = company_id() and payment_id = ${ids[1]}`.execute(
      tx,
    ),
  );
  const again = (await runJson('transfers', 'stuck')) as { id: string; waitsFor: string }[];
  expect(again.find(({ id }) => id === ids[1])?.waitsFor).toBe(
    'the empty transaction in its place, until that is final',
  );
});

test('a wallet is frozen with a reason and given free, each once', async () => {
  const id = company.wallets.HKDT;
  await expect(run('wallet', 'freeze', id)).rejects.toThrow(UsageError);
  expect(await runJson('wallet', 'freeze', id, '--reason', 'court order')).toMatchObject({
    frozen: true,
    changed: true,
  });
  expect(await runJson('wallet', 'freeze', id, '--reason', 'again')).toMatchObject({ changed: false });
  expect(await runJson('wallet', 'list')).toMatchObject([
    { id, frozenReason: 'court order', account: company.address },
  ]);
  expect(await runJson('wallet', 'list', '--company', company.id)).toHaveLength(4);
  expect(await runJson('wallet', 'unfreeze', id)).toMatchObject({ frozen: false, changed: true });
  expect(await run('wallet', 'list')).toBe('none\n');
  expect(await audited(company.id)).toEqual(['operator.freezeWallet', 'operator.unfreezeWallet']);
  await expect(run('wallet', 'freeze', newId(), '--reason', 'x')).rejects.toMatchObject({ key: 'walletNotFound' });
});

/** Who could sign in by an earlier test. */
const disableOperators = () => db.console.pool.query("update operator_account set state = 'disabled'");

test('what two operators decide in the console is not decided here by one, once there are two', async () => {
  await disableOperators();
  const decisions = [
    ['payments', 'match', newId(), newId()],
    ['payments', 'book', newId(), '--reason', 'x'],
    ['payments', 'release', newId(), '--reason', 'x'],
    ['payments', 'accept-nonce', 'ethereum', company.address, '7', '--reason', 'x'],
  ];
  await signedInOperator(db, 'administrator');
  await signedInOperator(db, 'viewer');
  await signedInOperator(db, 'support', 'disabled');
  for (const args of decisions.slice(0, 3)) await expect(run(...args)).rejects.toMatchObject({ key: 'notFound' });
  await expect(run(...present(decisions[3]))).rejects.toMatchObject({ key: 'nonceNotAccepted' });
  await signedInOperator(db, 'treasury');
  for (const args of decisions) await expect(run(...args)).rejects.toMatchObject({ key: 'secondOperatorNeeded' });
  // What the signer's journal says is no one's judgement.
  expect(await runJson('payments', 'match', '--journaled')).toMatchObject({ matched: 0 });
});

test('a company and a member are frozen too; one person unfreezes while there are not two who could', async () => {
  await disableOperators();
  const own = await openTestCompany(db);
  await db.app.withCompany(own.id, (tx) =>
    sql`insert into company (company_id, name) values (company_id(), 'Cheung Chau')`.execute(tx),
  );
  await expect(run('company', 'freeze', own.id, '--reason', 'x', '--cause', 'other')).rejects.toThrow(UsageError);
  expect(await runJson('company', 'freeze', own.id, '--reason', 'letter', '--cause', 'authority')).toMatchObject({
    company: 'Cheung Chau',
    changed: true,
  });
  expect(await runJson('company', 'unfreeze', own.id)).toMatchObject({ frozen: false, changed: true });
  expect(await runJson('company', 'unfreeze', own.id)).toMatchObject({ changed: false });
  expect(await audited(own.id)).toEqual(['operator.freezeCompany', 'operator.unfreezeCompany']);
  await expect(run('member', 'freeze', newId(), '--reason', 'x')).rejects.toMatchObject({ key: 'notFound' });

  await runJson('company', 'freeze', own.id, '--reason', 'letter');
  await signedInOperator(db, 'compliance');
  await signedInOperator(db, 'support');
  await signedInOperator(db, 'administrator', 'disabled');
  expect(await runJson('company', 'unfreeze', own.id)).toMatchObject({ changed: true });
  await runJson('company', 'freeze', own.id, '--reason', 'letter');
  await signedInOperator(db, 'administrator');
  await expect(run('company', 'unfreeze', own.id)).rejects.toMatchObject({ key: 'unfreezeNeedsTwo' });
});

test('an announcement needs title and text in every language', async () => {
  const english = ['--en', 'Maintenance', '--en', 'On Sunday'];
  await expect(run('announcement', 'publish', ...english)).rejects.toThrow('--hk');
  const chinese = ['--hk', '系統維護', '--hk', '星期日', '--cn', '系统维护', '--cn', '周日'];
  expect((await runJson('announcement', 'publish', ...english, ...chinese)).id).toBeDefined();
});

describe('usage', () => {
  test.each([
    [['nonsense']],
    [['invitation', 'burn']],
    [['invitation', 'revoke']],
    [['invitation', 'revoke', 'x']],
    [['invitation', 'create', '--days', '0']],
    [['invitation', 'create', '--days', '1e3']],
    [['invitation', 'create', '--count', '101']],
    [['invitation', 'list', '--reason', 'x']],
    [['wallet', 'list', '--unknown']],
    [['asset', 'set-fee', 'ETH', '1']],
  ])('%j is not a command', async (args) => {
    await expect(run(...args)).rejects.toThrow(UsageError);
  });

  test('is shown on request', async () => {
    expect(await run('--help')).toBe(usage);
  });
});
