import { describe, expect, test } from 'vitest';
import { evmAddresses, evmFamily } from './family.ts';

const { readAddress, likeness, isSame, hasForm, paymentUri } = evmFamily;

/** From EIP-55. */
const checksummed = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

describe('an EVM address', () => {
  test.each([checksummed, checksummed.toLowerCase(), `0x${checksummed.slice(2).toUpperCase()}`])(
    '%s is read with its checksum',
    (text) => expect(readAddress(text)).toBe(checksummed),
  );

  test.each([
    [checksummed.replace('aA', 'Aa'), 'addressChecksum'],
    [checksummed.slice(0, -1), 'addressInvalid'],
    [`${checksummed}0`, 'addressInvalid'],
    [checksummed.slice(2), 'addressInvalid'],
    [`0X${checksummed.slice(2)}`, 'addressInvalid'],
    [checksummed.replace('5', '５'), 'addressInvalid'],
    [`0x${'0'.repeat(40)}`, 'addressReserved'],
    ['0x0000000000000000000000000000000000000001', 'addressReserved'],
    ['0x0000000000000000000000000000000000000011', 'addressReserved'],
    ['0x0000000000000000000000000000000000000100', 'addressReserved'],
    ['0x000000000000000000000000000000000000ffff', 'addressReserved'],
    ['0x000000000000000000000000000000000000dEaD', 'addressReserved'],
    ['0xdEAD000000000000000042069420694206942069', 'addressReserved'],
    [`0x${'f'.repeat(40)}`, 'addressReserved'],
    [`0x${'E'.repeat(40)}`, 'addressReserved'],
    ['bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq', 'addressInvalid'],
    ['vitalik.eth', 'addressInvalid'],
    ['', 'addressInvalid'],
  ])('%s is refused: %s', (text, key) => {
    expect(() => readAddress(text)).toThrow(expect.objectContaining({ key, fields: { address: `error.${key}` } }));
  });

  test.each(['0x0000000000000000000000000000000000010000', `0x${'1'.repeat(39)}2`])(
    '%s is one like any other',
    (text) => {
      expect(readAddress(text).toLowerCase()).toBe(text);
    },
  );

  test('looks like one with the same ends', () => {
    expect(likeness(checksummed)).toBe('5aaeeaed');
  });

  test('is the same in whatever case, and no address of another form', () => {
    expect(isSame(checksummed, checksummed.toLowerCase())).toBe(true);
    expect(isSame(checksummed, checksummed.replace('5aA', '5aB'))).toBe(false);
    expect(hasForm(checksummed.toLowerCase())).toBe(true);
    expect(hasForm('bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq')).toBe(false);
  });

  test('is the account of each company, and another one for each further place', () => {
    const xpub =
      'xpub6Ce9NcJvTk36xtLSrJLZqE7wtgA5deCeYs7rSQtreh4cj6ByPtrg9sD7V2FNFLPnf8heNP3FGkeV9qwfzvZNSd54JoNXVsXFYSYwHsnJxqP';
    const { addressAt } = evmAddresses({ xpub, gasTank: checksummed, treasury: checksummed });
    expect(addressAt(0, 0)).toBe('0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266');
    const all = [0, 1].flatMap((company) => [0, 1, 2].map((ordinal) => addressAt(company, ordinal)));
    expect(new Set(all).size).toBe(6);
  });
});

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
  ])('%o', (request, uri) => expect(paymentUri({ ...request, decimals: 6 })).toBe(uri));
});
