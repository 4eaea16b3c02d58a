import { sql } from 'kysely';
import { encodeFunctionData, erc20Abi, keccak256 } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../../platform/ids.ts';
import { expectBooksToAgree } from '../../../testing/chain-books.ts';
import {
  approvedTransfer,
  newPayee,
  registeredCompany,
  timeline,
  transactions,
} from '../../../testing/chain-transfers.ts';
import { balances, type ChainWorld, type Company, chainId, chainWorld, depth } from '../../../testing/chain-world.ts';
import { operatorCommand } from '../../../testing/operator-command.ts';
import { payFromTank, payOutside } from '../../../testing/outside-payments.ts';
import { findObstruction } from '../store/parts.ts';
import { UnknownPending } from './nonce-guard.ts';

/** Payments that the chain knows and the database does not, as after the restore of an older backup. */

let world: ChainWorld;
beforeAll(async () => {
  world = await chainWorld();
});
afterAll(() => world.close());

const funded = (amount = '100') => registeredCompany(world, amount);

const run = (...args: string[]) => operatorCommand(world.db, args);

const held = (address: string) => world.chain.treasury.balance('USDT', address as `0x${string}`);

async function holds(address: string): Promise<{ address: string; reason: string }[]> {
  const rows = (await run('payments', 'held')) as { address: string; reason: string }[];
  return rows.filter((row) => row.address === address);
}
type Row = Record<'id' | 'company' | 'from' | 'coin' | 'amount', string>;
const unexplained = async (company: Company) =>
  ((await run('payments', 'unexplained')) as Row[]).filter((row) => row.from === company.address);
const frozen = async (company: Company) =>
  ((await run('wallet', 'list', '--company', company.id)) as { frozenAt: string | null }[]).filter(
    ({ frozenAt }) => frozenAt !== null,
  );
const stageOf = async (company: Company, id: string) =>
  (await transactions(world, company)).find((row) => row.id === id);

async function settle(rounds = 2 * depth): Promise<void> {
  for (let left = rounds; left > 0; left -= 1) {
    await world.tend();
    await world.advance(1);
  }
  await world.tend();
}

/** Advances the network fee as a first payment does, so that the company's key can pay outside. */
async function firstPayment(company: Company): Promise<string> {
  const id = await approvedTransfer(world, company, { coin: 'USDT', amountMinor: 2_000_000n, payee: newPayee() });
  await world.work();
  await settle();
  expect(await stageOf(company, id)).toMatchObject({ status: 'completed' });
  await payFromTank(world, company.address, 10n ** 16n);
  await settle();
  return id;
}

describe('a payment that only the chain knows', () => {
  test('holds its address, is booked by the operator, and the address pays again', async () => {
    const company = await funded();
    await firstPayment(company);
    const lost = newPayee();
    const hash = await payOutside(world, company, lost, 5_000_000n);
    await world.advance(1);
    const [row] = await unexplained(company);
    expect(row).toMatchObject({ hash, coin: 'USDT', amount: '5.000000', to: lost });
    expect(await holds(company.address)).toMatchObject([{ address: company.address, reason: 'unexplained' }]);
    expect(await frozen(company)).toHaveLength(4);

    const payee = newPayee();
    const id = await approvedTransfer(world, company, { coin: 'USDT', amountMinor: 3_000_000n, payee });
    await world.work();
    await settle(1);
    expect(await stageOf(company, id)).toMatchObject({ stage: 'approved' });
    expect((await world.db.app.withCompany(company.id, (tx) => findObstruction(tx, id)))?.text).toMatch(/held$/);

    await run('payments', 'book', row?.id ?? '', '--reason', 'paid before the restore');
    await settle();
    expect(await holds(company.address)).toEqual([]);
    expect(await frozen(company)).toEqual([]);
    await settle();
    expect(await stageOf(company, id)).toMatchObject({ status: 'completed' });
    expect([await held(lost), await held(payee)]).toEqual(['5', '3']);
    expect((await transactions(world, company)).find((one) => one.hash === hash)).toMatchObject({
      type: 'chain_withdraw',
      status: 'completed',
      quantity: 5_000_000n,
    });
    await expectBooksToAgree(world);
  });

  test('is matched to the transfer that it paid, which is settled and never paid again', async () => {
    const company = await funded();
    await firstPayment(company);
    const payee = newPayee();
    // Submitted and approved; its payment was made in the time that the restore took away.
    const id = await approvedTransfer(world, company, { coin: 'USDT', amountMinor: 7_000_000n, payee });
    await payOutside(world, company, payee, 7_000_000n);
    await world.chain.engine.mine(1);
    // The job runs before the watcher has read the block: the guard compares, and gives no nonce.
    await world.work();
    expect(await holds(company.address)).toMatchObject([{ address: company.address, reason: 'ahead' }]);
    expect(await stageOf(company, id)).toMatchObject({ stage: 'signing' });
    await world.follow();
    const [row] = await unexplained(company);
    const other = await approvedTransfer(world, company, { coin: 'USDT', amountMinor: 6_000_000n, payee });
    await expect(run('payments', 'match', row?.id ?? '', other)).rejects.toMatchObject({ key: 'paymentDiffers' });
    await run('payments', 'match', row?.id ?? '', id);
    await expect(run('payments', 'match', row?.id ?? '', id)).rejects.toMatchObject({ key: 'paymentDecided' });
    await settle();
    expect(await stageOf(company, id)).toMatchObject({ status: 'completed' });
    expect(await timeline(world, company, id)).toContain('confirming');
    await settle();
    expect(await stageOf(company, other)).toMatchObject({ status: 'completed' });
    expect(await held(payee)).toBe('13');
    expect(await holds(company.address)).toEqual([]);
    await expectBooksToAgree(world);
  });

  test('is matched to a transfer that waits for its approval, whose task ends', async () => {
    const company = await funded();
    await firstPayment(company);
    const [payee, id, taskId] = [newPayee(), newId(), newId()];
    const review = { taskId, ruleId: newId(), ruleVersion: 1, nodes: [{ needed: 1, people: [newId()], roles: [] }] };
    const content = { coin: 'USDT', amountMinor: 7_000_000n, payee, id, review } as const;
    await approvedTransfer(world, company, { ...content, stage: 'waiting_approval' });
    await payOutside(world, company, payee, 7_000_000n);
    await world.advance(1);
    const [row] = await unexplained(company);
    await run('payments', 'match', row?.id ?? '', id);
    await settle();
    expect(await stageOf(company, id)).toMatchObject({ status: 'completed' });
    expect(await taskOf(company, taskId)).toEqual({ status: 'rejected', endedAs: 'stopped' });
    await settle();
    expect(await held(payee)).toBe('7');
    expect(await holds(company.address)).toEqual([]);
    await expectBooksToAgree(world);
  });

  test('that was booked is taken back from the books when a deep reorganisation takes its block', async () => {
    const company = await funded();
    await firstPayment(company);
    const before = await balances(world, company, 'USDT');
    const start = world.chain.engine.tip().height;
    const lost = newPayee();
    const hash = await payOutside(world, company, lost, 5_000_000n);
    await world.advance(1);
    const [row] = await unexplained(company);
    await run('payments', 'book', row?.id ?? '', '--reason', 'paid before the restore');
    await settle();
    expect((await balances(world, company, 'USDT'))['available']).toBe((before['available'] ?? 0n) - 5_000_000n);
    expect((await transactions(world, company)).find((one) => one.hash === hash)).toMatchObject({
      status: 'completed',
    });
    await expectBooksToAgree(world);

    await world.chain.engine.reorganise(world.chain.engine.tip().height - start, false);
    await world.advance(1);
    expect(await held(lost)).toBe('0');
    expect((await transactions(world, company)).find((one) => one.hash === hash)).toMatchObject({
      status: 'failed',
      stage: 'reversed',
    });
    expect(await balances(world, company, 'USDT')).toEqual(before);
    await expectBooksToAgree(world);
  });

  test('keeps the next nonce from being given while it waits in a node’s memory', async () => {
    const company = await funded();
    await firstPayment(company);
    const [lost, payee] = [newPayee(), newPayee()];
    await payOutside(world, company, lost, 5_000_000n);
    const id = await approvedTransfer(world, company, { coin: 'USDT', amountMinor: 3_000_000n, payee });
    await expect(world.work()).rejects.toThrow(UnknownPending);
    // Nor after another comparison with the blocks alone.
    await world.follow();
    await tryAgain(company, id);
    await expect(world.work()).rejects.toThrow(UnknownPending);
    await world.tend();
    expect(await stageOf(company, id)).toMatchObject({ stage: 'signing' });
    await world.chain.engine.mine(1);
    expect([await held(lost), await held(payee)]).toEqual(['5', '0']);
    await world.follow();
    const [row] = await unexplained(company);
    await run('payments', 'book', row?.id ?? '', '--reason', 'lost with the journal');
    await settle();
    await tryAgain(company, id);
    await world.work();
    await settle();
    expect(await stageOf(company, id)).toMatchObject({ status: 'completed' });
    expect([await held(lost), await held(payee)]).toEqual(['5', '3']);
    await expectBooksToAgree(world);
  });

  test('vanishes with its block, and the hold with it', async () => {
    const company = await funded();
    await firstPayment(company);
    await payOutside(world, company, newPayee(), 5_000_000n);
    await world.advance(1);
    expect(await unexplained(company)).toHaveLength(1);
    await world.chain.engine.reorganise(1, false);
    await world.follow();
    expect(await unexplained(company)).toEqual([]);
    await world.tend();
    expect(await holds(company.address)).toEqual([]);
    await expectBooksToAgree(world);
  });

  test('is no payment when a stranger makes a token log a transfer of nothing', async () => {
    const company = await funded();
    const { treasury } = world.chain;
    const stranger = await treasury.openAccount('USDT', '1');
    await world.chain.engine.mine(1);
    const raw = await privateKeyToAccount(stranger.privateKey).signTransaction({
      type: 'eip1559',
      chainId: world.config.chainId,
      nonce: 0,
      gas: 100_000n,
      maxFeePerGas: 10n ** 10n,
      maxPriorityFeePerGas: 10n ** 9n,
      to: treasury.contracts.USDT,
      data: encodeFunctionData({
        abi: erc20Abi,
        functionName: 'transferFrom',
        args: [company.address, stranger.address, 0n],
      }),
    });
    expect(await world.gateway.broadcast(raw)).toMatchObject({ outcome: 'accepted' });
    await world.chain.engine.mine(1);
    expect((await world.gateway.receipt(keccak256(raw)))?.tokenTransfers).toMatchObject([{ from: company.address }]);
    await world.advance(1);
    expect(await unexplained(company)).toEqual([]);
    expect(await holds(company.address)).toEqual([]);
  });
});

test('a restored backup pays nothing twice: what was paid since is matched by the signer’s journal in bulk', async () => {
  const company = await funded();
  await firstPayment(company);
  const payee = newPayee();
  const id = await approvedTransfer(world, company, { coin: 'USDT', amountMinor: 4_000_000n, payee });
  const backup = await nextNonce(company);
  await world.work();
  await settle();
  expect(await stageOf(company, id)).toMatchObject({ status: 'completed' });
  // The restore: rows of the payment are gone, its transfer is at the stage of before, the cursor goes back.
  await rewind(company, id, backup);
  // The watcher is quicker than the worker, which would adopt the payment from the journal.
  await world.follow();
  expect(await unexplained(company)).toHaveLength(1);
  expect(await run('payments', 'match', '--journaled')).toMatchObject({ matched: 1 });
  await settle();
  expect(await stageOf(company, id)).toMatchObject({ status: 'completed' });
  expect(await holds(company.address)).toEqual([]);
  expect(await held(payee)).toBe('4');
  await expectBooksToAgree(world);
});

describe('the gas tank', () => {
  test('advances again by itself after a transaction that was made outside', async () => {
    const company = await funded();
    await payFromTank(world, newPayee(), 1_000n);
    await world.chain.engine.mine(1);
    const id = await approvedTransfer(world, company, { coin: 'USDT', amountMinor: 2_000_000n, payee: newPayee() });
    // As after a restart: what the test before has compared counts for five seconds.
    await world.work({ gateway: { ...world.gateway } });
    expect(await holds(world.gasTank)).toMatchObject([{ address: world.gasTank }]);
    await settle(3 * depth);
    expect(await holds(world.gasTank)).toEqual([]);
    expect(await stageOf(company, id)).toMatchObject({ status: 'completed' });
    await expectBooksToAgree(world);
  });

  test('has an advance that no row knows booked for the company that it reached', async () => {
    const company = await funded();
    await payFromTank(world, company.address, 10n ** 15n);
    await settle();
    expect((await balances(world, company, 'ETH'))['gas']).toBe(10n ** 15n);
    await expectBooksToAgree(world);
  });
});

/** The watcher begins after everything that is on the chain by now, as where a later first block is configured. */
async function beginReadingAtHead(): Promise<void> {
  const head = await world.gateway.block(await world.gateway.head());
  if (!head) throw new Error('the chain has a head');
  await world.asSuperuser(`
    update causeway.chain_cursor set height = ${head.height}, hash = '${head.hash}';
    delete from causeway.chain_block;
    insert into causeway.chain_block (chain_id, height, hash) values ('${chainId}', ${head.height}, '${head.hash}');`);
}

// The last: the fee of the transaction that was never read stays out of the books.
test('a transaction before the first block that is read is accepted by the operator, with the count of the chain alone', async () => {
  const company = await funded();
  await firstPayment(company);
  await payOutside(world, company, newPayee(), 0n);
  await world.chain.engine.mine(1);
  const count = await world.gateway.minedNonce(company.address, await world.gateway.head());
  const accept = (address: string, nonce: number) =>
    run('payments', 'accept-nonce', chainId, address, `${nonce}`, '--reason', 'made by hand in March');
  // Not held yet.
  await expect(accept(company.address, count)).rejects.toMatchObject({ key: 'nonceNotAccepted' });
  await beginReadingAtHead();
  const payee = newPayee();
  const id = await approvedTransfer(world, company, { coin: 'USDT', amountMinor: 3_000_000n, payee });
  await world.work();
  await settle(1);
  expect(await unexplained(company)).toEqual([]);
  expect(await holds(company.address)).toMatchObject([{ reason: 'ahead', chainNonce: count, nextNonce: count - 1 }]);

  for (const wrong of [count - 1, count + 1]) {
    await expect(accept(company.address, wrong)).rejects.toMatchObject({ key: 'nonceNotAccepted' });
  }
  await expect(accept(newPayee(), count)).rejects.toMatchObject({ key: 'nonceNotAccepted' });
  await settle(1);
  expect(await holds(company.address)).toHaveLength(1);
  expect(await held(payee)).toBe('0');

  expect(await accept(company.address, count)).toEqual({ chain: chainId, address: company.address, nonce: count });
  await settle();
  expect(await holds(company.address)).toEqual([]);
  expect(await frozen(company)).toEqual([]);
  await settle();
  expect(await stageOf(company, id)).toMatchObject({ status: 'completed' });
  expect(await held(payee)).toBe('3');
});

async function taskOf(company: Company, taskId: string) {
  const { rows } = await world.db.app.withCompany(company.id, (tx) =>
    sql`select status, ended_as as "endedAs" from approval_task
      where company_id = company_id() and id = ${taskId}`.execute(tx),
  );
  return rows[0];
}

/** The queue runs a failed job of a transfer again. */
async function tryAgain(company: Company, id: string): Promise<void> {
  await world.db.worker.withCompany(company.id, (tx) =>
    sql`insert into outbox (company_id, id, name, payload)
      values (company_id(), ${newId()}, 'outgoing.resumed', ${JSON.stringify({ transactionId: id })})`.execute(tx),
  );
}

async function nextNonce(company: Company): Promise<number> {
  const { rows } = await world.db.worker.withCompany(company.id, (tx) =>
    sql<{ nonce: number }>`select next_nonce as nonce from chain_address where company_id = company_id()`.execute(tx),
  );
  return rows[0]?.nonce ?? 0;
}

/** What a restore of a backup does that was taken before the transfer had its nonce. */
async function rewind(company: Company, id: string, nonce: number): Promise<void> {
  const own = `company_id = '${company.id}'`;
  await world.asSuperuser(`
    set session_replication_role = replica;
    set search_path = causeway;
    delete from chain_send where ${own} and transfer_id = '${id}';
    update chain_address set next_nonce = ${nonce} where ${own} and chain_id = '${chainId}';
    update ledger_account a set balance = a.balance - e.amount, version = a.version - 1
      from ledger_entry e join ledger_posting p on p.company_id = e.company_id and p.id = e.posting_id
      where a.company_id = e.company_id and a.id = e.account_id and p.company_id = '${company.id}'
        and p.kind = 'transfer.settle' and p.source_id = '${id}';
    update ledger_account a set balance = a.balance - e.amount, version = a.version - 1
      from ledger_entry e join ledger_posting p on p.company_id = e.company_id and p.id = e.posting_id
      where a.company_id = e.company_id and a.id = e.account_id and p.company_id = '${company.id}'
        and p.kind = 'gas.spent' and p.source_id = '${id}';
    delete from ledger_entry e using ledger_posting p where p.company_id = e.company_id and p.id = e.posting_id
      and p.company_id = '${company.id}' and p.kind in ('transfer.settle', 'gas.spent') and p.source_id = '${id}';
    delete from ledger_posting where ${own} and kind in ('transfer.settle', 'gas.spent') and source_id = '${id}';
    delete from transaction_chain where ${own} and transaction_id = '${id}';
    update transaction set status = 'pending', stage = 'signing', completed_at = null where ${own} and id = '${id}';
    delete from chain_block where height > (select max(height) - 12 from chain_block);
    update chain_cursor c set height = b.height, hash = b.hash
      from (select height, hash from chain_block order by height desc limit 1) b;`);
}
