import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { expectBooksToAgree } from '../testing/chain-books.ts';
import { type ChainWorld, type Company, chainWorld, depth } from '../testing/chain-world.ts';
import { isProof } from '../testing/proof.ts';
import { type RestoreClient, restoreClient } from '../testing/restore-client.ts';
import {
  bookUnexplained,
  createDrill,
  type Drill,
  expectPaidOnce,
  newPayment,
  type Payment,
  type Step,
  statusOf,
  untilReady,
} from '../testing/restore-drill.ts';

/**
 * After a restore, a client repeats a request that the database has forgotten: the same body, the same idempotency key, the
 * same transfer id. The payment was signed before the restore, so the repeated request must never pay a second time.
 */

vi.setConfig({ testTimeout: 240_000 });

let world: ChainWorld;
let client: RestoreClient;
let drill: Drill;
async function begin(): Promise<void> {
  world = await chainWorld();
  client = await restoreClient(world);
  drill = createDrill(world, client.submit);
}
async function end(): Promise<void> {
  await client.main.close();
  await world.close();
}
beforeAll(begin);
afterAll(end);
afterEach(async ({ task }) => {
  // A failed drill leaves restore mode on, which would fail the others.
  if (task.result?.state !== 'fail') return;
  await end();
  await begin();
});

/** How far the lost payment had come when the database was restored. */
const inNoBlock = ['signed, not stored', 'stored, not broadcast'] as const satisfies Step[];
const inBlock = ['broadcast', 'mined, not seen', 'confirming', 'completed'] as const satisfies Step[];
const isReplay = async (payment: Payment) =>
  (await client.send(payment)).raw.headers['idempotency-replayed'] === 'true';

/** A company that has been paid an advance for network fees, and whose next payment is prepared. */
async function prepared(): Promise<{ company: Company; first: Payment; payment: Payment }> {
  const company = await drill.company();
  const first = newPayment(company);
  await drill.submit(first);
  await drill.finish(first);
  const payment = newPayment(company);
  await client.prepare(payment);
  return { company, first, payment };
}

async function restored(): Promise<void> {
  await world.stopSigner();
  await world.restore('drill');
  await drill.run('restore', 'begin', '--reason', 'drill');
  await world.startSigner();
}

async function release(): Promise<void> {
  await untilReady(drill);
  await drill.run('restore', 'release', '--reason', 'drill');
}

/** The lost payment and those around it were paid once, and the company can pay again. */
async function expectOrder(company: Company, payments: readonly Payment[]): Promise<void> {
  const next = newPayment(company);
  await drill.submit(next);
  await drill.finish(next);
  await drill.rounds(2 * depth);
  const all = [...payments, next];
  await expectPaidOnce(world, all);
  for (const each of all) expect(await statusOf(world, each), each.id).toBe('completed');
  await expectBooksToAgree(world);
}

async function expectTaken(payment: Payment): Promise<void> {
  const { status, key } = await client.send(payment);
  expect({ status, key }).toEqual({ status: 409, key: 'idTaken' });
}

describe('a request whose transfer the restore has lost is repeated', () => {
  const steps: readonly Step[] = isProof ? [...inNoBlock, ...inBlock] : ['signed, not stored'];
  test.each(steps)('while restore mode holds, the payment being %s: it is adopted', async (step) => {
    const { company, first, payment } = await prepared();
    await world.backUp('drill');
    await drill.bring(payment, step);
    await restored();
    const again = await client.send(payment);
    expect(again.data).toMatchObject({ id: payment.id, stage: 'approved' });
    expect(again.raw.headers['idempotency-replayed']).toBeUndefined();
    expect(await isReplay(payment)).toBe(true);
    await release();
    expect(await isReplay(payment)).toBe(true);
    await drill.finish(payment);
    await expectOrder(company, [first, payment]);
  });

  test.runIf(isProof)(
    'when member, payee and code are lost as well: it is refused until the client makes it again, and then adopted',
    async () => {
      const { company, first } = await prepared();
      const payment = newPayment(company);
      await world.backUp('drill');
      await drill.submit(payment);
      await drill.finish(payment);
      await restored();
      // The member and the payee are lost too: the client signs in and saves the payee again.
      expect((await client.send(payment)).status).toBe(401);
      await client.prepareAgain(payment);
      expect((await client.send(payment)).status).toBe(200);
      await release();
      await drill.finish(payment);
      await expectOrder(company, [first, payment]);
    },
  );

  const found: readonly Step[] = isProof ? inBlock : [];
  test.each(found)(
    'when the operator has decided to book what was %s: the wallet is frozen, then the id is taken',
    async (step) => {
      const { company, first, payment } = await prepared();
      await world.backUp('drill');
      await drill.bring(payment, step);
      await restored();
      await drill.rounds(depth + 1);
      expect(await bookUnexplained(drill)).toBe(1);
      expect((await client.send(payment)).key).toBe('walletFrozen');
      await drill.rounds(1);
      await expectTaken(payment);
      await release();
      await expectTaken(payment);
      await expectOrder(company, [first, payment]);
    },
  );

  test.each(isProof ? inNoBlock : inNoBlock.slice(0, 1))(
    'after the operator has had it sent, having been %s',
    async (step) => {
      const { company, first, payment } = await prepared();
      await world.backUp('drill');
      await drill.bring(payment, step);
      await restored();
      await drill.rounds(depth + 1);
      await drill.run('restore', 'resend', payment.id, '--reason', 'the company wants it paid');
      await release();
      expect((await client.send(payment)).status).toBe(200);
      await drill.finish(payment);
      await expectOrder(company, [first, payment]);
    },
  );
});

test.runIf(isProof)('a request whose transfer the backup has is answered again', async () => {
  const { company, first, payment } = await prepared();
  await drill.submit(payment);
  await world.backUp('drill');
  await drill.finish(payment);
  await restored();
  expect(await isReplay(payment)).toBe(true);
  await release();
  expect(await isReplay(payment)).toBe(true);
  await drill.finish(payment);
  await expectOrder(company, [first, payment]);
});
