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
    [`0x${'0'.repeat(40)}`, 'addressInvalid'],
    ['bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq', 'addressInvalid'],
    ['vitalik.eth', 'addressInvalid'],
    ['', 'addressInvalid'],
  ])('%s is refused: %s', (text, key) => {
    expect(() => readEvmAddress(text)).toThrow(expect.objectContaining({ key, fields: { address: `error.${key}` } }));
  });

  test('looks like one with the same ends', () => {
    expect(likenessOf(checksummed)).toBe('5aaeeaed');
  });
});
