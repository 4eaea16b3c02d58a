import { getAddress, recoverTransactionAddress } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import type { RecordedCoin, SigningHistory } from '../signer/family.ts';
import type { EvmIntent } from './journal-family.ts';
import { createEvmSigner } from './signer-family.ts';

/**
 * The EVM family in the signer. Its limits: at each bound the signer still signs, one beyond it refuses; amounts in wei. Its own
 * configuration and keys: what contradicts them is not signed, whatever the records say.
 */

const limits = {
  maxNetworkFeeWei: 2_100_000n,
  maxAdvanceWei: 1000n,
  maxAdvancesPerHour: 3,
  treasuryPerDay: new Map([['USDC', 100n]]),
};
// Limits are judged before any key is used.
const unusedKeys = {
  treasury: { address: '0x00000000000000000000000000000000000000f0' },
} as unknown as Parameters<typeof createEvmSigner>[0]['keys'];
const signer = createEvmSigner({ keys: unusedKeys, chains: [], limits });

const advance: EvmIntent = {
  family: 'evm',
  companyId: '01980000-0000-7000-8000-000000000001',
  transferId: '01980000-0000-7000-8000-000000000002',
  paymentId: '01980000-0000-7000-8000-000000000003',
  kind: 'gas',
  chainId: 'ethereum',
  toAddress: '0x00000000000000000000000000000000000000c0',
  coin: 'native',
  amountMinor: 1000n,
  fromAddress: '0x00000000000000000000000000000000000000d0',
  derivationIndex: null,
  nonce: 0,
  gasLimit: 21_000n,
  maxFeePerGas: 100n,
  maxPriorityFeePerGas: 1n,
};
const signed = (count: number, isKnown = false): SigningHistory => ({
  isKnown,
  countSince: () => count,
  treasuryPaidSince: () => BigInt(count),
});

function refusal(changed: Partial<EvmIntent>, history = signed(0)): unknown {
  try {
    signer.limit({ ...advance, ...changed }, history);
    return null;
  } catch (error) {
    return (error as { refusal?: string }).refusal;
  }
}

test('network fees have a cap for transfers and advances', () => {
  expect(refusal({})).toBeNull();
  expect(refusal({ maxFeePerGas: 101n })).toBe('cost-cap');
  expect(refusal({ kind: 'transfer', derivationIndex: 4, gasLimit: 42_000n, maxFeePerGas: 50n })).toBeNull();
  expect(refusal({ kind: 'transfer', derivationIndex: 4, gasLimit: 42_001n, maxFeePerGas: 50n })).toBe('cost-cap');
});

test('an advance is a plain payment of at most so much', () => {
  expect(refusal({ gasLimit: 20_999n })).toBe('cost-cap');
  expect(refusal({ amountMinor: 1001n })).toBe('top-up-cap');
});

test('so many advances an hour, and one that the journal knows is signed again beyond that', () => {
  expect(refusal({}, signed(2))).toBeNull();
  expect(refusal({}, signed(3))).toBe('top-up-rate');
  expect(refusal({}, signed(3, true))).toBeNull();
  expect(refusal({ kind: 'transfer', derivationIndex: 4 }, signed(3))).toBeNull();
});

test('the hour counts back from now, for advances alone', () => {
  const asked: [string, number][] = [];
  signer.limit(advance, {
    isKnown: false,
    countSince: (kind, since) => {
      asked.push([kind, Math.round((Date.now() - since.getTime()) / 60_000)]);
      return 0;
    },
    treasuryPaidSince: () => 0n,
  });
  expect(asked).toEqual([['gas', 60]]);
});

test('so much of a coin leaves the treasury in a day, of one that is not named nothing, and what the journal knows is signed again', () => {
  const settlement = { kind: 'transfer', coin: 'USDC', amountMinor: 60n } as const;
  expect(refusal(settlement, signed(40))).toBeNull();
  expect(refusal(settlement, signed(41))).toBe('treasury-cap');
  expect(refusal(settlement, signed(41, true))).toBeNull();
  expect(refusal({ ...settlement, coin: 'ETH' }, signed(0))).toBe('treasury-cap');
  expect(refusal({ ...settlement, derivationIndex: 4 }, signed(1000))).toBeNull();
});

describe('by its own configuration and keys', () => {
  const contract = getAddress('0x00000000000000000000000000000000000000e1');
  const key = (last: string) => privateKeyToAccount(`0x${last.padStart(64, '0')}`);
  const keys = {
    gasTank: key('1'),
    treasury: key('9'),
    company: (index: number, ordinal = 0) => key(`${index + 2}${ordinal}`),
  };
  const ethereum = {
    id: 'ethereum',
    chainId: 31_337,
    nativeCoin: 'ETH',
    tokens: [{ coin: 'USDT', contract, decimals: 6 }],
  };
  const configured = createEvmSigner({ keys, chains: [ethereum], limits });
  const own = { address: keys.company(4).address, derivationIndex: 4, ordinal: 0 };
  const transfer: EvmIntent = {
    ...advance,
    kind: 'transfer',
    fromAddress: own.address,
    derivationIndex: 4,
    coin: 'USDT',
  };
  const fromTank: EvmIntent = { ...advance, fromAddress: keys.gasTank.address };

  test('an address is the company’s that the seed gives at its index and place', () => {
    expect(configured.derives(own)).toBe(true);
    expect(configured.derives({ ...own, derivationIndex: 5 })).toBe(false);
    expect(configured.derives({ ...own, address: keys.gasTank.address })).toBe(false);
    expect(configured.derives({ ...own, ordinal: 1 })).toBe(false);
    const further = { ...own, address: keys.company(4, 1).address, ordinal: 1 };
    expect(configured.derives(further)).toBe(true);
    expect(configured.derives({ ...further, ordinal: 2 })).toBe(false);
  });

  const registered = { family: 'evm', evmChainId: 31_337, contract: contract.toLowerCase() };
  const usdt: RecordedCoin = { chainId: 'ethereum', coin: 'USDT', registered };
  const ether: RecordedCoin = { chainId: 'ethereum', coin: 'ETH', registered: { ...registered, contract: null } };

  test('the registry describes chain and coin as the configuration does', () => {
    expect(configured.isConfigured(usdt)).toBe(true);
    expect(configured.isConfigured(ether)).toBe(true);
    const contradictions: RecordedCoin[] = [
      { ...usdt, registered: { ...registered, evmChainId: 1 } },
      { ...usdt, registered: { ...registered, contract: own.address } },
      { ...usdt, registered: { ...registered, contract: null } },
      { ...ether, registered },
      { ...ether, coin: 'USDC' },
      { ...usdt, chainId: 'harbour' },
      // A chain that neither side gives a number to.
      { ...ether, chainId: 'harbour', registered: { ...registered, evmChainId: null, contract: null } },
    ];
    for (const record of contradictions) expect(configured.isConfigured(record), JSON.stringify(record)).toBe(false);
  });

  test('an entry can be signed while its chain and coin are configured and its sender has a key', () => {
    expect(configured.isSignable(transfer)).toBe(true);
    expect(configured.isSignable(fromTank)).toBe(true);
    expect(configured.isSignable({ ...transfer, derivationIndex: null })).toBe(false);
    expect(configured.isSignable({ ...transfer, coin: 'USDC' })).toBe(false);
    expect(configured.isSignable({ ...transfer, chainId: 'harbour' })).toBe(false);
  });

  test('it signs with the sender’s key, and nothing whose sender is not the key’s', async () => {
    for (const intent of [transfer, fromTank]) {
      const { raw } = await configured.sign(intent);
      const serializedTransaction = raw as `0x02${string}`;
      expect(await recoverTransactionAddress({ serializedTransaction })).toBe(intent.fromAddress);
    }
    const wrong: [Partial<EvmIntent>, RegExp][] = [
      [{ derivationIndex: 5 }, /the key is the sender/],
      [{ fromAddress: keys.gasTank.address }, /the key is the sender/],
      [{ kind: 'gas' }, /the key is the sender/],
      // Without its index the sender would be looked for among the first company's keys.
      [{ derivationIndex: null, fromAddress: keys.company(0).address }, /the key is the sender/],
      [{ coin: 'USDC' }, /is configured/],
      [{ chainId: 'harbour' }, /is configured/],
    ];
    for (const [changed, why] of wrong) await expect(configured.sign({ ...transfer, ...changed })).rejects.toThrow(why);
  });
});
