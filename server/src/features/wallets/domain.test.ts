import { describe, expect, test } from 'vitest';
import { endOfDay, lastDays, paymentUri, totalValue } from './domain.ts';

const address = '0xAbC0000000000000000000000000000000000001';
const contract = '0xDeF0000000000000000000000000000000000002';

describe('payment URI (EIP-681)', () => {
  test.each([
    [{ evmChainId: 1, address, contract: null }, `ethereum:${address}@1`],
    [{ evmChainId: 1, address, contract: null, amountMinor: 15n }, `ethereum:${address}@1?value=15`],
    [{ evmChainId: 137, address, contract }, `ethereum:${contract}@137/transfer?address=${address}`],
    [
      { evmChainId: 137, address, contract, amountMinor: 2_500_000n },
      `ethereum:${contract}@137/transfer?address=${address}&uint256=2500000`,
    ],
  ])('%o', (request, uri) => expect(paymentUri(request)).toBe(uri));
});

test('the last days end with today, across a month and a leap day', () => {
  expect(lastDays(new Date('2028-03-01T23:59:59Z'), 3)).toEqual(['2028-02-28', '2028-02-29', '2028-03-01']);
  expect(endOfDay('2028-02-29').toISOString()).toBe('2028-03-01T00:00:00.000Z');
});

test('a total is unknown while something in it has no price, and nothing needs none', () => {
  const cents = (coin: string, minor: bigint) => (coin === 'HKDT' ? null : minor * 2n);
  expect(totalValue([{ coin: 'ETH', minor: 4n }], cents)).toBe(8n);
  expect(
    totalValue(
      [
        { coin: 'ETH', minor: 4n },
        { coin: 'HKDT', minor: 0n },
      ],
      cents,
    ),
  ).toBe(8n);
  expect(totalValue([{ coin: 'HKDT', minor: 1n }], cents)).toBeNull();
});
