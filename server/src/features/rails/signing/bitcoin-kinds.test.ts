import { rmSync } from 'node:fs';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../../platform/ids.ts';
import { agreeOnEmpty } from '../../../testing/agreed-replacement.ts';
import * as asked from '../../../testing/asked-signer.ts';
import { isSignedBy } from '../../../testing/bitcoin/signatures.ts';
import {
  type BitcoinCoin,
  type BitcoinCompany,
  type BitcoinOutput,
  type BitcoinSignerWorld,
  bitcoin,
  bitcoinSignerWorld,
  newBitcoinCoin,
} from '../../../testing/bitcoin/signer-world.ts';
import type { PaymentRequest } from '../../chains/index.ts';

/** Kinds of Bitcoin transactions that pay only the company, and what the journal keeps of all. */

const payee = 'bcrt1q6z64a43mjgkcq0ul2znwneq3spghrlau9slefp';
const due = 70_000n;

let world: BitcoinSignerWorld;
let company: BitcoinCompany;
beforeAll(async () => {
  world = await bitcoinSignerWorld();
  company = await world.bitcoinCompany();
});
afterAll(() => world.close());

const own = (ordinal: number) => ({ address: company.addresses[ordinal] ?? '', ordinal });
const back = (amountMinor: bigint, place = 0): BitcoinOutput => ({
  ...(company.change[place] ?? { address: '', ordinal: 0 }),
  amountMinor,
});
const twoCoins = () => [newBitcoinCoin(own(0), 50_000n), newBitcoinCoin(own(3), 40_000n)];
const signed = (request: PaymentRequest) => asked.signed(world, request);
const refusalOf = (request: PaymentRequest) => asked.refusalOf(world, request);
const kindsOf = async (transferId: string) => {
  const found = await world.db.operator.withoutCompany((tx) =>
    sql<{ kind: string }>`select kind from signer_journal where transfer_id = ${transferId} order by seq`.execute(tx),
  );
  return found.rows.map(({ kind }) => kind);
};

async function authorised(): Promise<{ transferId: string; inputs: BitcoinCoin[]; request: PaymentRequest }> {
  const inputs = twoCoins();
  const transferId = await world.transfer(company, payee, due);
  const outputs = [{ address: payee, amountMinor: due, ordinal: null }, back(19_000n)];
  return { transferId, inputs, request: world.request(company, transferId, inputs, outputs) };
}

describe('an empty transaction', () => {
  const resourcesOf = (inputs: readonly BitcoinCoin[]) =>
    inputs.map(({ hash, index }) => `in/${bitcoin.id}/${hash}:${index}`);
  const emptying = (transferId: string, inputs: readonly BitcoinCoin[], outputs = [back(88_000n)]): PaymentRequest => ({
    ...world.request(company, transferId, inputs, outputs),
    kind: 'empty',
  });
  const agree = (
    transferId: string,
    inputs: readonly BitcoinCoin[],
    forged: NonNullable<Parameters<typeof agreeOnEmpty>[3]> = {},
  ) =>
    agreeOnEmpty(
      world,
      company,
      { id: transferId, nonce: 0 },
      { ...forged, claims: { chainId: bitcoin.id, resources: resourcesOf(inputs), ...forged.claims } },
    );

  test('takes a payment’s place where two operators agreed on it, and no attempt that pays follows', async () => {
    const { transferId, inputs, request } = await authorised();
    const paying = await signed(request);
    expect(await refusalOf(emptying(transferId, inputs))).toBe('forged');
    await agree(transferId, inputs);
    const empty = await signed(emptying(transferId, inputs));
    expect(isSignedBy(empty.raw, inputs)).toBe(true);
    expect(await refusalOf(emptying(transferId, inputs, [back(82_000n)]))).toBe('signed');
    const dearer = world.request(company, transferId, inputs, [
      { address: payee, amountMinor: due, ordinal: null },
      back(18_000n),
    ]);
    expect(await refusalOf(dearer)).toBe('other-payment');
    expect(await signed(request)).toEqual(paying);
    expect(await kindsOf(transferId)).toEqual(['transfer', 'empty', 'empty']);
  });

  test('spends what the payment spends, all of it, to one address of change', async () => {
    const { transferId, inputs, request } = await authorised();
    await agree(transferId, inputs);
    expect(await refusalOf(emptying(transferId, inputs))).toBe('unknown');
    await signed(request);
    const wrong: [readonly BitcoinCoin[], BitcoinOutput[], string][] = [
      [inputs, [{ address: payee, amountMinor: 88_000n, ordinal: null }], 'other-output'],
      [inputs, [{ ...own(5), amountMinor: 88_000n }], 'other-output'],
      [inputs, [back(40_000n), back(48_000n, 1)], 'other-output'],
      [inputs.slice(0, 1), [back(49_000n)], 'other-payment'],
      [twoCoins(), [back(88_000n)], 'other-payment'],
      [[...inputs, newBitcoinCoin(own(2), 1_000n)], [back(88_000n)], 'other-payment'],
    ];
    for (const [spent, outputs, refusal] of wrong) {
      expect(await refusalOf(emptying(transferId, spent, outputs))).toBe(refusal);
    }
    expect(await refusalOf({ ...emptying(transferId, inputs), paymentId: newId() })).toBe('other-payment');
    // Above the highest rate: 20,000 for 179 virtual bytes.
    expect(await refusalOf(emptying(transferId, inputs, [back(70_000n)]))).toBe('cost-cap');
    expect(await kindsOf(transferId)).toEqual(['transfer']);
  });

  test('is refused where one operator wanted it alone, others than those of the act, or for other inputs', async () => {
    const { transferId, inputs, request } = await authorised();
    await signed(request);
    await agree(transferId, inputs, { isAlone: true });
    await agree(transferId, inputs, { state: 'pending' });
    await agree(transferId, inputs, { claims: { confirmedBy: newId() } });
    await agree(transferId, inputs, { seal: world.seal });
    await agree(transferId, inputs, { claims: { resources: [] } });
    await agree(transferId, twoCoins());
    await agree(transferId, [...inputs, ...twoCoins()]);
    expect(await refusalOf(emptying(transferId, inputs))).toBe('forged');
    expect(await kindsOf(transferId)).toEqual(['transfer']);
  });

  test('spends what a dearer attempt added, or leaves it, and always what each attempt spends', async () => {
    const [one, two] = [await authorised(), await authorised()];
    for (const { transferId, inputs, request } of [one, two]) {
      await signed(request);
      const added = newBitcoinCoin(own(1), 10_000n);
      const outputs = [{ address: payee, amountMinor: due, ordinal: null }, back(26_000n)];
      await signed(world.request(company, transferId, [...inputs, added], outputs));
      // What operators saw: the inputs of the first attempt.
      await agree(transferId, inputs);
      expect(await refusalOf(emptying(transferId, [inputs[0] as BitcoinCoin, added], [back(55_000n)]))).toBe(
        'other-payment',
      );
      const spent = transferId === one.transferId ? inputs : [...inputs, added];
      const backMinor = spent.reduce((sum, { amountMinor }) => sum + amountMinor, -5_000n);
      expect(isSignedBy((await signed(emptying(transferId, spent, [back(backMinor)]))).raw, spent)).toBe(true);
    }
  });
});

test('the journal is made good from the database, byte by byte, and knows what was spent', async () => {
  const { request, inputs } = await authorised();
  const first = await signed(request);
  const whole = asked.journalEntries(world);
  await world.stopSigner();
  rmSync(world.journalFile);
  expect(await world.rebuildJournal()).toMatchObject({ added: whole.length, entries: whole.length });
  expect(asked.journalEntries(world)).toEqual(whole);
  await world.startSigner();
  await asked.releaseRestoreMode(world);
  expect(await signed(request)).toEqual(first);
  const second = await world.transfer(company, payee, due);
  const outputs = [{ address: payee, amountMinor: due, ordinal: null }, back(19_000n)];
  expect(await refusalOf(world.request(company, second, inputs, outputs))).toBe('input-taken');
});
