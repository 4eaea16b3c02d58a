import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectBooksToAgree } from '../../../testing/chain-books.ts';
import { approvedTransfer, newPayee, timeline } from '../../../testing/chain-transfers.ts';
import { balances, type ChainWorld, type Company, chainId, chainWorld, depth } from '../../../testing/chain-world.ts';
import { dying } from '../../../testing/dying.ts';
import { type ExceptionCases, exceptionCases } from '../../../testing/exception-cases.ts';
import { type ExceptionDesk, exceptionDesk } from '../../../testing/exception-desk.ts';
import { payFromTank, payOutside } from '../../../testing/outside-payments.ts';
import { present } from '../../../testing/present.ts';
import type { EvmGateway } from '../../chains/index.ts';
import { tendOnce } from '../../rails/index.ts';

/** What two operators agree on, done by the worker on a real chain. */

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

const funded: ExceptionCases['funded'] = () => cases.funded();
const settle: ExceptionCases['settle'] = (...given) => cases.settle(...given);
const lostOnTheWay: ExceptionCases['lost'] = (...given) => cases.lost(...given);
const waiting: ExceptionCases['waiting'] = (...given) => cases.waiting(...given);
const held: ExceptionCases['held'] = (...given) => cases.held(...given);
const stageOf: ExceptionCases['stageOf'] = (...given) => cases.stageOf(...given);
const attempts: ExceptionCases['attempts'] = (...given) => cases.attempts(...given);
const audited: ExceptionCases['audited'] = (...given) => cases.audited(...given);
const choice: ExceptionCases['choice'] = (...given) => cases.choice(...given);
const kindsOpen: ExceptionCases['kindsOpen'] = (...given) => cases.kindsOpen(...given);

describe('sending again', () => {
  test('offers the same bytes, and the payment arrives once', async () => {
    const company = await funded();
    const payee = newPayee();
    const id = await lostOnTheWay(company, payee);
    expect(await kindsOpen(company)).toEqual(['outcomeUnknown']);
    const before = await attempts(id);
    const proposalId = await desk.agree('payment.resend', id);
    await desk.carryOut(proposalId);
    expect(await desk.end(proposalId)).toMatchObject({ state: 'done' });
    await world.work();
    await settle();
    expect(await stageOf(company, id)).toMatchObject({ status: 'completed' });
    expect(await attempts(id)).toEqual(before);
    expect(await held(payee)).toBe('3');
    expect(await audited(company)).toContain('operator.sendAgain');
    expect((await cases.told(company)).filter((kind) => kind === 'transferSentAgain')).toHaveLength(1);
    expect(await choice('transaction', id, 'payment.resend')).toMatchObject({ why: 'This has already ended.' });
    await expectBooksToAgree(world);
  });

  test('is refused for good where a block has the payment by then', async () => {
    const company = await funded();
    const id = await lostOnTheWay(company);
    const proposalId = await desk.agree('payment.resend', id);
    await settle();
    await desk.carryOut(proposalId);
    expect(await desk.end(proposalId)).toEqual({
      state: 'refused',
      refusal: 'It has changed since it was proposed. Nothing was done; look at it again.',
    });
    expect(await audited(company)).not.toContain('operator.sendAgain');
  });
});

describe('speeding up', () => {
  test('replaces the payment under the same nonce with a higher fee, once, and it is paid once', async () => {
    const company = await funded();
    const payee = newPayee();
    const id = await waiting(company, payee);
    const { changes } = await choice('transaction', id, 'payment.speedUp');
    expect(changes).toMatchObject([
      { before: '1', after: '2' },
      { after: expect.stringMatching(/^at least .* gwei$/) },
    ]);
    const proposalId = await desk.agree('payment.speedUp', id);
    await desk.carryOut(proposalId);
    await desk.carryOut(proposalId);
    expect((await cases.told(company)).filter((kind) => kind === 'transferSpedUp')).toHaveLength(1);
    expect(await choice('transaction', id, 'payment.speedUp')).toMatchObject({ why: 'It is being sped up already.' });
    await world.tend();
    const [first, second, ...more] = await attempts(id);
    expect(more).toEqual([]);
    expect(second).toMatchObject({ attempt: 2, nonce: first?.nonce });
    await world.tend();
    expect(await attempts(id)).toHaveLength(2);
    expect(await timeline(world, company, id)).toContain('replaced');
    await settle();
    expect(await stageOf(company, id)).toMatchObject({ status: 'completed' });
    expect(await held(payee)).toBe('3');
    await expectBooksToAgree(world);
  });

  test('is possible where every node refuses the payment for its fee, and it is paid once', async () => {
    const company = await funded();
    const payee = newPayee();
    const id = await cases.transfer(company, payee);
    const words = 'transaction underpriced: gas tip cap below the minimum';
    const dear: EvmGateway = {
      ...world.gateway,
      broadcast: async () => ({
        outcome: 'rejected',
        reason: words,
        answers: [{ node: '1', answer: 'refused', words }],
      }),
    };
    await world.work({ gateway: dear });
    expect(await stageOf(company, id)).toMatchObject({ stage: 'signing' });
    expect(await kindsOpen(company)).toEqual(['outcomeUnknown']);
    const proposalId = await desk.agree('payment.speedUp', id);
    await desk.carryOut(proposalId);
    expect(await desk.end(proposalId)).toMatchObject({ state: 'done' });
    // The node takes the dearer one, and goes on refusing the first.
    const times = { intervalMs: 0, rebroadcastAfterMs: 3_600_000, stuckAfterMs: 3_600_000 };
    await tendOnce(world.parts(), chainId, times);
    const [first, second, ...more] = await attempts(id);
    expect([second?.nonce, more]).toEqual([first?.nonce, []]);
    expect(await stageOf(company, id)).toMatchObject({ stage: 'broadcast' });
    await settle();
    expect(await stageOf(company, id)).toMatchObject({ status: 'completed' });
    expect(await held(payee)).toBe('3');
    await expectBooksToAgree(world);
  });

  test('is for the payment that comes first, and not for one that no node has', async () => {
    const company = await funded();
    const first = await waiting(company);
    const second = await waiting(company);
    expect(await choice('transaction', second, 'payment.speedUp')).toMatchObject({
      why: 'An earlier payment of the same address comes first. Deal with that one.',
    });
    expect(await desk.propose('payment.speedUp', second)).toMatchObject({ key: 'exceptionNotPossible' });
    const lost = await lostOnTheWay(await funded());
    expect((await choice('transaction', lost, 'payment.speedUp')).why).toContain('Send it again');
    await settle(4 * depth);
    expect(await stageOf(company, first)).toMatchObject({ status: 'completed' });
  });

  test('what was proposed about is stale once the worker has raised the fee itself', async () => {
    const company = await funded();
    const id = await waiting(company);
    const { proposalId } = (await desk.propose('payment.speedUp', id)).data;
    await world.tend({ stuckAfterMs: 0 });
    expect(await attempts(id)).toHaveLength(2);
    expect(await desk.confirm(proposalId)).toMatchObject({ key: 'proposalStale' });
    await settle();
  });

  test('is refused for good where the worker raised the fee after the confirmation', async () => {
    const company = await funded();
    const id = await waiting(company);
    const proposalId = await desk.agree('payment.speedUp', id);
    await world.tend({ stuckAfterMs: 0 });
    await desk.carryOut(proposalId);
    expect(await desk.end(proposalId)).toMatchObject({ state: 'refused' });
    await world.tend();
    expect(await attempts(id)).toHaveLength(2);
    await settle();
  });
});

/** Signed, lost, and its nonce used by a payment with the company's own key that is final by now. */
async function superseded(company: Company): Promise<{ id: string; other: string }> {
  const id = await lostOnTheWay(company);
  const other = await payOutside(world, company, newPayee(), 1_000_000n);
  await world.advance(1);
  return { id, other };
}

const unexplainedOf = (company: Company) => desk.unexplainedOf(company.id);

describe('abandoning', () => {
  test('gives the hold back once its nonce is used for good, and not before', async () => {
    const company = await funded();
    const { id } = await superseded(company);
    expect((await choice('transaction', id, 'payment.abandon')).why).toContain('could still be paid');
    await settle();
    expect(await kindsOpen(company)).toEqual(['paymentUnexplained', 'addressHeld', 'transferSuperseded']);
    const booking = await desk.agree('payment.book', await unexplainedOf(company));
    const proposalId = await desk.agree('payment.abandon', id);
    await desk.carryOut(booking);
    await desk.carryOut(proposalId);
    await desk.carryOut(proposalId);
    await settle();
    expect(await stageOf(company, id)).toMatchObject({ stage: 'failed', failureReason: 'stage.reason.superseded' });
    // 100 less the payment by hand: what was abandoned is whole again.
    expect(await balances(world, company, 'USDT')).toEqual({ available: 99_000_000n, chain: -99_000_000n });
    expect(await audited(company)).toEqual(
      expect.arrayContaining(['operator.bookPayment', 'operator.abandonPayment', 'transfers.endHold']),
    );
    expect(await kindsOpen(company)).toEqual([]);
    await expectBooksToAgree(world);
  });
});

describe('releasing', () => {
  test('gives back what was never signed, and it is never paid', async () => {
    const company = await funded();
    const payee = newPayee();
    await world.asSuperuser(
      `update causeway.wallet set frozen_at = now(), frozen_reason = 'test' where company_id = '${company.id}'`,
    );
    const id = await approvedTransfer(world, company, { coin: 'USDT', amountMinor: 3_000_000n, payee });
    await world.work();
    expect((await choice('transaction', id, 'payment.resend')).why).toContain('frozen');
    const proposalId = await desk.agree('payment.release', id);
    await desk.carryOut(proposalId);
    await world.asSuperuser(
      `update causeway.wallet set frozen_at = null, frozen_reason = null where company_id = '${company.id}'`,
    );
    await settle();
    expect(await stageOf(company, id)).toMatchObject({ stage: 'failed', failureReason: 'stage.reason.released' });
    expect(await balances(world, company, 'USDT')).toEqual({ available: 100_000_000n, chain: -100_000_000n });
    expect([await attempts(id), await held(payee)]).toEqual([[], '0']);
    expect(await audited(company)).toContain('operator.releaseTransfer');
    await expectBooksToAgree(world);
  });

  test('is refused once the payment has begun', async () => {
    const company = await funded();
    const payee = newPayee();
    await world.asSuperuser(
      `update causeway.wallet set frozen_at = now(), frozen_reason = 'test' where company_id = '${company.id}'`,
    );
    const id = await approvedTransfer(world, company, { coin: 'USDT', amountMinor: 3_000_000n, payee });
    await world.work();
    const proposalId = await desk.agree('payment.release', id);
    await world.asSuperuser(
      `update causeway.wallet set frozen_at = null, frozen_reason = null where company_id = '${company.id}'`,
    );
    await world.tend();
    await desk.carryOut(proposalId);
    expect(await desk.end(proposalId)).toMatchObject({ state: 'refused', refusal: expect.stringContaining('nonce') });
    await settle();
    expect(await held(payee)).toBe('3');
  });
});

test('what has a nonce and no signature yet is not released', async () => {
  const company = await funded();
  const payee = newPayee();
  await world.asSuperuser(
    `update causeway.wallet set frozen_at = now(), frozen_reason = 'test' where company_id = '${company.id}'`,
  );
  const id = await approvedTransfer(world, company, { coin: 'USDT', amountMinor: 3_000_000n, payee });
  await world.work();
  const proposalId = await desk.agree('payment.release', id);
  await world.asSuperuser(
    `update causeway.wallet set frozen_at = null, frozen_reason = null where company_id = '${company.id}'`,
  );
  const times = { intervalMs: 0, rebroadcastAfterMs: 0, stuckAfterMs: 3_600_000 };
  await tendOnce({ ...world.parts(), signer: dying(world.signer, 'sign', 'before', 100) }, chainId, times);
  expect(await attempts(id)).toMatchObject([{ hash: null }]);
  await desk.carryOut(proposalId);
  expect(await desk.end(proposalId)).toMatchObject({ state: 'refused' });
  await settle();
  expect(await held(payee)).toBe('3');
});

describe('answering an unknown outcome', () => {
  test('as not paid, with the transaction that used its nonce, gives the hold back', async () => {
    const company = await funded();
    const { id, other } = await superseded(company);
    const early = await desk.agree('unknown.answer', id, { answer: 'notPaid', hash: other });
    await desk.carryOut(early);
    expect((await desk.end(early))?.refusal).toContain('not final yet');
    const { rows } = await world.db.console.pool.query<{ refusal: string }>(
      'select refusal from operator_act where proposal_id = $1',
      [early],
    );
    expect(rows).toEqual([{ refusal: 'proofDiffers' }]);
    // Nothing tends it meanwhile: the proof itself notes that the nonce is used for good.
    await world.advance(depth);
    for (const [answer, hash, says] of [
      ['paid', other, 'pays something else'],
      ['notPaid', `0x${'1'.repeat(64)}`, 'No block has'],
      ['notPaid', await payFromTank(world, newPayee(), 1n), 'No block has'],
    ] as const) {
      const wrong = await desk.agree('unknown.answer', id, { answer, hash });
      await desk.carryOut(wrong);
      expect(await desk.end(wrong)).toMatchObject({ state: 'refused', refusal: expect.stringContaining(says) });
    }
    const proposalId = await desk.agree('unknown.answer', id, { answer: 'notPaid', hash: other });
    await desk.carryOut(proposalId);
    expect(await desk.end(proposalId)).toMatchObject({ state: 'done' });
    expect(await stageOf(company, id)).toMatchObject({ stage: 'failed', failureReason: 'stage.reason.superseded' });
    expect(await audited(company)).toContain('operator.answerUnknown');
    await desk.carryOut(await desk.agree('payment.book', await unexplainedOf(company)));
    await settle();
    await expectBooksToAgree(world);
  });

  test('as paid, with the transaction that paid it, completes it and pays nothing more', async () => {
    const company = await funded();
    const payee = newPayee();
    const id = await lostOnTheWay(company, payee);
    // The same payment, from bytes that no row has: a fee of its own, and a hash that no one here knows.
    const hash = await payOutside(world, company, payee, 3_000_000n);
    await world.chain.engine.mine(depth + 1);
    // The watcher begins behind it, as after a longer absence: it will not find it.
    await skipToHead();
    await world.follow();
    const proposalId = await desk.agree('unknown.answer', id, { answer: 'paid', hash });
    await desk.carryOut(proposalId);
    expect(await desk.end(proposalId)).toMatchObject({ state: 'done' });
    await settle();
    expect(await stageOf(company, id)).toMatchObject({ status: 'completed', hash });
    expect(await held(payee)).toBe('3');
    await expectBooksToAgree(world);
  });
});

async function skipToHead(): Promise<void> {
  const head = present(await world.gateway.block(await world.gateway.head()));
  await world.asSuperuser(`
    update causeway.chain_cursor set height = ${head.height}, hash = '${head.hash}';
    delete from causeway.chain_block;
    insert into causeway.chain_block (chain_id, height, hash) values ('${chainId}', ${head.height}, '${head.hash}');`);
}
