import { HDKey } from '@scure/bip32';
import { describe, expect, test } from 'vitest';
import type { Intent, PaymentRecord, RecordedCoin, SigningHistory } from '../signer/family.ts';
import { changeOrdinal, companyAccountPath } from './derivation.ts';
import { type BitcoinIntent, bitcoinJournal } from './journal-family.ts';
import { bitcoinKeys } from './keys.ts';
import { createBitcoinSigner } from './signer-family.ts';
import { type BitcoinSigningPlan, bitcoinSigningPlanOf, type PlannedTransaction } from './signing-plan.ts';

/** The Bitcoin family in the signer by itself: its keys, its limits at each bound and one beyond, and what the treasury pays. */

const root = HDKey.fromMasterSeed(new Uint8Array(32).fill(5));
const derive = (path: string) => root.derive(path);
const network = 'regtest';
const keys = bitcoinKeys(derive, network);
const limits = {
  maxFeeRate: 50,
  maxFeePercent: 10,
  smallFeeMinor: 2_000n,
  maxAccelerationsPerHour: 3,
  treasuryPerDay: new Map([['BTC', 100_000n]]),
};
const signer = createBitcoinSigner({ derive, network, chains: [{ id: 'bitcoin', nativeCoin: 'BTC' }], limits });

const company = 4;
const place = (ordinal: number) => ({ address: keys.company(company, ordinal).address, ordinal });
const own = (ordinal: number) => ({ ...place(ordinal), derivationIndex: company });
const outpoint = (index: number) => ({ hash: '11'.repeat(32), index });

const payment: Intent = {
  family: 'bitcoin',
  companyId: '01980000-0000-7000-8000-000000000001',
  transferId: '01980000-0000-7000-8000-000000000002',
  paymentId: '01980000-0000-7000-8000-000000000002',
  kind: 'transfer',
  chainId: 'bitcoin',
  toAddress: own(0).address,
  coin: 'BTC',
  amountMinor: 60_000n,
  legs: ['a', 'b'],
};
const registered = { family: 'bitcoin', evmChainId: null, contract: null };
const record: RecordedCoin = { chainId: 'bitcoin', coin: 'BTC', registered };
const paidBy = (payer: 'company' | 'treasury'): PaymentRecord => ({
  ...record,
  payer,
  addresses: [own(0), own(3), own(changeOrdinal(0))],
});

const account = derive(companyAccountPath(network));
function planOf(planned: Omit<PlannedTransaction, 'companyIndex'>): BitcoinSigningPlan {
  const plan = bitcoinSigningPlanOf({ companyIndex: company, ...planned }, { account, network });
  return signer.plans.get('transfer')?.parse(plan) as BitcoinSigningPlan;
}

function refusalOf(work: () => unknown): unknown {
  try {
    work();
    return null;
  } catch (error) {
    return (error as { refusal?: string }).refusal ?? error;
  }
}

describe('what the treasury pays', () => {
  const treasury = { address: keys.treasury.address, ordinal: null };
  const spends = (from: PlannedTransaction['inputs'][number], back: PlannedTransaction['outputs'][number]) =>
    planOf({ inputs: [from], outputs: [{ ...place(0), ordinal: null, amountMinor: 60_000n }, back] });
  const from = { ...outpoint(0), ...treasury, amountMinor: 100_000n };
  const back = { ...treasury, amountMinor: 39_000n };

  test('is spent from its one address, comes back to it, and uses up its legs', async () => {
    const intent = signer.intentOf(payment, spends(from, back), paidBy('treasury'));
    expect(intent).toMatchObject({ feeMinor: 1_000n, inputs: [{ derivationIndex: null, ordinal: null }] });
    expect(bitcoinJournal.isFromTreasury(intent)).toBe(true);
    expect(bitcoinJournal.resourcesOf(intent)).toEqual([
      `in/bitcoin/${'11'.repeat(32)}:0`,
      `leg/${payment.companyId}/a`,
      `leg/${payment.companyId}/b`,
    ]);
    expect(bitcoinJournal.withPlan(payment, bitcoinJournal.planOf(intent))).toEqual(intent);
    expect((await signer.sign(intent)).hash).toMatch(/^[0-9a-f]{64}$/);
  });

  test('is never spent from a company, nor what is a company’s in its name', () => {
    const ours = { ...outpoint(0), ...place(3), amountMinor: 100_000n };
    expect(refusalOf(() => signer.intentOf(payment, spends(ours, back), paidBy('treasury')))).toBe('foreign-address');
    expect(refusalOf(() => signer.intentOf(payment, spends(from, back), paidBy('company')))).toBe('foreign-address');
    const away = { ...place(changeOrdinal(0)), amountMinor: 39_000n };
    expect(refusalOf(() => signer.intentOf(payment, spends(from, away), paidBy('treasury')))).toBe('other-output');
    const toTreasury = planOf({
      inputs: [ours],
      outputs: [{ ...place(0), ordinal: null, amountMinor: 60_000n }, back],
    });
    expect(refusalOf(() => signer.intentOf(payment, toTreasury, paidBy('company')))).toBe('other-output');
  });

  test('is so much of a coin in a day, and what the journal knows is signed again', () => {
    const intent = signer.intentOf(payment, spends(from, back), paidBy('treasury'));
    const paid = (minor: bigint, isKnown = false): SigningHistory => ({
      isKnown,
      countSince: () => 0,
      treasuryPaidSince: () => minor,
    });
    expect(refusalOf(() => signer.limit(intent, paid(40_000n)))).toBeNull();
    expect(refusalOf(() => signer.limit(intent, paid(40_001n)))).toBe('treasury-cap');
    expect(refusalOf(() => signer.limit(intent, paid(40_001n, true)))).toBeNull();
    expect(refusalOf(() => signer.limit({ ...intent, coin: 'LTC' }, paid(0n)))).toBe('treasury-cap');
  });
});

describe('its limits', () => {
  const none: SigningHistory = { isKnown: false, countSince: () => 0, treasuryPaidSince: () => 0n };
  const ours = { ...outpoint(0), ...place(3), amountMinor: 1_000_000n, derivationIndex: company };
  const intent: BitcoinIntent = {
    ...payment,
    inputs: [ours],
    outputs: [{ ...place(0), ordinal: null, amountMinor: 60_000n }],
    feeMinor: 0n,
  };
  const refused = (changed: Partial<BitcoinIntent>, history = none) =>
    refusalOf(() => signer.limit({ ...intent, ...changed }, history));

  test('the rate, over the size of what is signed', () => {
    // 110 virtual bytes.
    expect(refused({ feeMinor: 5_500n })).toBeNull();
    expect(refused({ feeMinor: 5_501n })).toBe('cost-cap');
  });

  test('a share of what is paid, of a fee that is not small', () => {
    expect(refused({ feeMinor: 2_000n, amountMinor: 1_000n })).toBeNull();
    expect(refused({ feeMinor: 2_001n, amountMinor: 20_010n })).toBeNull();
    expect(refused({ feeMinor: 2_001n, amountMinor: 20_009n })).toBe('cost-cap');
    // Of what pays no one: a share of what is spent.
    expect(refused({ kind: 'empty', feeMinor: 5_500n, amountMinor: 0n })).toBeNull();
    const small = { ...ours, amountMinor: 20_009n };
    expect(refused({ kind: 'empty', feeMinor: 2_001n, amountMinor: 0n, inputs: [small] })).toBe('cost-cap');
  });

  test('accelerations of the last hour, alone', () => {
    const asked: [string, number][] = [];
    const counting = (count: number, isKnown = false): SigningHistory => ({
      ...none,
      isKnown,
      countSince(kind, since) {
        asked.push([kind, Math.round((Date.now() - since.getTime()) / 60_000)]);
        return count;
      },
    });
    expect(refused({ kind: 'accelerate' }, counting(2))).toBeNull();
    expect(refused({ kind: 'accelerate' }, counting(3))).toBe('acceleration-rate');
    expect(refused({ kind: 'accelerate' }, counting(3, true))).toBeNull();
    expect(refused({}, counting(3))).toBeNull();
    expect(asked).toEqual([
      ['accelerate', 60],
      ['accelerate', 60],
    ]);
  });
});

test('an acceleration pays no one: what it spends beyond its fee comes back', () => {
  const inputs = [{ ...outpoint(0), ...place(3), amountMinor: 70_000n }];
  const plan = planOf({ inputs, outputs: [{ ...place(changeOrdinal(0)), amountMinor: 69_000n }] });
  const child = { ...payment, kind: 'accelerate' };
  expect(signer.intentOf(child, plan, paidBy('company'))).toMatchObject({ amountMinor: 0n, feeMinor: 1_000n });
});

test('an address is the company’s that the seed gives at its index and ordinal, and no other', () => {
  expect(signer.derives(own(3))).toBe(true);
  expect(signer.derives(own(changeOrdinal(0)))).toBe(true);
  expect(signer.derives({ ...own(3), ordinal: 4 })).toBe(false);
  expect(signer.derives({ ...own(3), derivationIndex: 5 })).toBe(false);
  expect(signer.derives({ ...own(3), address: keys.treasury.address })).toBe(false);
  // The key is there, but the public key of the account does not give it.
  const hardened = derive(`${companyAccountPath(network)}/4'/0/3`);
  expect(hardened.publicKey).not.toBeNull();
  expect(signer.derives({ ...own(3), derivationIndex: 0x8000_0004 })).toBe(false);
  expect(signer.derives({ ...own(3), ordinal: 2_000_000_000 })).toBe(false);
  expect(signer.derives({ ...own(3), ordinal: -1 })).toBe(false);
});

test('the registry describes chain and coin as the configuration does', () => {
  expect(signer.isConfigured(record)).toBe(true);
  for (const other of [
    { ...record, coin: 'LTC' },
    { ...record, chainId: 'signet' },
    { ...record, registered: { ...registered, contract: 'c' } },
    { ...record, registered: { ...registered, evmChainId: 1 } },
  ]) {
    expect(signer.isConfigured(other), JSON.stringify(other)).toBe(false);
  }
  const plan = { inputs: [], outputs: [], feeMinor: 0n };
  expect(signer.isSignable({ ...payment, ...plan })).toBe(true);
  expect(signer.isSignable({ ...payment, ...plan, coin: 'LTC' })).toBe(false);
  expect(signer.isSignable({ ...payment, ...plan, chainId: 'signet' })).toBe(false);
});

test('it signs with the key of each input, and nothing whose key is another’s', async () => {
  const input = { ...outpoint(0), ...place(3), amountMinor: 70_000n, derivationIndex: company };
  const outputs = [{ ...place(0), ordinal: null, amountMinor: 60_000n }];
  const intent: BitcoinIntent = { ...payment, inputs: [input], outputs, feeMinor: 10_000n };
  await expect(signer.sign(intent)).resolves.toMatchObject({ raw: expect.stringMatching(/^02000000000101/) });
  for (const wrong of [{ ordinal: 4 }, { derivationIndex: 5 }, { ordinal: null }, { derivationIndex: null }]) {
    await expect(signer.sign({ ...intent, inputs: [{ ...input, ...wrong }] })).rejects.toThrow(/the key is that/);
  }
});
