import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { strangersAddress } from '../../../testing/bitcoin/addresses.ts';
import { type BitcoinWorld, bitcoinWorld } from '../../../testing/bitcoin/world.ts';
import { timeline, transactions } from '../../../testing/chain-transfers.ts';
import { dying, eachDeath, Killed, killRounds, type Moment } from '../../../testing/dying.ts';
import { isProof } from '../../../testing/proof.ts';
import type { SignedCompany } from '../../../testing/signer-world.ts';
import type { ChainGateway, Signer } from '../../chains/index.ts';

/**
 * Payments and deposits on a Bitcoin chain while the worker dies at each of its steps: before and after each commit, each signature and each broadcast.
 * Nothing is paid, credited or given back twice, and everything comes to its end.
 */

vi.setConfig({ testTimeout: 120_000 });
const everyRound = Array.from({ length: killRounds }, (_, index) => index + 1);
const depth = 2;
const [fundsMinor, amountMinor, feeMinor] = [100_000n, 50_000n, 2_000n];
const several = [30_000n, 20_000n, 10_000n] as const;

let world: BitcoinWorld;
beforeAll(async () => {
  world = await bitcoinWorld();
});
afterAll(() => world.close());

interface Case {
  company: SignedCompany;
  payee: string;
  id: string;
}

let payees = 0;
async function fundedCompanies(count: number): Promise<SignedCompany[]> {
  const companies: SignedCompany[] = [];
  // One after another: all at once would wait for connections.
  for (let left = count; left > 0; left -= 1) companies.push(await world.company({ isFunded: false }));
  for (const { address } of companies) world.chain.fund([{ address, amountMinor: fundsMinor }]);
  await world.advance(depth + 1);
  return companies;
}

async function submit(company: SignedCompany): Promise<Case> {
  payees += 1;
  const payee = strangersAddress(`killed ${payees}`);
  return { company, payee, id: await world.promised(company, payee, amountMinor, feeMinor) };
}

/** Waits for a block, and its fee was raised by as much as is returned. */
async function raise(company: SignedCompany): Promise<Case & { raisedMinor: bigint }> {
  const one = await submit(company);
  await world.work();
  await world.look();
  return { ...one, raisedMinor: await world.raise(company, one.id) };
}

/** Three payments of one company that are ready at the same time. */
async function submitSeveral(company: SignedCompany): Promise<Case & { all: Case[] }> {
  const all: Case[] = [];
  for (let place = 0; place < several.length; place += 1) {
    payees += 1;
    const payee = strangersAddress(`killed ${payees}`);
    all.push({ company, payee, id: await world.promised(company, payee, several[place] ?? 0n, feeMinor) });
  }
  return { ...(all[0] as Case), all };
}

const submitted = async () => submit(...((await fundedCompanies(1)) as [SignedCompany]));
const raised = async () => raise(...((await fundedCompanies(1)) as [SignedCompany]));

/**
 * Has a worker die at each transaction of what it does for a payment, before the commit and after it, each time for another payment; outside of
 * the proof at every second one, or every nth. Between them another worker goes on.
 */
async function eachDeathOf<C extends Case>(
  begin: (company: SignedCompany) => Promise<C>,
  { doing, goOn, every = 2 }: { doing: () => Promise<void>; goOn: () => Promise<void>; every?: number },
): Promise<(C & { death: string })[]> {
  const [first] = await fundedCompanies(1);
  if (first) await begin(first);
  const whole = world.worker.doom(Number.POSITIVE_INFINITY, 'before commit');
  await doing();
  world.worker.revive();
  const deaths = (['before commit', 'after commit'] as const).flatMap((moment, place) =>
    Array.from({ length: whole.transactions }, (_, index) => ({ moment, transactions: index + 1 })).filter(
      ({ transactions }) => killRounds > 1 || transactions % every === place,
    ),
  );
  const cases: (C & { death: string })[] = [];
  for (const [place, company] of (await fundedCompanies(deaths.length)).entries()) {
    const { moment, transactions } = deaths[place] ?? { moment: 'before commit', transactions: 0 };
    const one = await begin(company);
    const death = `${moment} ${transactions}`;
    expect(await dies(transactions, moment, doing), death).toBe(true);
    cases.push({ ...one, death });
    await goOn();
  }
  expect(cases.length).toBeGreaterThan(4);
  return cases;
}

/** What the worker was doing, dead at one of its transactions. @returns whether it had as many */
async function dies(transactions: number, moment: Moment, doing: () => Promise<void>): Promise<boolean> {
  const life = world.worker.doom(transactions, moment);
  await doing().catch((error: unknown) => {
    if (!(error instanceof Killed)) throw error;
  });
  world.worker.revive();
  return life.isOver;
}

/** Another worker. */
async function recover(): Promise<void> {
  for (let round = 0; round < 2; round += 1) {
    await world.work();
    await world.tend();
    await world.look();
    await world.advance(depth + 1);
  }
}

/** @param feesMinor what the payment may have cost, the miner's part alone */
async function expectPaidOnce({ company, payee, id }: Case, feesMinor: readonly bigint[], name: string): Promise<void> {
  expect(await world.transaction(company, id), name).toMatchObject({ stage: 'completed' });
  expect(world.chain.received(payee), name).toMatchObject([{ amountMinor }]);
  const { available = 0n, ...rest } = await world.balances(company);
  expect(feesMinor, name).toContain(fundsMinor - amountMinor - available);
  expect(rest, name).toMatchObject({ outbound: 0n, inbound: 0n, fee: 0n, deficit: 0n });
  const stages = await timeline(world, company, id);
  expect(
    stages.filter((stage) => stage === 'completed'),
    name,
  ).toHaveLength(1);
}

/** Each payee has its money once, and the wallet has paid these payments and the miners of what made them, alone. */
async function expectEachPaidOnce(
  { company, all }: { company: SignedCompany; all: readonly Case[] },
  name: string,
): Promise<void> {
  const hashes = new Set<string>();
  let spentMinor = 0n;
  for (const [place, { payee, id }] of all.entries()) {
    expect(await world.transaction(company, id), name).toMatchObject({ stage: 'completed' });
    const [paid, ...more] = world.chain.received(payee);
    expect([paid?.amountMinor, more], name).toEqual([several[place], []]);
    const stages = await timeline(world, company, id);
    expect(
      stages.filter((stage) => stage === 'completed'),
      name,
    ).toHaveLength(1);
    hashes.add(paid?.hash ?? '');
    spentMinor += several[place] ?? 0n;
  }
  for (const hash of hashes) spentMinor += (await world.chain.gateway.receipt(hash))?.networkFeeMinor ?? 0n;
  expect(await world.balances(company), name).toMatchObject({
    available: fundsMinor - spentMinor,
    outbound: 0n,
    fee: 0n,
    deficit: 0n,
  });
  joinedTransactions += all.length - hashes.size;
}
/** Of payments that could have gone alone, how many had no transaction of their own. */
let joinedTransactions = 0;

const sides: readonly ['signer' | 'gateway', 'sign' | 'broadcast'][] = [
  ['signer', 'sign'],
  ['gateway', 'broadcast'],
];
const steps = sides.flatMap(([part, method]) =>
  (['before', 'after'] as const).map((moment) => [part, method, moment] as const),
);

function broken(part: 'signer' | 'gateway', method: 'sign' | 'broadcast', moment: 'before' | 'after') {
  if (part === 'signer') return { signer: dying<Signer>({ sign: world.sign }, 'sign', moment) };
  return { gateway: dying<ChainGateway>(world.chain.gateway, method as 'broadcast', moment) };
}

describe.each(everyRound)('a worker that is killed (round %i)', () => {
  test('at each transaction of a transfer pays it once', async () => {
    const cases = await eachDeathOf(submit, { doing: () => world.work(), goOn: () => world.work() });
    await recover();
    for (const one of cases) await expectPaidOnce(one, [feeMinor], one.death);
    await world.expectBooks();
  });

  test.each(steps)('at the %s’s %s of a transfer, %s it, pays it once', async (part, method, moment) => {
    const one = await submitted();
    await expect(world.work(broken(part, method, moment))).rejects.toThrow(Killed);
    await recover();
    await expectPaidOnce(one, [feeMinor], `${moment} ${method}`);
  });

  test.runIf(isProof)('at each transaction of several payments that go out together pays each once', async () => {
    joinedTransactions = 0;
    // One after another, so that the first takes the others with it.
    const cases = await eachDeathOf(submitSeveral, { doing: () => world.tend(), goOn: () => world.tend(), every: 6 });
    await recover();
    for (const one of cases) await expectEachPaidOnce(one, one.death);
    expect(joinedTransactions).toBeGreaterThan(cases.length);
    await world.expectBooks();
  });

  test.each(isProof ? steps : steps.slice(0, 1))(
    'at the %s’s %s of several payments, %s it, pays each once',
    async (part, method, moment) => {
      const one = await submitSeveral(...((await fundedCompanies(1)) as [SignedCompany]));
      await world.tend(3_600_000, broken(part, method, moment));
      await recover();
      await expectEachPaidOnce(one, `${moment} ${method}`);
    },
  );

  test.runIf(isProof)('at each transaction that settles several payments settles each once', async () => {
    const one = await submitSeveral(...((await fundedCompanies(1)) as [SignedCompany]));
    await world.tend();
    await world.look();
    await world.advance(depth);
    world.chain.mine();
    const deaths = await eachDeath((transactions, moment) => dies(transactions, moment, () => world.followBlocks()));
    expect(deaths).toBeGreaterThan(4);
    await recover();
    await expectEachPaidOnce(one, 'settled');
    await world.expectBooks();
  });

  test.runIf(isProof)('at each transaction of a replacement pays it once, and charges what the miner got', async () => {
    const goOn = async () => {
      await world.tend();
      world.chain.mine();
      await world.followBlocks();
    };
    const cases = await eachDeathOf(raise, { doing: () => world.tend(), goOn });
    await recover();
    for (const one of cases) await expectPaidOnce(one, [feeMinor, one.raisedMinor], one.death);
    await world.expectBooks();
  });

  test.each(steps)('at the %s’s %s of a replacement, %s it, pays it once', async (part, method, moment) => {
    const one = await raised();
    await world.tend(3_600_000, broken(part, method, moment));
    await recover();
    await expectPaidOnce(one, [feeMinor, one.raisedMinor], `${moment} ${method}`);
  });

  test('at each transaction that settles the cheaper attempt gives what was added to the fee back once', async () => {
    const one = await raised();
    await world.advance(depth);
    world.chain.mine();
    const deaths = await eachDeath((transactions, moment) => dies(transactions, moment, () => world.followBlocks()));
    expect(deaths).toBeGreaterThan(4);
    await recover();
    await expectPaidOnce(one, [feeMinor], 'settled');
    await world.expectBooks();
  });

  test('at each transaction in which a deposit is shown, credited or taken back counts it once', async () => {
    const company = await world.company({ isFunded: false });
    const [address = '', second = ''] = company.addresses;
    const everyDeath = (doing: () => Promise<void>) =>
      eachDeath((transactions, moment) => dies(transactions, moment, doing));
    const gone = world.chain.fund([{ address: second, amountMinor: 7_000n }], { isReplaceable: true });
    world.chain.fund([{ address, amountMinor: fundsMinor }]);
    let deaths = await everyDeath(() => world.look());
    expect(await world.balances(company)).toMatchObject({ inbound: fundsMinor + 7_000n, available: 0n });
    world.chain.refund(gone, [{ address: second, amountMinor: 6_000n }]);
    deaths += await everyDeath(() => world.look());
    expect(await world.balances(company)).toMatchObject({ inbound: fundsMinor + 6_000n, available: 0n });
    for (let block = 0; block <= depth; block += 1) {
      world.chain.mine();
      deaths += await everyDeath(() => world.followBlocks());
    }
    expect(await world.balances(company)).toMatchObject({ inbound: 0n, available: fundsMinor + 6_000n });
    world.chain.reorganise(depth + 1, 'lost');
    deaths += await everyDeath(() => world.followBlocks());
    expect(await world.balances(company)).toMatchObject({ inbound: 0n, available: 0n, deficit: 0n });
    expect(deaths).toBeGreaterThan(20);
    expect(
      (await transactions(world, company))
        .filter(({ type }) => type === 'chain_deposit')
        .map(({ stage }) => stage)
        .sort(),
    ).toEqual(['orphaned', 'reversed', 'reversed']);
    await world.expectBooks();
  });
});
