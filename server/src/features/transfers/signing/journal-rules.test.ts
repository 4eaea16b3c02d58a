import { describe, expect, test } from 'vitest';
import { newId } from '../../../platform/ids.ts';
import { type Intent, isSameAttempt, refusalOf } from './journal-rules.ts';

const transferId = newId();
const intent: Intent = {
  companyId: newId(),
  transferId,
  paymentId: transferId,
  kind: 'transfer',
  chainId: 'ethereum',
  fromAddress: '0x00000000000000000000000000000000000000A1',
  derivationIndex: 4,
  nonce: 8,
  toAddress: '0x00000000000000000000000000000000000000B2',
  coin: 'USDT',
  amountMinor: 2_000_000n,
  gasLimit: 80_000n,
  maxFeePerGas: 3_000_000_000n,
  maxPriorityFeePerGas: 1_000_000_000n,
};

describe('the journal allows', () => {
  test('what it does not know, and what it knows, also with other fees', () => {
    expect(refusalOf(intent, [])).toBeNull();
    expect(refusalOf(intent, [intent])).toBeNull();
    const dearer = { ...intent, gasLimit: 90_000n, maxFeePerGas: 4_000_000_000n, maxPriorityFeePerGas: 2_000_000_000n };
    expect(refusalOf(dearer, [intent])).toBeNull();
    expect(refusalOf(dearer, [intent, dearer])).toBeNull();
  });
});

describe('the journal refuses', () => {
  const changes: Partial<Intent>[] = [
    { companyId: newId() },
    { transferId: newId() },
    { kind: 'gas' },
    { chainId: 'harbour' },
    { fromAddress: '0x00000000000000000000000000000000000000A2' },
    { nonce: 9 },
    { toAddress: '0x00000000000000000000000000000000000000B3' },
    { coin: 'USDC' },
    { amountMinor: 2_000_001n },
  ];

  test.each(changes.map((change) => [Object.keys(change)[0], change] as const))(
    'the same payment with another %s',
    (_, change) => {
      expect(refusalOf({ ...intent, ...change }, [intent])).toBe('other-payment');
      // Wherever the entry stands among those that agree.
      expect(refusalOf({ ...intent, ...change }, [{ ...intent, ...change }, intent])).toBe('other-payment');
    },
  );

  test('a second payment with the same nonce', () => {
    const other = newId();
    expect(refusalOf({ ...intent, paymentId: other, transferId: other }, [intent])).toBe('nonce-taken');
  });
});

test('an attempt is another one when any of its fees differs', () => {
  expect(isSameAttempt(intent, { ...intent })).toBe(true);
  expect(isSameAttempt(intent, { ...intent, gasLimit: 80_001n })).toBe(false);
  expect(isSameAttempt(intent, { ...intent, maxFeePerGas: 1n })).toBe(false);
  expect(isSameAttempt(intent, { ...intent, maxPriorityFeePerGas: 1n })).toBe(false);
});
