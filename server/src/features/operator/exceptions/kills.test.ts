import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../../../platform/database/database.ts';
import { expectBooksToAgree } from '../../../testing/chain-books.ts';
import { newPayee, sendsOf } from '../../../testing/chain-transfers.ts';
import { balances, type ChainWorld, type Company, chainId, chainWorld, depth } from '../../../testing/chain-world.ts';
import { dying, Killed } from '../../../testing/dying.ts';
import { type ExceptionCases, exceptionCases } from '../../../testing/exception-cases.ts';
import { type ExceptionDesk, exceptionDesk } from '../../../testing/exception-desk.ts';
import { payOutside } from '../../../testing/outside-payments.ts';
import { present } from '../../../testing/present.ts';
import { isProof } from '../../../testing/proof.ts';
import { tendOnce } from '../../rails/index.ts';

/**
 * Exceptions while workers are killed at each step, and acts that race with one another and with the chain: the signer's journal, the chain and the
 * ledger agree in the end, and each payment is made once or given back, never both.
 */

let world: ChainWorld;
let desk: ExceptionDesk;
let cases: ExceptionCases;
const rounds = Number(process.env['PROOF_ROUNDS'] ?? 8);

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
const setFrozen: ExceptionCases['setFrozen'] = (...given) => cases.setFrozen(...given);

interface Case {
  company: Company;
  id: string;
  payee: `0x${string}`;
}

async function begun(how: 'lost' | 'waiting'): Promise<Case> {
  const [company, payee] = [await funded(), newPayee()];
  return { company, payee, id: await cases[how](company, payee) };
}
/** Signed; its bytes were lost on the way to the nodes. */
const lost = () => begun('lost');
/** The nodes have it and no block does. */
const waiting = () => begun('waiting');

/** Approved, and its wallet was frozen: nothing of it is signed. */
async function frozen(): Promise<Case> {
  const [company, payee] = [await funded(), newPayee()];
  await setFrozen(company, true);
  return { company, payee, id: await cases.waiting(company, payee) };
}

/** Signed, lost, and its nonce used for good by a payment that is booked. */
async function superseded(): Promise<Case & { other: string }> {
  const one = await lost();
  const other = await payOutside(world, one.company, newPayee(), 1_000_000n);
  await settle();
  return { ...one, other };
}

/** A database that dies when a company's transaction is to begin, or once it has committed. */
function dyingDatabase(companyId: string, moment: 'before' | 'after'): Database {
  let left = 1;
  return {
    ...world.db.worker,
    async withCompany(id, work, ...more) {
      const isHere = id === companyId && left > 0;
      if (isHere) left -= 1;
      if (isHere && moment === 'before') throw new Killed('before the transaction');
      const done = await world.db.worker.withCompany(id, work, ...more);
      if (isHere && moment === 'after') throw new Killed('after the transaction');
      return done;
    },
  };
}

/** The worker of an act, killed there if parts of it die; then another one, twice, as the queue of jobs does. */
async function withKill(proposalId: string, parts?: Parameters<ExceptionDesk['carryOut']>[1]): Promise<void> {
  if (parts) await expect(desk.carryOut(proposalId, parts)).rejects.toThrow(Killed);
  await desk.carryOut(proposalId);
  await desk.carryOut(proposalId);
  expect(await desk.end(proposalId)).toMatchObject({ state: 'done' });
}

async function expectPaidOnce({ company, id, payee }: Case): Promise<void> {
  expect(await cases.stageOf(company, id)).toMatchObject({ status: 'completed' });
  expect(await cases.held(payee)).toBe('3');
  const nonces = (await sendsOf(world, id)).filter(({ kind }) => kind === 'transfer').map(({ nonce }) => nonce);
  expect(new Set(nonces).size).toBe(1);
  expect((await balances(world, company, 'USDT'))['outbound']).toBeUndefined();
  await expectBooksToAgree(world);
}

async function expectGivenBack({ company, id, payee }: Case, availableMinor: bigint): Promise<void> {
  expect(await cases.stageOf(company, id)).toMatchObject({ stage: 'failed' });
  expect(await cases.held(payee)).toBe('0');
  expect(await balances(world, company, 'USDT')).toEqual({ available: availableMinor, chain: -availableMinor });
  await expectBooksToAgree(world);
}

const moments = isProof ? (['before', 'after'] as const) : (['after'] as const);

describe.each(moments)('killed %s', { timeout: 120_000 }, (moment) => {
  test('the transaction that has a payment sent again', async () => {
    const one = await lost();
    await withKill(await desk.agree('payment.resend', one.id), { database: dyingDatabase(one.company.id, moment) });
    await world.work();
    await settle();
    await expectPaidOnce(one);
  });

  test('the broadcast of a payment that is sent again', async () => {
    const one = await lost();
    await withKill(await desk.agree('payment.resend', one.id));
    await expect(world.work({ gateway: dying(world.gateway, 'broadcast', moment) })).rejects.toThrow(Killed);
    await settle();
    await expectPaidOnce(one);
  });

  test('the transaction that speeds a payment up', async () => {
    const one = await waiting();
    await withKill(await desk.agree('payment.speedUp', one.id), { database: dyingDatabase(one.company.id, moment) });
    await settle();
    await expectPaidOnce(one);
  });

  test.each(['sign', 'broadcast'] as const)('the %s of its replacement', async (step) => {
    const one = await waiting();
    await withKill(await desk.agree('payment.speedUp', one.id));
    const parts = world.parts();
    const killed =
      step === 'sign'
        ? { ...parts, signer: dying(parts.signer, 'sign', moment) }
        : { ...parts, gateways: new Map([[chainId, dying(world.gateway, 'broadcast', moment)]]) };
    const times = { intervalMs: 0, rebroadcastAfterMs: 3_600_000, stuckAfterMs: 3_600_000 };
    // Tending logs what one payment fails with, and goes on.
    await tendOnce(killed, chainId, times);
    await settle();
    await expectPaidOnce(one);
  });

  test('the transaction that releases a payment', async () => {
    const one = await frozen();
    await withKill(await desk.agree('payment.release', one.id), { database: dyingDatabase(one.company.id, moment) });
    await setFrozen(one.company, false);
    await settle();
    await expectGivenBack(one, 100_000_000n);
  });

  test('the question to the chain before a payment is abandoned, and the transactions around it', async () => {
    const one = await superseded();
    const [act, booking] = [
      await desk.agree('payment.abandon', one.id),
      await desk.agree('payment.book', await desk.unexplainedOf(one.company.id)),
    ];
    const gateways = new Map([[chainId, dying(world.gateway, 'minedNonce', moment)]]);
    await expect(desk.carryOut(act, { gateways })).rejects.toThrow(Killed);
    await withKill(act, { database: dyingDatabase(one.company.id, moment) });
    await withKill(booking, { database: dyingDatabase(one.company.id, moment) });
    await settle();
    await expectGivenBack(one, 99_000_000n);
  });

  test('the questions to the chain about a proof, and the transactions around it', async () => {
    const one = await superseded();
    const answer = await desk.agree('payment.book', await desk.unexplainedOf(one.company.id));
    await withKill(answer);
    // The payment is known to be superseded by the rounds of tending: it can only be abandoned.
    const refused = await desk.propose('unknown.answer', one.id, { answer: 'notPaid', hash: one.other });
    expect(refused).toMatchObject({ key: 'exceptionNotPossible' });
    const fresh = await lost();
    const hash = await payOutside(world, fresh.company, newPayee(), 1_000_000n);
    await world.advance(depth + 1);
    const act = await desk.agree('unknown.answer', fresh.id, { answer: 'notPaid', hash });
    for (const method of ['transaction', 'minedNonce'] as const) {
      const gateways = new Map([[chainId, dying(world.gateway, method, moment)]]);
      await expect(desk.carryOut(act, { gateways })).rejects.toThrow(Killed);
    }
    await withKill(act, { database: dyingDatabase(fresh.company.id, moment) });
    await desk.carryOut(await desk.agree('payment.book', await desk.unexplainedOf(fresh.company.id)));
    await settle();
    await expectGivenBack(fresh, 99_000_000n);
  });
});

const few = Math.max(2, Math.ceil(rounds / 4));

describe('races', { timeout: 60_000 + few * 15_000 }, () => {
  test('of two confirmations of one proposal one succeeds', async () => {
    const { id } = await lost();
    for (let round = 0; round < few; round += 1) {
      const { proposalId } = (await desk.propose('payment.resend', id)).data;
      const answers = await Promise.all([desk.confirm(proposalId), desk.confirm(proposalId)]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
      await desk.carryOut(proposalId);
    }
    await world.work();
    await settle();
  });

  test('a release against the sending of the same payment: it is paid once, or given back', async () => {
    const ends = new Set<string>();
    for (let round = 0; round < few; round += 1) {
      const one = await frozen();
      const act = await desk.agree('payment.release', one.id);
      await setFrozen(one.company, false);
      await Promise.all([desk.carryOut(act), world.tend()]);
      await settle();
      const end = present(await desk.end(act)).state;
      ends.add(end);
      if (end === 'done') await expectGivenBack(one, 100_000_000n);
      else await expectPaidOnce(one);
    }
    expect([...ends].every((end) => end === 'done' || end === 'refused')).toBe(true);
  });

  test('a speed-up against the block that takes the payment', async () => {
    for (let round = 0; round < few; round += 1) {
      const one = await waiting();
      const act = await desk.agree('payment.speedUp', one.id);
      await Promise.all([desk.carryOut(act), world.advance(1), world.tend()]);
      await settle();
      await expectPaidOnce(one);
    }
  });

  test('sending again against abandoning: what is abandoned is not paid', async () => {
    for (let round = 0; round < few; round += 1) {
      const one = await lost();
      const resend = await desk.agree('payment.resend', one.id);
      await payOutside(world, one.company, newPayee(), 1_000_000n);
      await settle();
      const abandon = await desk.agree('payment.abandon', one.id);
      const booking = await desk.agree('payment.book', await desk.unexplainedOf(one.company.id));
      await Promise.all([desk.carryOut(resend), desk.carryOut(abandon), desk.carryOut(booking)]);
      await world.work();
      await settle();
      expect(await desk.end(abandon)).toMatchObject({ state: 'done' });
      await expectGivenBack(one, 99_000_000n);
    }
  });
});
