import { getExceptionActs } from '@causeway/contract/operator-exceptions.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../../platform/ids.ts';
import { expectBooksToAgree } from '../../../testing/chain-books.ts';
import { approvedTransfer, newPayee } from '../../../testing/chain-transfers.ts';
import { balances, type ChainWorld, type Company, chainId, chainWorld, depth } from '../../../testing/chain-world.ts';
import { type ExceptionCases, exceptionCases } from '../../../testing/exception-cases.ts';
import { type ExceptionDesk, exceptionDesk } from '../../../testing/exception-desk.ts';
import { payOutside } from '../../../testing/outside-payments.ts';
import { present } from '../../../testing/present.ts';
import { accountsByKind } from '../../ledger/index.ts';
import { takeFromWallet } from '../../wallets/index.ts';

/** What two operators decide of what only the chain or the books know: unexplained payments, held addresses, deficits. On a real chain. */

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
const held: ExceptionCases['held'] = (...given) => cases.held(...given);
const stageOf: ExceptionCases['stageOf'] = (...given) => cases.stageOf(...given);
const audited: ExceptionCases['audited'] = (...given) => cases.audited(...given);
const choice: ExceptionCases['choice'] = (...given) => cases.choice(...given);
const kindsOpen: ExceptionCases['kindsOpen'] = (...given) => cases.kindsOpen(...given);

async function skipToHead(): Promise<void> {
  const head = present(await world.gateway.block(await world.gateway.head()));
  await world.asSuperuser(`
    update causeway.chain_cursor set height = ${head.height}, hash = '${head.hash}';
    delete from causeway.chain_block;
    insert into causeway.chain_block (chain_id, height, hash) values ('${chainId}', ${head.height}, '${head.hash}');`);
}

const unexplainedOf = (company: Company) => desk.unexplainedOf(company.id);

describe('a payment that only the chain knows', () => {
  test('is matched to the transfer that it paid, whose payment it becomes', async () => {
    const company = await funded();
    const payee = newPayee();
    const id = await approvedTransfer(world, company, { coin: 'USDT', amountMinor: 7_000_000n, payee });
    const other = await approvedTransfer(world, company, { coin: 'USDT', amountMinor: 6_000_000n, payee });
    await payOutside(world, company, payee, 7_000_000n);
    await world.chain.engine.mine(1);
    await world.work();
    await world.follow();
    const payment = await unexplainedOf(company);
    const { data } = await desk.app.ask(getExceptionActs, { as: desk.one, query: { subject: 'payment', id: payment } });
    expect(data.candidates).toMatchObject([{ id, quantity: '7.000000' }]);
    expect(await desk.propose('payment.match', payment, { transferId: other })).toMatchObject({
      key: 'paymentDiffers',
    });
    expect(await desk.propose('payment.match', payment)).toMatchObject({ key: 'validationFailed' });
    const proposalId = await desk.agree('payment.match', payment, { transferId: id });
    await desk.carryOut(proposalId);
    expect(await desk.end(proposalId)).toMatchObject({ state: 'done' });
    await settle(4 * depth);
    expect(await stageOf(company, id)).toMatchObject({ status: 'completed' });
    expect(await stageOf(company, other)).toMatchObject({ status: 'completed' });
    expect(await held(payee)).toBe('13');
    expect(await audited(company)).toContain('operator.matchPayment');
    await expectBooksToAgree(world);
  });

  test('is decided once, whichever of two acts comes first', async () => {
    const company = await funded();
    const payee = newPayee();
    const id = await approvedTransfer(world, company, { coin: 'USDT', amountMinor: 7_000_000n, payee });
    await payOutside(world, company, payee, 7_000_000n);
    await world.chain.engine.mine(1);
    await world.work();
    await world.follow();
    const payment = await unexplainedOf(company);
    const [matching, booking] = [
      await desk.agree('payment.match', payment, { transferId: id }),
      await desk.agree('payment.book', payment),
    ];
    await Promise.all([desk.carryOut(matching), desk.carryOut(booking)]);
    const ends = [await desk.end(matching), await desk.end(booking)];
    expect(ends.map((end) => end?.state).sort()).toEqual(['done', 'refused']);
    await settle(4 * depth);
    await expectBooksToAgree(world);
  });
});

describe('a deficit', () => {
  /** The deficit of a reversed deposit that was spent, and the fees that the operator has at the address. */
  async function owing(feeMinor: bigint, waitingMinor = 0n): Promise<{ company: Company; walletId: string }> {
    const company = await funded();
    const walletId = present(company.wallets.get('USDT'));
    const id = await approvedTransfer(world, company, {
      coin: 'USDT',
      amountMinor: 95_000_000n,
      payee: newPayee(),
      feeMinor,
    });
    await world.work();
    await settle();
    expect(await stageOf(company, id)).toMatchObject({ status: 'completed' });
    if (waitingMinor > 0n) {
      const waiting = { coin: 'USDT', amountMinor: waitingMinor, payee: newPayee(), feeMinor: 0n };
      await approvedTransfer(world, company, waiting);
    }
    await world.db.worker.withCompany(company.id, async (tx) => {
      const { chain } = await accountsByKind(tx, walletId, ['chain']);
      const available = 100_000_000n - 95_000_000n - feeMinor - waitingMinor;
      const posting = { kind: 'deposit.reversed', sourceId: newId(), description: 'taken back' };
      await takeFromWallet(tx, walletId, available + 2_000_000n, posting, [
        { accountId: chain.id, amountMinor: available + 2_000_000n },
      ]);
    });
    return { company, walletId };
  }

  test('is borne by the operator out of its fees, and the wallet stays frozen', async () => {
    const { company, walletId } = await owing(3_000_000n);
    expect(await kindsOpen(company)).toEqual(['companyDeficit']);
    const { changes } = await choice('wallet', walletId, 'deficit.writeOff');
    expect(changes).toMatchObject([
      { before: '2 USDT', after: '0 USDT' },
      { after: '−2 USDT' },
      { before: 'Frozen', after: 'Frozen' },
    ]);
    const proposalId = await desk.agree('deficit.writeOff', walletId);
    await desk.carryOut(proposalId);
    await desk.carryOut(proposalId);
    expect(await desk.end(proposalId)).toMatchObject({ state: 'done' });
    expect(await balances(world, company, 'USDT')).toEqual({ fee: 1_000_000n, chain: -1_000_000n });
    expect(await kindsOpen(company)).toEqual([]);
    expect(await audited(company)).toContain('operator.writeOffDeficit');
    expect((await cases.told(company)).filter((kind) => kind === 'deficitWrittenOff')).toHaveLength(1);
  });

  test('that the fees do not cover is made good by money, not by a posting', async () => {
    const { walletId } = await owing(1_500_000n, 2_500_000n);
    expect((await choice('wallet', walletId, 'deficit.writeOff')).why).toContain('less than the deficit');
    expect(await desk.propose('deficit.writeOff', walletId)).toMatchObject({ key: 'exceptionNotPossible' });
  });

  test('that a deposit made good in part meanwhile is not written off', async () => {
    const { company, walletId } = await owing(3_000_000n);
    const proposalId = await desk.agree('deficit.writeOff', walletId);
    await world.chain.treasury.send('USDT', company.address, '1');
    await world.advance(depth + 1);
    await desk.carryOut(proposalId);
    expect(await desk.end(proposalId)).toMatchObject({ state: 'refused' });
    expect(await balances(world, company, 'USDT')).toMatchObject({ deficit: -1_000_000n, fee: 3_000_000n });
  });
});

// The last: the fee of the transaction that was never read stays out of the books.
test('a held address sends again once what the chain counts is accepted', async () => {
  const company = await funded();
  await payOutside(world, company, newPayee(), 0n);
  await world.chain.engine.mine(1);
  await skipToHead();
  const id = await approvedTransfer(world, company, { coin: 'USDT', amountMinor: 3_000_000n, payee: newPayee() });
  await world.work();
  await settle(1);
  const subject = `${chainId}/${company.address}`;
  expect(await kindsOpen(company)).toContain('addressHeld');
  const { changes } = await choice('address', subject, 'hold.release');
  expect(changes).toMatchObject([
    { before: '0', after: '1' },
    { before: 'Held', after: 'Sends again' },
  ]);
  const proposalId = await desk.agree('hold.release', subject);
  await desk.carryOut(proposalId);
  expect(await desk.end(proposalId)).toMatchObject({ state: 'done' });
  await settle(4 * depth);
  expect(await stageOf(company, id)).toMatchObject({ status: 'completed' });
  expect(await audited(company)).toEqual(expect.arrayContaining(['operator.acceptNonce', 'transfers.endHold']));
  expect((await cases.told(company)).filter((kind) => kind === 'addressAccepted')).toHaveLength(1);
  expect(await desk.propose('hold.release', subject)).toMatchObject({ key: 'notFound' });
});
