import { cancellableStages } from '@causeway/contract/transactions-lives.ts';
import { sql } from 'kysely';
import { encodeAbiParameters, keccak256, numberToHex } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectBooksToAgree } from '../../../testing/chain-books.ts';
import {
  approvedTransfer,
  finishTransfer,
  fundedCompany,
  newPayee,
  sendsOf,
  timeline,
  transactions,
} from '../../../testing/chain-transfers.ts';
import { balances, type ChainWorld, type Company, chainWorld, depth, walletOf } from '../../../testing/chain-world.ts';
import { dying, Killed } from '../../../testing/dying.ts';
import type { EvmGateway, Signer } from '../../chains/index.ts';
import { release } from '../../outgoing/service/release.ts';
import { lockTransaction } from '../../transactions/index.ts';

let world: ChainWorld;
beforeAll(async () => {
  world = await chainWorld();
});
afterAll(() => world.close());

const funded = (coin: 'USDT' | 'ETH', amount: string) => fundedCompany(world, amount, coin);

async function held(coin: 'USDT' | 'ETH', address: string): Promise<string> {
  return world.chain.treasury.balance(coin, address as `0x${string}`);
}

describe('a transfer', () => {
  test('arrives in full, the fee on top, the network fee paid by the gas tank', async () => {
    const company = await funded('USDT', '500');
    const payee = newPayee();
    const id = await approvedTransfer(world, company, { coin: 'USDT', amountMinor: 123_456_789n, payee });
    await world.work();
    await world.advance(2 + depth);
    expect(await timeline(world, company, id)).toEqual([
      'submitted',
      'approved',
      'signing',
      'broadcast',
      'confirming',
      'completed',
    ]);
    expect(await held('USDT', payee)).toBe('123.456789');
    expect(await balances(world, company, 'USDT')).toEqual({
      available: 375_543_211n,
      fee: 1_000_000n,
      chain: -376_543_211n,
    });
    await expectBooksToAgree(world);
  });

  test('of the chain’s own coin leaves the gas out of the company’s money', async () => {
    const company = await funded('ETH', '2');
    const payee = newPayee();
    const feeMinor = 1_000_000_000_000_000n;
    const amountMinor = 2_000_000_000_000_000_000n - feeMinor;
    const id = await approvedTransfer(world, company, { coin: 'ETH', amountMinor, feeMinor, payee });
    await world.work();
    expect(await finishTransfer(world, company, id)).toMatchObject({ status: 'completed' });
    expect(await held('ETH', payee)).toBe('1.999');
    const { available = 0n, fee } = await balances(world, company, 'ETH');
    expect([available, fee]).toEqual([0n, feeMinor]);
    await expectBooksToAgree(world);
  });

  test('goes out beside others of the same company with nonces that have no gap', async () => {
    const company = await funded('USDT', '100');
    const payee = newPayee();
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) {
      ids.push(await approvedTransfer(world, company, { coin: 'USDT', amountMinor: 2_000_000n, payee }));
    }
    await world.work();
    for (const id of ids) expect(await finishTransfer(world, company, id)).toMatchObject({ status: 'completed' });
    const nonces = (await Promise.all(ids.map((id) => sendsOf(world, id))))
      .flat()
      .filter((send) => send.kind === 'transfer');
    expect(nonces.map((send) => send.nonce).sort()).toEqual([0, 1, 2, 3, 4]);
    expect(await held('USDT', payee)).toBe('10');
    await expectBooksToAgree(world);
  });

  test('that the chain rejects fails and gives its hold back', async () => {
    const company = await funded('USDT', '50');
    const id = await approvedTransfer(world, company, { coin: 'USDT', amountMinor: 20_000_000n, payee: newPayee() });
    // The estimate still succeeds; then the money is gone from under it.
    const emptying: Signer = {
      async sign(request) {
        const answer = await world.signer.sign(request);
        if (request.kind === 'transfer') await setTokens(company, 0n);
        return answer;
      },
    };
    await world.work();
    await world.chain.engine.mine(1);
    await world.follow();
    await world.work({ signer: emptying });
    expect(await finishTransfer(world, company, id)).toMatchObject({ status: 'failed', stage: 'failed' });
    await setTokens(company, 50_000_000n);
    expect(await balances(world, company, 'USDT')).toEqual({ available: 50_000_000n, chain: -50_000_000n });
    expect((await transactions(world, company)).at(-1)).toMatchObject({ type: 'failed_refund', quantity: 21_000_000n });
    await world.advance(1);
    await expectBooksToAgree(world);
  });

  test('that would be rejected is never sent', async () => {
    const company = await funded('USDT', '50');
    await setTokens(company, 0n);
    const id = await approvedTransfer(world, company, { coin: 'USDT', amountMinor: 20_000_000n, payee: newPayee() });
    await world.work();
    expect(await transactions(world, company)).toMatchObject([
      { stage: 'credited' },
      { status: 'failed', failureReason: 'stage.reason.wouldRevert' },
      { type: 'failed_refund' },
    ]);
    expect(await sendsOf(world, id)).toEqual([]);
    await setTokens(company, 50_000_000n);
  });

  test('waits while the wallet is frozen and goes out afterwards', async () => {
    const company = await funded('USDT', '50');
    await freeze(company, true);
    const id = await approvedTransfer(world, company, { coin: 'USDT', amountMinor: 5_000_000n, payee: newPayee() });
    await world.work();
    await world.tend();
    expect((await transactions(world, company)).at(-1)).toMatchObject({ stage: 'approved' });
    await freeze(company, false);
    expect(await finishTransfer(world, company, id)).toMatchObject({ status: 'completed' });
  });

  test('is cancelled or handed to signing, never both', async () => {
    const company = await funded('USDT', '100');
    const sent: string[] = [];
    const rounds = 20;
    for (let round = 0; round < rounds; round += 1) {
      const id = await approvedTransfer(world, company, { coin: 'USDT', amountMinor: 1_000_001n, payee: newPayee() });
      const [cancelled] = await Promise.all([cancel(company, id, round % 8), world.work()]);
      const row = (await transactions(world, company)).find((candidate) => candidate.id === id);
      expect(row?.stage === 'cancelled').toBe(cancelled);
      if (cancelled) expect(await sendsOf(world, id)).toEqual([]);
      else sent.push(id);
    }
    expect(sent.length).toBeGreaterThan(0);
    expect(sent.length).toBeLessThan(rounds);
    for (const id of sent) expect(await finishTransfer(world, company, id)).toMatchObject({ status: 'completed' });
    await expectBooksToAgree(world);
  });
});

describe('a worker that is killed', () => {
  const steps: [part: 'gateway' | 'signer', method: string][] = [
    ['gateway', 'estimateGas'],
    ['gateway', 'fees'],
    ['signer', 'sign'],
    ['gateway', 'broadcast'],
  ];
  const moments = steps.flatMap(([part, method]) =>
    (['before', 'after'] as const).map((moment) => ({ part, method, moment })),
  );

  // A transfer's first run has the gas tank advance the network fee, the second sends it.
  test.each(['advance', 'transfer'])('at any step of the %s sends nothing twice', async (round) => {
    const runs = await Promise.all(moments.map(async (moment) => ({ ...moment, company: await world.company() })));
    for (const { company } of runs) await world.chain.treasury.send('USDT', company.address, '50');
    await world.advance(depth + 1);

    const killed: { name: string; company: Company; id: string; payee: string }[] = [];
    for (const { part, method, moment, company } of runs) {
      const payee = newPayee();
      const id = await approvedTransfer(world, company, { coin: 'USDT', amountMinor: 20_000_000n, payee });
      if (round === 'transfer') {
        await world.work();
        await world.chain.engine.mine(1);
        await world.follow();
      }
      const broken =
        part === 'gateway'
          ? { gateway: dying<EvmGateway>(world.gateway, method as keyof EvmGateway, moment) }
          : { signer: dying<Signer>(world.signer, 'sign', moment) };
      await expect(world.work(broken)).rejects.toThrow(Killed);
      // Others go on meanwhile, so that the next one dies at a step of its own.
      if (method === 'sign') await world.tend();
      killed.push({ name: `${moment} ${method}`, company, id, payee });
    }
    for (const { name, company, id, payee } of killed) {
      // The job is tried again; here it is the tending that takes it up.
      expect(await finishTransfer(world, company, id), name).toMatchObject({ status: 'completed' });
      expect(await sendsOf(world, id), name).toMatchObject([
        { kind: 'gas' },
        { kind: 'transfer', attempt: 1, nonce: 0 },
      ]);
      expect(await held('USDT', payee), name).toBe('20');
    }
    await world.tend();
    await world.advance(1);
    for (const { name, payee } of killed) expect(await held('USDT', payee), name).toBe('20');
    await expectBooksToAgree(world);
  });
});

test('a payment whose worker died before signing does not hold up those behind it', async () => {
  const [dead, next] = [await funded('USDT', '50'), await funded('USDT', '50')];
  const payee = newPayee();
  const first = await approvedTransfer(world, dead, { coin: 'USDT', amountMinor: 20_000_000n, payee });
  await expect(world.work({ signer: dying<Signer>(world.signer, 'sign', 'before') })).rejects.toThrow(Killed);
  const second = await approvedTransfer(world, next, { coin: 'USDT', amountMinor: 20_000_000n, payee });
  await world.work();
  expect((await sendsOf(world, second)).map((send) => send.kind)).toEqual(['gas']);
  expect(await finishTransfer(world, next, second)).toMatchObject({ status: 'completed' });
  expect(await finishTransfer(world, dead, first)).toMatchObject({ status: 'completed' });
  expect(await held('USDT', payee)).toBe('40');
});

describe('what is stuck', () => {
  test('is replaced under the same nonce with fees raised by an eighth, and stays one payment', async () => {
    const company = await funded('USDT', '50');
    const payee = newPayee();
    const id = await approvedTransfer(world, company, { coin: 'USDT', amountMinor: 20_000_000n, payee });
    await world.work();
    await world.chain.engine.mine(1);
    await world.follow();
    // The base fee leaps, so that the next block leaves the payment out.
    await world.work();
    await world.chain.engine.set('anvil_setNextBlockBaseFeePerGas', [`0x${(200n * 10n ** 9n).toString(16)}`]);
    await world.chain.engine.mine(1);
    await world.follow();
    expect((await transactions(world, company)).at(-1)).toMatchObject({ stage: 'broadcast' });
    await world.tend({ stuckAfterMs: 0, rebroadcastAfterMs: 3_600_000 });
    await world.advance(1);
    await world.tend({ stuckAfterMs: 0, rebroadcastAfterMs: 3_600_000 });
    expect(await finishTransfer(world, company, id)).toMatchObject({ status: 'completed' });
    const attempts = (await sendsOf(world, id)).filter((send) => send.kind === 'transfer');
    expect(attempts.length).toBeGreaterThan(1);
    expect(new Set(attempts.map((send) => send.nonce))).toEqual(new Set([0]));
    expect(new Set(attempts.map((send) => send.hash)).size).toBe(attempts.length);
    expect(await timeline(world, company, id)).toContain('replaced');
    expect(await held('USDT', payee)).toBe('20');
    await expectBooksToAgree(world);
  });

  test('after a reorganisation is offered again with the same bytes', async () => {
    const company = await funded('USDT', '50');
    const payee = newPayee();
    const id = await approvedTransfer(world, company, { coin: 'USDT', amountMinor: 20_000_000n, payee });
    await world.work();
    await world.advance(2);
    const before = await sendsOf(world, id);
    // The advance and the payment both leave their blocks: the payment's nonce waits for nothing else.
    await world.chain.engine.reorganise(2, false);
    await world.follow();
    expect((await transactions(world, company)).at(-1)).toMatchObject({ stage: 'broadcast', confirmations: null });
    expect(await held('USDT', payee)).toBe('0');
    expect(await finishTransfer(world, company, id)).toMatchObject({ status: 'completed' });
    expect(await sendsOf(world, id)).toEqual(before);
    expect(await held('USDT', payee)).toBe('20');
    await expectBooksToAgree(world);
  });
});

/** Cancels after so many round trips to the database. */
async function cancel(company: Company, id: string, trips: number): Promise<boolean> {
  for (let left = trips; left > 0; left -= 1) await world.db.app.pool.query('select 1');
  return world.db.app.withCompany(company.id, async (tx) => {
    const transfer = await lockTransaction(tx, id);
    if (!transfer) throw new Error('the transfer is there');
    const end = { stage: 'cancelled', reason: 'stage.reason.cancelled' } as const;
    return (await release(tx, transfer, cancellableStages('chain_withdraw'), end)) !== null;
  });
}

/** Sets what the token's contract says the company holds: the first mapping of OpenZeppelin's ERC20. */
async function setTokens(company: Company, amountMinor: bigint): Promise<void> {
  const key = keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [company.address, 0n]));
  const value = numberToHex(amountMinor, { size: 32 });
  await world.chain.engine.set('anvil_setStorageAt', [world.chain.treasury.contracts.USDT, key, value]);
}

async function freeze(company: Company, frozen: boolean): Promise<void> {
  await world.db.operator.withoutCompany((tx) =>
    sql`update wallet set frozen_at = ${frozen ? new Date() : null}, frozen_reason = ${frozen ? 'test' : null}
      where company_id = ${company.id} and id = ${walletOf(company, 'USDT')}`.execute(tx),
  );
}
