import { addCryptoPayee } from '@causeway/contract/payees.ts';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { newId } from '../../../platform/ids.ts';
import { decideRun, entriesOf, insertTestBatch, runOf, submittedRun, type TestRow } from '../../../testing/batches.ts';
import { strangersAddress } from '../../../testing/bitcoin/addresses.ts';
import { bitcoin } from '../../../testing/bitcoin/signer-world.ts';
import { type BitcoinWorld, bitcoinWorld } from '../../../testing/bitcoin/world.ts';
import { expectBooksToAgree } from '../../../testing/chain-books.ts';
import { fundedCompany, newPayee } from '../../../testing/chain-transfers.ts';
import { type ChainWorld, chainId, chainWorld, depth, walletOf } from '../../../testing/chain-world.ts';
import { walletBalances } from '../../../testing/company-books.ts';
import { dying, Killed, killRounds, type Moment } from '../../../testing/dying.ts';
import { type MainApp, type Member, mainApp } from '../../../testing/main-app.ts';
import { present } from '../../../testing/present.ts';
import { isProof } from '../../../testing/proof.ts';
import { succeed } from '../../../testing/succeed.ts';
import { reviewOf } from '../../../testing/transaction-requests.ts';
import {
  bitcoinFamily,
  type ChainGateway,
  type EvmGateway,
  evmFamily,
  familiesByName,
  type Signer,
} from '../../chains/index.ts';
import { keepPrices } from '../../rates/index.ts';

/**
 * The worker dies while it hands the rows of a run over that are on a chain: before and after each call of the nodes and the signer and, on Bitcoin, where the rows share a transaction, at
 * each of its own commits. Another goes on. Every payee has what its row says once, and the run counts each row as completed once.
 */

vi.setConfig({ testTimeout: 600_000 });
const everyRound = Array.from({ length: killRounds }, (_, index) => index + 1);

/** Of the three rows of each run, in minor units. */
const amounts = [300_000n, 200_000n, 100_000n] as const;

/** A run that was submitted and approved by people, and nothing of it has been handed over. */
interface Run {
  name: string;
  company: { id: string };
  as: Member;
  runId: string;
  walletId: string;
  payees: string[];
}

let main: MainApp;
afterEach(() => expect(main.complaints.splice(0)).toEqual([]));

/** A company is registered under a name, has members, and reviews what it pays. */
async function approvedRun(
  company: { id: string },
  { walletId, payees, chain, coin }: { walletId: string; payees: string[]; chain: string; coin: string },
  scale: bigint,
  name: string,
): Promise<Run> {
  await main.db.app.withCompany(company.id, (tx) =>
    sql`insert into company (company_id, name) values (company_id(), 'Harbour Trading')`.execute(tx),
  );
  const admin = await main.member(company, 'administrator');
  const approver = await main.member(company, 'approver');
  await reviewOf(main, { ...company, admin })(true);
  const terms = coin === 'BTC' ? { feeLevel: 'normal' } : {};
  const rows: TestRow[] = [];
  for (const [place, address] of payees.entries()) {
    const body = { id: newId(), label: `Contractor ${place}`, chain, coin, address };
    const payeeId = (await succeed(main, addCryptoPayee, { as: admin, body })).data.id;
    rows.push({ walletId, payeeId, terms, amountMinor: present(amounts[place]) * scale });
  }
  const { id: batchId } = await insertTestBatch(main.db, { ...company, admin }, rows);
  const runId = await submittedRun(main, admin, batchId);
  await decideRun(main, approver, runId);
  expect((await entriesOf(main.db, company.id, runId)).map(({ stage }) => stage)).toEqual(
    amounts.map(() => 'approved'),
  );
  return { name, company, as: admin, runId, walletId, payees };
}

async function expectCompleted({ name, company, as, runId }: Run): Promise<void> {
  const entries = await entriesOf(main.db, company.id, runId);
  expect(
    entries.map(({ stage }) => stage),
    name,
  ).toEqual(amounts.map(() => 'completed'));
  const { progress, open } = await runOf(main, as, runId);
  expect([progress, open], name).toMatchObject([{ completed: amounts.length, failed: 0, paidTwice: 0 }, 0]);
}

/** Nothing is held any more, and no more than this is gone. */
async function expectLeft({ name, company, walletId }: Run, availableMinor: bigint): Promise<void> {
  const { available, outbound = 0n } = await walletBalances(main.db, company.id, walletId);
  expect([available, outbound], name).toEqual([availableMinor, 0n]);
}

describe('on an EVM chain', () => {
  let world: ChainWorld;
  beforeAll(async () => {
    world = await chainWorld({ rpcTimeoutMs: 30_000 });
    main = await mainApp(world.db, undefined, { authorisationKey: world.authorisationKey });
  });
  afterAll(async () => {
    await main.close();
    await world.close();
  });

  const steps = (['fees', 'estimateGas', 'broadcast', 'sign'] as const).flatMap((method) =>
    (['before', 'after'] as const).map((moment) => ({ method, moment })),
  );
  /** USDT has six decimals: rows of 30, 20 and 10. */
  const scale = 100n;
  const feeMinor = 1_000_000n;

  async function begun(name: string): Promise<Run> {
    const company = await fundedCompany(world, '100');
    const payees = amounts.map(() => newPayee());
    return approvedRun(
      company,
      { walletId: walletOf(company, 'USDT'), payees, chain: chainId, coin: 'USDT' },
      scale,
      name,
    );
  }

  test.each(everyRound)('a worker that dies at a step of one row leaves every row paid once (round %i)', async () => {
    const runs: Run[] = [];
    for (const { method, moment } of steps) {
      const run = await begun(`${moment} ${method}`);
      const broken =
        method === 'sign'
          ? { signer: dying<Signer>(world.signer, method, moment) }
          : { gateway: dying<EvmGateway>(world.gateway, method, moment) };
      await expect(world.work(broken), run.name).rejects.toThrow(Killed);
      runs.push(run);
    }
    for (let left = 3 * depth + 6; left > 0; left -= 1) {
      await world.tend();
      await world.advance(1);
    }
    const { height } = world.chain.engine.tip();
    for (const run of runs) {
      await expectCompleted(run);
      for (const [place, payee] of run.payees.entries()) {
        const held = await world.gateway.balance(world.chain.treasury.contracts.USDT, payee as `0x${string}`, height);
        expect(held, run.name).toBe(present(amounts[place]) * scale);
      }
      const spent = amounts.reduce((sum, amount) => sum + amount * scale + feeMinor, 0n);
      await expectLeft(run, 100_000_000n - spent);
    }
    await expectBooksToAgree(world);
  });
});

describe('on Bitcoin, joined in one transaction', () => {
  let world: BitcoinWorld;
  beforeAll(async () => {
    world = await bitcoinWorld();
    const families = familiesByName([evmFamily, bitcoinFamily('regtest')]);
    main = await mainApp(world.db, undefined, { authorisationKey: world.authorisationKey, families });
    const price = { asset: 'BTC', usd: '60000', source: 'test', updatedAt: new Date(Date.now() + 86_400_000) };
    await world.db.worker.withoutCompany((tx) => keepPrices(tx, [price]));
  });
  afterAll(async () => {
    await main.close();
    await world.close();
  });

  const fundsMinor = 1_000_000n;
  let runs = 0;

  async function begun(name: string): Promise<Run> {
    // Many rounds take longer than rates hold.
    await world.askRates();
    const company = await world.company({ isFunded: false });
    await world.deposit(company, fundsMinor);
    runs += 1;
    const payees = amounts.map((_, place) => strangersAddress(`row ${place} of run ${runs}`));
    const walletId = present(company.wallets.get(`BTC@${bitcoin.id}`));
    return approvedRun(company, { walletId, payees, chain: bitcoin.id, coin: 'BTC' }, 1n, name);
  }

  async function recover(): Promise<void> {
    for (let round = 0; round < 2; round += 1) {
      await world.work();
      await world.tend();
      await world.look();
      await world.advance(bitcoin.confirmations + 1);
    }
  }

  /** @returns how many transactions paid the three rows */
  async function expectPaidOnce(run: Run): Promise<number> {
    await expectCompleted(run);
    const hashes = new Set<string>();
    let spentMinor = 0n;
    for (const [place, payee] of run.payees.entries()) {
      const [paid, ...more] = world.chain.received(payee);
      expect([paid?.amountMinor, more], run.name).toEqual([amounts[place], []]);
      hashes.add(present(paid).hash);
      spentMinor += present(amounts[place]);
    }
    for (const hash of hashes) spentMinor += present(await world.chain.gateway.receipt(hash)).networkFeeMinor ?? 0n;
    await expectLeft(run, fundsMinor - spentMinor);
    return hashes.size;
  }

  const steps = (['sign', 'broadcast'] as const).flatMap((method) =>
    (['before', 'after'] as const).map((moment) => ({ method, moment })),
  );

  test.each(everyRound)('a worker that dies at a call leaves every row paid once (round %i)', async () => {
    const all: Run[] = [];
    for (const { method, moment } of steps) {
      const run = await begun(`${moment} ${method}`);
      let deaths = 0;
      const died = () => {
        deaths += 1;
      };
      const broken =
        method === 'sign'
          ? { signer: dying<Signer>({ sign: world.sign }, method, moment, 1, died) }
          : { gateway: dying<ChainGateway>(world.chain.gateway, method, moment, 1, died) };
      await world.tend(3_600_000, broken);
      expect(deaths, run.name).toBe(1);
      all.push(run);
    }
    await recover();
    for (const run of all) expect(await expectPaidOnce(run), run.name).toBeLessThan(amounts.length);
    await world.expectBooks();
  });

  test.runIf(isProof).each(everyRound)(
    'a worker that dies at any of its commits leaves every row paid once (round %i)',
    async () => {
      const all: Run[] = [];
      for (const moment of ['before commit', 'after commit'] satisfies Moment[]) {
        let isOver = false;
        // Outside of the proof at every sixth transaction.
        for (let transactions = 1; !isOver; transactions += killRounds === 1 ? 6 : 1) {
          const run = await begun(`${moment} ${transactions}`);
          const life = world.worker.doom(transactions, moment);
          await world.tend().catch((error: unknown) => expect(error).toBeInstanceOf(Killed));
          world.worker.revive();
          isOver = !life.isOver;
          await world.tend();
          all.push(run);
        }
      }
      expect(all.length).toBeGreaterThan(4);
      await recover();
      for (const run of all) await expectPaidOnce(run);
      await world.expectBooks();
    },
  );
});
