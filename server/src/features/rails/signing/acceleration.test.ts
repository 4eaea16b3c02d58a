import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../../platform/ids.ts';
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
import { accelerateKind, type PaymentRequest } from '../../chains/index.ts';
import { insertTransactions } from '../../transactions/index.ts';
import { type AccelerationClaims, accelerationType } from '../bitcoin/acceleration.ts';

/** What the signer signs of accelerations: what the company's process sealed, and nothing else (docs/adr/0091). */

const payee = 'bcrt1q6z64a43mjgkcq0ul2znwneq3spghrlau9slefp';

let world: BitcoinSignerWorld;
let company: BitcoinCompany;
beforeAll(async () => {
  world = await bitcoinSignerWorld({
    maxFeeRate: 100,
    maxFeePercent: 10,
    smallFeeMinor: 5_000n,
    maxAccelerationsPerHour: 100,
    treasuryPerDay: new Map(),
  });
  company = await world.bitcoinCompany();
});
afterAll(() => world.close());

const own = (ordinal: number) => ({ address: company.addresses[ordinal] ?? '', ordinal });
const back = (amountMinor: bigint, place = 0, of = company): BitcoinOutput => ({
  ...(of.change[place] ?? { address: '', ordinal: 0 }),
  amountMinor,
});
const refusalOf = (request: PaymentRequest) => asked.refusalOf(world, request);

/** An acceleration as the HTTP process leaves it. */
async function sealed(coin: BitcoinCoin, changed: Partial<AccelerationClaims> = {}): Promise<string> {
  const id = newId();
  const depositId = newId();
  const walletId = company.wallets.get(`BTC@${bitcoin.id}`) ?? '';
  const common = { walletId, coin: 'BTC', payeeAccount: coin.address, chain: { chainId: bitcoin.id } };
  await world.db.app.withCompany(company.id, async (tx) => {
    await insertTransactions(tx, [
      {
        ...common,
        id: depositId,
        type: 'chain_deposit',
        quantityMinor: coin.amountMinor,
        timeline: [{ stage: 'seen' }],
      },
      { ...common, id, type: accelerationType, quantityMinor: 0n, feeMinor: 2_000n, timeline: [{ stage: 'approved' }] },
    ]);
    await sql`insert into bitcoin_acceleration (company_id, transaction_id, deposit_id, chain_id, hash, index, parent_fee, parent_vsize)
      values (company_id(), ${id}, ${depositId}, ${bitcoin.id}, ${coin.hash}, ${coin.index}, 150, 141)`.execute(tx);
  });
  await seal(id, coin, changed);
  return id;
}

async function seal(
  id: string,
  { hash, index }: BitcoinCoin,
  changed: Partial<AccelerationClaims> = {},
): Promise<void> {
  const claims: AccelerationClaims = {
    version: 1,
    companyId: company.id,
    transferId: id,
    chainId: bitcoin.id,
    hash,
    index,
    feeMinor: '2000',
    initiatorId: newId(),
    issuedAt: new Date().toISOString(),
    ...changed,
  };
  await world.db.app.withCompany(company.id, (tx) =>
    sql`insert into bitcoin_acceleration_seal (company_id, transaction_id, fee, jws)
      values (company_id(), ${id}, ${claims.feeMinor}::bigint, ${world.seal('causeway-acceleration', claims)})`.execute(
      tx,
    ),
  );
}

const accelerating = (
  id: string,
  coins: readonly BitcoinCoin[],
  outputs: readonly BitcoinOutput[] = [back((coins[0]?.amountMinor ?? 0n) - 2_000n)],
): PaymentRequest => ({ ...world.request(company, id, coins, outputs), kind: accelerateKind });

test('spends the deposit that was sealed to the company’s change, dearer once a higher fee is sealed', async () => {
  const coin = newBitcoinCoin(own(1), 30_000n);
  const id = await sealed(coin);
  const { raw } = await asked.signed(world, accelerating(id, [coin]));
  expect(isSignedBy(raw, [coin])).toBe(true);
  const dearer = accelerating(id, [coin], [back(26_500n)]);
  expect(await refusalOf(dearer)).toBe('cost-cap');
  await seal(id, coin, { feeMinor: '3500' });
  expect(await refusalOf(dearer)).toBe('signed');
  // To another address of change: not an attempt of the same.
  expect(await refusalOf(accelerating(id, [coin], [back(26_500n, 1)]))).toBe('other-payment');
  const second = await sealed(coin);
  expect(await refusalOf(accelerating(second, [coin]))).toBe('input-taken');
});

describe('refuses', () => {
  test('what spends or pays anything else', async () => {
    const coin = newBitcoinCoin(own(1), 30_000n);
    const other = newBitcoinCoin(own(2), 30_000n);
    const id = await sealed(coin);
    const stranger = await world.bitcoinCompany();
    const forged: [PaymentRequest, string][] = [
      [accelerating(id, [other]), 'other-payment'],
      [accelerating(id, [{ ...coin, index: coin.index + 1 }]), 'other-payment'],
      [accelerating(id, [coin, other], [back(58_000n)]), 'other-payment'],
      [accelerating(id, [coin], [{ address: payee, amountMinor: 28_000n, ordinal: null }]), 'other-output'],
      [accelerating(id, [coin], [{ ...own(5), amountMinor: 28_000n }]), 'other-output'],
      [accelerating(id, [coin], [back(10_000n), back(18_000n, 1)]), 'other-output'],
      [accelerating(id, [coin], [{ ...back(28_000n, 0, stranger), ordinal: null }]), 'other-output'],
      [accelerating(id, [coin], [back(28_000n, 0, stranger)]), 'invalid-plan'],
      [accelerating(id, [{ ...coin, ...stranger.change[0] } as BitcoinCoin]), 'invalid-plan'],
      [accelerating(id, [coin], [back(27_999n)]), 'cost-cap'],
      [accelerating(id, [coin], [back(100n)]), 'invalid-plan'],
      [{ ...accelerating(id, [coin]), paymentId: newId() }, 'other-payment'],
      [{ ...accelerating(id, [coin]), kind: 'transfer' }, 'other-payment'],
      [{ ...accelerating(id, [coin]), kind: 'empty' }, 'other-payment'],
    ];
    for (const [request, refusal] of forged) expect(await refusalOf(request)).toBe(refusal);
    expect(await refusalOf(accelerating(id, [coin]))).toBe('signed');
  });

  test.each<[string, Partial<AccelerationClaims>]>([
    ['company', { companyId: newId() }],
    ['payment', { transferId: newId() }],
    ['chain', { chainId: 'ethereum' }],
  ])('a seal about another %s', async (_, changed) => {
    const coin = newBitcoinCoin(own(1), 30_000n);
    expect(await refusalOf(accelerating(await sealed(coin, changed), [coin]))).toBe('forged');
  });

  test('a transfer as an acceleration', async () => {
    const coin = newBitcoinCoin(own(1), 30_000n);
    const transferId = await world.transfer(company, payee, 20_000n);
    expect(await refusalOf(accelerating(transferId, [coin]))).toBe('other-payment');
  });

  test('what has ended', async () => {
    const coin = newBitcoinCoin(own(1), 30_000n);
    const id = await sealed(coin);
    await world.db.worker.withCompany(company.id, (tx) =>
      sql`insert into transaction_stage (company_id, transaction_id, id, stage)
        values (company_id(), ${id}, ${newId()}, 'failed')`.execute(tx),
    );
    expect(await refusalOf(accelerating(id, [coin]))).toBe('ended');
  });
});
