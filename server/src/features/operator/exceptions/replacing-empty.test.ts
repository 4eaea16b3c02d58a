import { parseTransaction } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectBooksToAgree } from '../../../testing/chain-books.ts';
import { sendsOf, timeline, transactions } from '../../../testing/chain-transfers.ts';
import { balances, type ChainWorld, chainId, chainWorld, depth } from '../../../testing/chain-world.ts';
import { dying, dyingDatabase, Killed } from '../../../testing/dying.ts';
import { type ExceptionCases, exceptionCases } from '../../../testing/exception-cases.ts';
import { type ExceptionDesk, exceptionDesk } from '../../../testing/exception-desk.ts';
import { present } from '../../../testing/present.ts';
import { isProof } from '../../../testing/proof.ts';
import { type ReplacingCases, replacingCases } from '../../../testing/replacing-cases.ts';
import { type EvmGateway, watchOnce } from '../../chains/index.ts';
import { createChainListener, evmFamily, tendOnce } from '../../rails/index.ts';

/**
 * A payment that can never be mined is replaced by an empty transaction under its nonce. The chain takes one of the two, and the hold goes the way
 * that the chain went.
 */

let world: ChainWorld;
let desk: ExceptionDesk;
let cases: ExceptionCases;
let replacing: ReplacingCases;
beforeAll(async () => {
  world = await chainWorld();
  desk = await exceptionDesk(world);
  cases = exceptionCases(world, desk);
  replacing = replacingCases(world, desk, cases);
});
afterAll(async () => {
  expect(desk.app.complaints).toEqual([]);
  await desk.close();
  await world.close();
});

const act = 'payment.replaceEmpty';
const times = { intervalMs: 0, rebroadcastAfterMs: 3_600_000, stuckAfterMs: 3_600_000 };
const few = Math.max(2, Math.ceil(Number(process.env['PROOF_ROUNDS'] ?? 8) / 4));
/** A round of tending of which nothing reaches a node. */
function tendMuted(): Promise<void> {
  return tendOnce({ ...world.parts(), gateways: new Map([[chainId, cases.mute()]]) }, chainId, times);
}

describe('a payment whose coins a deep reorganisation took', () => {
  test('fails once the empty transaction is final, its hold makes the shortfall good, and its address pays again', async () => {
    const { company, payee, id } = await replacing.stranded();
    const behind = await cases.transfer(company);
    await world.work();
    expect(await cases.stageOf(company, id)).toMatchObject({ stage: 'signing' });
    expect((await balances(world, company, 'ETH'))['deficit']).toBeLessThan(0n);
    const { changes } = await cases.choice('transaction', id, act);
    expect(changes).toMatchObject([
      { before: `0.5 ETH to ${payee}`, after: `0 ETH to ${company.address}` },
      { before: 'Signing', after: 'Failed, once the empty transaction is final' },
      { before: '0.501 ETH', after: '0 ETH' },
      { after: '+0.501 ETH' },
    ]);
    await replacing.agreed(id);
    await world.tend();
    const [payment, empty, ...more] = await cases.attempts(id);
    expect(more).toEqual([]);
    expect(empty).toMatchObject({ attempt: 2, nonce: present(payment).nonce });
    await world.advance(1);
    // In a block, and nothing is given back before it is final.
    expect(await cases.stageOf(company, id)).toMatchObject({ status: 'pending', stage: 'signing', hash: null });
    await cases.settle();
    const { to, value, data, nonce } = await replacing.onChain(present(empty).hash);
    expect({ to: to?.toLowerCase(), value: value ?? 0n, data }).toEqual({
      to: company.address.toLowerCase(),
      value: 0n,
      data: undefined,
    });
    expect(nonce).toBe(present(payment).nonce);
    const ended = await cases.stageOf(company, id);
    expect(ended).toMatchObject({ stage: 'failed', failureReason: 'stage.reason.replacedByEmpty' });
    expect((await transactions(world, company)).filter(({ type }) => type === 'failed_refund')).toHaveLength(1);
    expect(await timeline(world, company, id)).toContain('emptied');
    const { chain: _chain, gas: _gas, ...money } = await balances(world, company, 'ETH');
    expect(money).toEqual({});
    expect(await cases.audited(company)).toContain('operator.replaceEmpty');
    const told = await cases.told(company);
    expect(told.filter((kind) => kind === 'transferReplacedEmpty')).toHaveLength(1);
    // What waited behind it at its address has left.
    expect(await cases.stageOf(company, behind)).toMatchObject({ status: 'completed' });
    await expectBooksToAgree(world);
  });

  test('is paid after all where a reorganisation brings the coins back before the empty transaction is made', async () => {
    const { company, payee, id } = await replacing.stranded();
    const proposalId = await desk.agree(act, id);
    await world.chain.treasury.send('ETH', company.address, '1');
    await world.advance(1);
    await world.gateway.broadcast(await replacing.bytesOf(id, 1));
    await world.advance(1);
    await desk.carryOut(proposalId);
    expect(await desk.end(proposalId)).toMatchObject({ state: 'refused' });
    await cases.settle();
    expect(await cases.attempts(id)).toHaveLength(1);
    await replacing.expectPaid(company, id);
    expect(await replacing.etherOf(payee)).toBe(10n ** 18n / 2n);
    await expectBooksToAgree(world);
  });
});

describe('whichever of the two is final decides', () => {
  test('the empty transaction takes the place of one that the nodes have', async () => {
    const { company, payee, id } = await replacing.waiting();
    await replacing.agreed(id);
    await world.tend();
    await cases.settle();
    await replacing.expectGivenBack({ company, payee, id });
  });

  test('the payment, where a block takes it before the empty one reaches a node', async () => {
    const { company, payee, id } = await replacing.waiting();
    await replacing.agreed(id);
    await tendMuted();
    expect(await cases.attempts(id)).toHaveLength(2);
    await world.advance(1);
    expect(await cases.stageOf(company, id)).toMatchObject({ stage: 'confirming' });
    await cases.settle();
    await replacing.expectPaid(company, id);
    expect(await cases.held(payee)).toBe('3');
    expect(await cases.choice('transaction', id, act)).toMatchObject({ why: 'This has already ended.' });
    await expectBooksToAgree(world);
  });

  test('the payment again, where it was confirming, a reorganisation drops it, and it is mined a second time', async () => {
    const { company, payee, id } = await replacing.waiting();
    await replacing.agreed(id);
    await tendMuted();
    await world.advance(1);
    await world.chain.engine.reorganise(1, true);
    await cases.settle();
    await replacing.expectPaid(company, id);
    expect(await cases.held(payee)).toBe('3');
    await expectBooksToAgree(world);
  });

  test('the empty one, where a reorganisation puts it into the place of a payment that a block had', async () => {
    const { company, payee, id } = await replacing.waiting();
    await replacing.agreed(id);
    await tendMuted();
    await world.advance(1);
    expect(await cases.stageOf(company, id)).toMatchObject({ stage: 'confirming' });
    await world.chain.engine.reorganise(1, false);
    await world.gateway.broadcast(await replacing.bytesOf(id, 2));
    await world.advance(1);
    expect(await cases.stageOf(company, id)).toMatchObject({ stage: 'broadcast' });
    await cases.settle();
    await replacing.expectGivenBack({ company, payee, id });
  });

  test('a deep reorganisation that takes a final empty transaction back: it is offered again, and nothing is given back twice', async () => {
    const { company, payee, id } = await replacing.waiting();
    await replacing.agreed(id);
    await world.tend();
    await cases.settle();
    await replacing.expectGivenBack({ company, payee, id });
    await world.chain.engine.reorganise(depth + 3, false);
    await world.advance(1);
    await cases.settle();
    await replacing.expectGivenBack({ company, payee, id });
    expect(await cases.attempts(id)).toHaveLength(2);
    expect(await replacing.postingsOf(company, id)).toEqual(
      expect.arrayContaining(['gas.spent', 'gas.spent.undone', 'gas.spent.2']),
    );
  });

  test('a deep reorganisation that lets the payment win after its hold was given back: it completes, out of the wallet', async () => {
    const { company, payee, id } = await replacing.waiting();
    await replacing.agreed(id);
    await world.tend();
    await cases.settle();
    await replacing.expectGivenBack({ company, payee, id });
    await world.chain.engine.reorganise(depth + 3, false);
    await world.gateway.broadcast(await replacing.bytesOf(id, 1));
    await world.advance(1);
    await cases.settle();
    await replacing.expectPaid(company, id);
    expect(await cases.held(payee)).toBe('3');
    expect(await balances(world, company, 'USDT')).toEqual({
      available: 96_000_000n,
      fee: 1_000_000n,
      chain: -97_000_000n,
    });
    await expectBooksToAgree(world);
  });

  test('a block that takes the payment while operators and tending are at work', async () => {
    for (let round = 0; round < few; round += 1) {
      const one = await replacing.waiting();
      const proposalId = await desk.agree(act, one.id);
      await Promise.all([desk.carryOut(proposalId), world.advance(1), world.tend(), world.tend()]);
      await cases.settle();
      const { stage } = await cases.stageOf(one.company, one.id);
      if (stage === 'failed') await replacing.expectGivenBack(one);
      else {
        await replacing.expectPaid(one.company, one.id);
        expect(await cases.held(one.payee)).toBe('3');
      }
      await expectBooksToAgree(world);
    }
  });
});

describe('on the way', () => {
  test('the network fee is advanced where the address lacks it', async () => {
    const one = await replacing.lost();
    await replacing.agreed(one.id);
    const { gateway } = world;
    // A chain that asks far more by now than the address has.
    const dear = 10n ** 12n;
    const parts = world.parts();
    const fees = async () => ({ maxFeePerGas: dear, maxPriorityFeePerGas: 10n ** 9n });
    const gateways = new Map([[chainId, { ...gateway, fees }]]);
    await tendOnce({ ...parts, gateways }, chainId, times);
    expect(await cases.attempts(one.id)).toHaveLength(1);
    const advances = (await sendsOf(world, one.id)).filter(({ kind }) => kind === 'gas');
    expect(advances).toHaveLength(1);
    await world.chain.engine.mine(1);
    await world.follow();
    await tendOnce({ ...parts, gateways }, chainId, times);
    expect(await cases.attempts(one.id)).toHaveLength(2);
    await cases.settle();
    await replacing.expectGivenBack(one);
  });

  test('the payment is not offered again, and a dearer attempt is an empty one too', async () => {
    const { company, payee, id } = await replacing.waiting();
    await replacing.agreed(id);
    await tendMuted();
    const offered: string[] = [];
    const gateway: EvmGateway = {
      ...world.gateway,
      broadcast: (raw) => {
        offered.push(raw);
        return world.gateway.broadcast(raw);
      },
    };
    const parts = { ...world.parts(), gateways: new Map([[chainId, gateway]]) };
    await tendOnce(parts, chainId, { ...times, rebroadcastAfterMs: 0 });
    expect(offered).toEqual([await replacing.bytesOf(id, 2)]);
    const proposalId = await desk.agree('payment.speedUp', id);
    await desk.carryOut(proposalId);
    await tendOnce(parts, chainId, { ...times, rebroadcastAfterMs: 3_600_000 });
    expect(offered).toHaveLength(2);
    const [{ to, value = 0n }] = [parseTransaction(present(offered[1]) as `0x${string}`)];
    expect([to?.toLowerCase(), value]).toEqual([company.address.toLowerCase(), 0n]);
    expect(await cases.told(company)).not.toContain('transferSpedUp');
    await cases.settle();
    await replacing.expectGivenBack({ company, payee, id });
  });

  test('it is proposed once, and is stale once the payment has ended', async () => {
    const { id } = await replacing.waiting();
    const first = (await desk.propose(act, id)).data.proposalId;
    expect(await desk.propose(act, id)).toMatchObject({ key: 'proposalOpen' });
    // An attempt with a higher fee is no news to what was proposed.
    await world.tend({ stuckAfterMs: 0 });
    expect(await cases.attempts(id)).toHaveLength(2);
    await cases.settle();
    expect(await desk.confirm(first)).toMatchObject({ status: 409 });
    const other = await replacing.waiting();
    const second = (await desk.propose(act, other.id)).data.proposalId;
    await world.tend({ stuckAfterMs: 0 });
    expect(await desk.confirm(second)).toMatchObject({ status: 200 });
    await desk.carryOut(second);
    await world.tend();
    await cases.settle();
    await replacing.expectGivenBack(other);
  });
});

describe.each(isProof ? (['before', 'after'] as const) : (['after'] as const))('killed %s', (moment) => {
  test('the question to the chain, and the transaction in which two operators’ act is done', async () => {
    const one = await replacing.waiting();
    const proposalId = await desk.agree(act, one.id);
    const gateways = new Map([[chainId, dying(world.gateway, 'minedNonce', moment)]]);
    await expect(desk.carryOut(proposalId, { gateways })).rejects.toThrow(Killed);
    const database = dyingDatabase(world.db.worker, 4, moment === 'before' ? 'before commit' : 'after commit');
    await expect(desk.carryOut(proposalId, { database })).rejects.toThrow(Killed);
    await desk.carryOut(proposalId);
    await desk.carryOut(proposalId);
    expect(await desk.end(proposalId)).toMatchObject({ state: 'done' });
    await world.tend();
    await cases.settle();
    await replacing.expectGivenBack(one);
    const told = await cases.told(one.company);
    expect(told.filter((kind) => kind === 'transferReplacedEmpty')).toHaveLength(1);
  });

  test.each(['sign', 'broadcast'] as const)('the %s of the empty transaction', async (step) => {
    const one = await replacing.waiting();
    await replacing.agreed(one.id);
    const parts = world.parts();
    const gateways = new Map([[chainId, step === 'sign' ? world.gateway : dying(world.gateway, step, moment)]]);
    const signer = step === 'sign' ? dying(parts.signer, step, moment) : parts.signer;
    // Tending logs what one payment fails with, and goes on.
    await tendOnce({ ...parts, gateways, signer }, chainId, times);
    await cases.settle();
    await replacing.expectGivenBack(one);
    expect(await cases.attempts(one.id)).toHaveLength(2);
  });

  test('each transaction of the worker in turn, from the mark to the end', async () => {
    const one = await replacing.waiting();
    await replacing.agreed(one.id);
    const commit = moment === 'before' ? 'before commit' : 'after commit';
    const dyingAt = (count: number) => ({ ...world.parts(), database: dyingDatabase(world.db.worker, count, commit) });
    // A round that dies at its first transaction, one that dies at its second, until a round has fewer.
    let kills = 0;
    for (let count = 1; count < 60; count += 1) {
      const isWhole = await completes(() => tendOnce(dyingAt(count), chainId, { ...times, rebroadcastAfterMs: 0 }));
      if (!isWhole) kills += 1;
    }
    expect(kills).toBeGreaterThan(5);
    expect(await cases.attempts(one.id)).toHaveLength(2);
    for (let block = 0; block <= depth + 1; block += 1) {
      await world.chain.engine.mine(1);
      for (let count = 1; count < 12; count += 1) {
        const { database, gateways, log } = dyingAt(count);
        const listener = createChainListener({ familyOf: () => evmFamily, database, gateways, log });
        await completes(() => watchOnce({ database, gateway: world.gateway, listener, log }));
      }
      await world.follow();
    }
    await world.work();
    await replacing.expectGivenBack(one);
  });
});

/** Whether some work ended before it was killed. */
async function completes(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (!(error instanceof Killed)) throw error;
    return false;
  }
}
