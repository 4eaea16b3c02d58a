import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLog } from '../../../platform/process/log.ts';
import { registry } from '../../../platform/process/metrics.ts';
import { expectBooksToAgree } from '../../../testing/chain-books.ts';
import { outgoingKinds } from '../../../testing/chain-families.ts';
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
import { type EvmGateway, NoAgreement, type Signer } from '../../chains/index.ts';
import { tendOnce } from '../service/tending.ts';
import { findObstruction } from '../store/parts.ts';
import { evmFamily } from './family.ts';

/** Nonces that the chain has used: by a payment that we overlooked, or by a transaction that is not ours. */

let world: ChainWorld;
beforeAll(async () => {
  world = await chainWorld();
});
afterAll(() => world.close());

const funded = () => registeredCompany(world);

const run = (...args: string[]) => operatorCommand(world.db, args);
const held = (address: string) => world.chain.treasury.balance('USDT', address as `0x${string}`);
const stageOf = async (company: Company, id: string) =>
  (await transactions(world, company)).find((row) => row.id === id);

/** The gateway, but what it is given to broadcast reaches no node. */
const mute = (): EvmGateway => ({ ...world.gateway, broadcast: async () => ({ outcome: 'unknown' }) });

const obstruction = (company: Company, id: string) =>
  world.db.app.withCompany(company.id, (tx) => findObstruction(tx, id));

/** What the operator reads of a transfer that has stood for an hour. */
async function waitsFor(company: Company, id: string): Promise<string | undefined> {
  await world.asSuperuser(`update causeway.transaction set stage_at = now() - interval '1 hour' where id = '${id}'`);
  const rows = (await run('transfers', 'stuck')) as { id: string; companyId: string; waitsFor: string }[];
  return rows.find((row) => row.id === id && row.companyId === company.id)?.waitsFor;
}

async function stuckCount(reason: string): Promise<number | undefined> {
  const { values = [] } = (await registry.getSingleMetric('causeway_payments_stuck')?.get()) ?? {};
  return values.find(({ labels }) => labels['chain'] === chainId && labels['reason'] === reason)?.value;
}

interface SendRow {
  kind: string;
  nonce: number;
  attempt: number;
  superseded: boolean;
}

async function sends(transferId: string): Promise<SendRow[]> {
  const { rows } = await world.db.worker.withoutCompany((tx) =>
    sql<SendRow>`select kind, nonce, attempt, superseded_at is not null as superseded from chain_send
      where transfer_id = ${transferId} order by kind, payment_id, attempt`.execute(tx),
  );
  return rows;
}

async function settle(rounds = 2 * depth, stuckAfterMs = 3_600_000): Promise<void> {
  for (let left = rounds; left > 0; left -= 1) {
    await world.tend({ stuckAfterMs });
    await world.advance(1);
  }
  await world.tend({ stuckAfterMs });
}

/** A transfer whose network fee has arrived and that is ready to be sent. */
async function ready(company: Company, payee: string, amountMinor: bigint): Promise<string> {
  const id = await approvedTransfer(world, company, { coin: 'USDT', amountMinor, payee });
  await world.work();
  await world.chain.engine.mine(1);
  await world.follow();
  return id;
}

test('a used nonce is told apart from bytes that the nodes have', async () => {
  const company = await funded();
  await ready(company, newPayee(), 2_000_000n);
  const offered: string[] = [];
  const listening: EvmGateway = {
    ...world.gateway,
    broadcast: (raw) => {
      offered.push(raw);
      return world.gateway.broadcast(raw);
    },
  };
  await world.work({ gateway: listening });
  const [raw] = offered;
  if (!raw) throw new Error('a payment was broadcast');
  expect(await world.gateway.broadcast(raw)).toMatchObject({ outcome: 'known' });
  await world.chain.engine.mine(1);
  expect(await world.gateway.broadcast(raw)).toMatchObject({ outcome: 'spent' });
  await settle();
});

test('a payment whose block was read before its row was there is found by its receipt, and its fee is not raised', async () => {
  const company = await funded();
  const payee = newPayee();
  const id = await ready(company, payee, 3_000_000n);
  await world.work();
  await world.advance(1);
  // As if the block had been read in between: the watcher does not come back to it.
  await world.asSuperuser(`update causeway.chain_send set mined_block = null, mined_hash = null, first_broadcast_at = null,
    last_broadcast_at = null where transfer_id = '${id}' and kind = 'transfer'`);
  await world.asSuperuser(`update causeway.transaction set stage = 'signing' where id = '${id}'`);
  await settle(2 * depth, 0);
  expect(await stageOf(company, id)).toMatchObject({ status: 'completed' });
  expect((await sends(id)).filter(({ kind }) => kind === 'transfer')).toMatchObject([
    { attempt: 1, superseded: false },
  ]);
  expect(await held(payee)).toBe('3');
  await expectBooksToAgree(world);
});

test('an attempt whose bytes were lost is known by nonce, payee, coin and amount, and holds nothing', async () => {
  const company = await funded();
  const payee = newPayee();
  const id = await ready(company, payee, 3_000_000n);
  await world.work();
  await world.chain.engine.mine(1);
  // A backup that was taken after the nonce was given and before the fee was raised: the mined bytes have no row.
  await world.asSuperuser(`update causeway.chain_send set hash = '0x01', raw = '0x01' where transfer_id = '${id}'
    and kind = 'transfer'`);
  await settle();
  expect(await run('payments', 'held')).toEqual([]);
  expect((await sends(id)).filter(({ kind }) => kind === 'transfer')).toMatchObject([{ attempt: 1 }, { attempt: 2 }]);
  expect(await stageOf(company, id)).toMatchObject({ status: 'completed' });
  expect(await held(payee)).toBe('3');
  await expectBooksToAgree(world);
});

describe('a payment whose nonce another transaction used', () => {
  test('is never raised, waits for the operator, and is given back only when the other is final', async () => {
    const company = await funded();
    await payFromTank(world, company.address, 10n ** 16n);
    await settle();
    const [payee, other] = [newPayee(), newPayee()];
    const id = await approvedTransfer(world, company, { coin: 'USDT', amountMinor: 3_000_000n, payee });
    // Signed, and lost on the way to the nodes.
    await world.work({ gateway: mute() });
    expect(await sends(id)).toMatchObject([{ kind: 'transfer', nonce: 0 }]);
    await payOutside(world, company, other, 1_000_000n);
    await world.advance(1);
    await world.tend({ stuckAfterMs: 0 });
    await expect(run('payments', 'release', id, '--reason', 'too early')).rejects.toMatchObject({
      key: 'transferNotSuperseded',
    });
    await settle(2 * depth, 0);
    expect(await sends(id)).toMatchObject([{ attempt: 1, nonce: 0, superseded: true }]);
    expect(await stageOf(company, id)).toMatchObject({ status: 'pending' });
    expect(await obstruction(company, id)).toEqual({ text: 'transaction.waiting.superseded', behind: null });
    expect(await waitsFor(company, id)).toContain('payments release');
    expect(await stuckCount('superseded')).toBe(1);

    const found = ((await run('payments', 'unexplained')) as { id: string; from: string }[]).find(
      (row) => row.from === company.address,
    );
    await run('payments', 'book', found?.id ?? '', '--reason', 'paid by hand');
    await run('payments', 'release', id, '--reason', 'the payment by hand took its place');
    await settle();
    expect(await timeline(world, company, id)).toContain('failed');
    expect(await stageOf(company, id)).toMatchObject({ failureReason: 'stage.reason.superseded' });
    expect(await balances(world, company, 'USDT')).toEqual({ available: 99_000_000n, chain: -99_000_000n });
    await expect(run('payments', 'release', id, '--reason', 'again')).rejects.toMatchObject({ key: 'notFound' });

    // The address pays again, and what was given back is never paid.
    const next = await approvedTransfer(world, company, { coin: 'USDT', amountMinor: 2_000_000n, payee: other });
    await world.work();
    await settle();
    expect(await stageOf(company, next)).toMatchObject({ status: 'completed' });
    expect([await held(payee), await held(other)]).toEqual(['0', '3']);
    await expectBooksToAgree(world);
  });

  test('is, as an advance of the gas tank, closed and replaced without an operator, for every company', async () => {
    const [company, other] = [await funded(), await funded()];
    // One each: the chain estimates on what is pending, so that an order of two for one payee could run out of gas.
    const [payee, otherPayee] = [newPayee(), newPayee()];
    const id = await approvedTransfer(world, company, { coin: 'USDT', amountMinor: 3_000_000n, payee });
    await world.work({ gateway: mute() });
    expect(await sends(id)).toMatchObject([{ kind: 'gas', superseded: false }]);
    await payFromTank(world, newPayee(), 5n);
    await world.advance(1);
    const second = await approvedTransfer(world, other, {
      coin: 'USDT',
      amountMinor: 3_000_000n,
      payee: otherPayee,
    });
    await world.work();
    await settle(4 * depth, 0);
    expect((await sends(id)).filter(({ kind }) => kind === 'gas')).toMatchObject([
      { superseded: true },
      { superseded: false },
    ]);
    expect(await stageOf(company, id)).toMatchObject({ status: 'completed' });
    expect(await stageOf(other, second)).toMatchObject({ status: 'completed', failureReason: null });
    expect([await held(payee), await held(otherPayee)]).toEqual(['3', '3']);
    await expectBooksToAgree(world);
  });
});

test('a transfer says behind which other it waits for its nonce', async () => {
  const company = await funded();
  await payFromTank(world, company.address, 10n ** 16n);
  await settle();
  const payee = newPayee();
  const first = await approvedTransfer(world, company, { coin: 'USDT', amountMinor: 2_000_000n, payee });
  const second = await approvedTransfer(world, company, { coin: 'USDT', amountMinor: 2_000_000n, payee });
  await world.work({ gateway: mute() });
  expect(await obstruction(company, second)).toEqual({ text: 'transaction.waiting.behind', behind: first });
  expect(await obstruction(company, first)).toBeNull();
  expect(await waitsFor(company, first)).toBe('a node to take it');
  expect(await waitsFor(company, second)).toContain(first);
  await settle();
  expect(await stageOf(company, second)).toMatchObject({ status: 'completed' });
  expect(await obstruction(company, second)).toBeNull();
});

test('while no node answers a round ends at once, so that the next one finds them back within seconds', async () => {
  const company = await funded();
  const id = await approvedTransfer(world, company, { coin: 'USDT', amountMinor: 2_000_000n, payee: newPayee() });
  let asked = 0;
  const silence = async (): Promise<never> => {
    asked += 1;
    throw new NoAgreement('silence', 'the test');
  };
  const silent: EvmGateway = {
    ...world.gateway,
    fees: silence,
    answers: () =>
      silence().then(
        () => true,
        () => false,
      ),
    estimateGas: silence,
    receipt: silence,
    head: silence,
  };
  await expect(world.work({ gateway: silent })).rejects.toThrow(NoAgreement);
  asked = 0;
  const times = { intervalMs: 0, rebroadcastAfterMs: 0, stuckAfterMs: 0 };
  const deps = {
    database: world.db.worker,
    signer: world.signer,
    kinds: outgoingKinds,
    familyOf: () => evmFamily,
    log: createLog('test', 'silent'),
  };
  await tendOnce({ ...deps, gateways: new Map([[chainId, silent]]) }, chainId, times);
  expect(asked).toBe(1);
  await settle();
  expect(await stageOf(company, id)).toMatchObject({ status: 'completed' });
});

test('no second payment of an address has a nonce while one is being signed (docs/adr/0008)', async () => {
  const company = await funded();
  const payee = newPayee();
  await payFromTank(world, company.address, 10n ** 16n);
  await settle();
  let answer: () => void = () => undefined;
  const asked = new Promise<void>((resolve) => {
    answer = resolve;
  });
  let goOn: () => void = () => undefined;
  const blocked = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const slow: Signer = {
    async sign(request) {
      answer();
      await blocked;
      return world.signer.sign(request);
    },
  };
  const first = await approvedTransfer(world, company, { coin: 'USDT', amountMinor: 2_000_000n, payee });
  const running = world.work({ signer: slow });
  await asked;
  const second = await approvedTransfer(world, company, { coin: 'USDT', amountMinor: 2_000_000n, payee });
  // It waits for the first, and signs that one itself in the end; until then it has no nonce.
  const refusing: Signer = { sign: () => Promise.reject(new Error('busy')) };
  await expect(world.work({ signer: refusing })).rejects.toThrow('busy');
  expect(await sends(first)).toHaveLength(1);
  expect(await sends(second)).toEqual([]);
  goOn();
  await running;
  await settle();
  expect(await stageOf(company, second)).toMatchObject({ status: 'completed' });
  expect(await held(payee)).toBe('4');
});
