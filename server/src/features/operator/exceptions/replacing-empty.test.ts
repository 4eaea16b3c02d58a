import { parseTransaction } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectBooksToAgree } from '../../../testing/chain-books.ts';
import { approvedTransfer, newPayee, timeline, transactions } from '../../../testing/chain-transfers.ts';
import { balances, type ChainWorld, type Company, chainWorld, depth } from '../../../testing/chain-world.ts';
import { type ExceptionCases, exceptionCases } from '../../../testing/exception-cases.ts';
import { type ExceptionDesk, exceptionDesk } from '../../../testing/exception-desk.ts';
import { present } from '../../../testing/present.ts';

/**
 * A payment that can never be mined is replaced by an empty transaction under its nonce. The chain takes one of the two, and the hold goes the way
 * that the chain went.
 */

let world: ChainWorld;
let desk: ExceptionDesk;
let cases: ExceptionCases;
beforeAll(async () => {
  world = await chainWorld();
  desk = await exceptionDesk(world);
  cases = exceptionCases(world, desk);
});
afterAll(async () => {
  expect(desk.app.complaints).toEqual([]);
  await desk.close();
  await world.close();
});

const act = 'payment.replaceEmpty';
const ether = 10n ** 18n;

/** A payment of half an ether whose deposit a deep reorganisation took: signed, and no node takes it. */
async function stranded(): Promise<{ company: Company; payee: `0x${string}`; id: string }> {
  const [company, payee] = [await cases.funded(), newPayee()];
  await world.chain.treasury.send('ETH', company.address, '1');
  await world.advance(depth + 1);
  const id = await approvedTransfer(world, company, {
    coin: 'ETH',
    amountMinor: ether / 2n,
    feeMinor: ether / 1000n,
    payee,
  });
  await world.work({ gateway: cases.mute() });
  await world.chain.engine.reorganise(depth + 1, false);
  await world.advance(1);
  await world.tend();
  return { company, payee, id };
}

async function agreed(id: string): Promise<string> {
  const proposalId = await desk.agree(act, id);
  await desk.carryOut(proposalId);
  expect(await desk.end(proposalId)).toMatchObject({ state: 'done' });
  return proposalId;
}

/** What the chain has of a hash: recipient, value and data. */
async function onChain(hash: string) {
  const raw = present(await world.gateway.transaction(hash as `0x${string}`)).raw;
  return parseTransaction(present(raw));
}

describe('a payment whose coins a deep reorganisation took', () => {
  test('fails once the empty transaction is final, its hold makes the shortfall good, and its address pays again', async () => {
    const { company, payee, id } = await stranded();
    expect(await cases.stageOf(company, id)).toMatchObject({ stage: 'signing' });
    expect((await balances(world, company, 'ETH'))['deficit']).toBeLessThan(0n);
    const { changes } = await cases.choice('transaction', id, act);
    expect(changes).toMatchObject([
      { before: `0.5 ETH to ${payee}`, after: `0 ETH to ${company.address}` },
      { before: 'Signing', after: 'Failed' },
      { before: '0.501 ETH', after: '0 ETH' },
      { after: '+0.501 ETH' },
    ]);
    await agreed(id);
    await world.tend();
    const [payment, empty, ...more] = await cases.attempts(id);
    expect(more).toEqual([]);
    expect(empty).toMatchObject({ attempt: 2, nonce: present(payment).nonce });
    await world.advance(1);
    // In a block, and nothing is given back before it is final.
    expect(await cases.stageOf(company, id)).toMatchObject({ status: 'pending' });
    await cases.settle();
    const { to, value, data, nonce } = await onChain(present(empty).hash);
    expect({ to: to?.toLowerCase(), value: value ?? 0n, data }).toEqual({
      to: company.address.toLowerCase(),
      value: 0n,
      data: undefined,
    });
    expect(nonce).toBe(present(payment).nonce);
    const ended = await cases.stageOf(company, id);
    expect(ended).toMatchObject({ stage: 'failed', failureReason: 'stage.reason.replacedByEmpty' });
    expect((await transactions(world, company)).filter(({ type }) => type === 'failed_refund')).toHaveLength(1);
    expect(await timeline(world, company, id)).toContain('replaced');
    const books = await balances(world, company, 'ETH');
    expect({ ...books, chain: 0n, gas: 0n }).toEqual({ available: 0n, outbound: 0n, deficit: 0n, chain: 0n, gas: 0n });
    await expectBooksToAgree(world);
  });
});
