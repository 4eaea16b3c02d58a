import { describe, expect, test } from 'vitest';
import { likenessOf, readEvmAddress } from './domain.ts';

/** From EIP-55. */
const checksummed = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

describe('an EVM address', () => {
  test.each([checksummed, checksummed.toLowerCase(), `0x${checksummed.slice(2).toUpperCase()}`])(
    '%s is read with its checksum',
    (text) => expect(readEvmAddress(text)).toBe(checksummed),
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
    expect(() => readEvmAddress(text)).toThrow(expect.objectContaining({ key, fields: { address: `error.${key}` } }));
  });

  test.each(['0x0000000000000000000000000000000000010000', `0x${'1'.repeat(39)}2`])(
    '%s is one like any other',
    (text) => {
      expect(readEvmAddress(text).toLowerCase()).toBe(text);
    },
  );

  test('looks like one with the same ends', () => {
    expect(likenessOf(checksummed)).toBe('5aaeeaed');
  });
});
