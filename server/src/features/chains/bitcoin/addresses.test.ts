import { bech32m, hex } from '@scure/base';
import { Address, OutScript } from '@scure/btc-signer';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { BitcoinNetwork } from '../../../platform/config/chains.ts';
import { evmFamily } from '../evm/family.ts';
import { hasForm, isReserved, keyOf, likenessOf, networkMarks, readAddress } from './addresses.ts';
import { addressOf } from './derivation.ts';
import { bitcoinFamily } from './family.ts';

const refusalOf = (network: BitcoinNetwork, text: string) => {
  try {
    return `none: ${readAddress(network, text)}`;
  } catch (error) {
    return (error as { key: string }).key;
  }
};
const scriptOf = (network: BitcoinNetwork, address: string) =>
  hex.encode(OutScript.encode(Address({ ...networkMarks[network], wif: 0 }).decode(address)));

describe('an address that can be paid', () => {
  /** BIP 173, BIP 350, and Base58Check as Bitcoin Core's own tests have them. */
  test.each<[BitcoinNetwork, string, string]>([
    ['main', 'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4', '0014751e76e8199196d454941c45d1b3a323f1433bd6'],
    [
      'test',
      'tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7',
      '00201863143c14c5166804bd19203356da136c985678cd4d27a1b8c6329604903262',
    ],
    [
      'signet',
      'tb1qqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesrxh6hy',
      '0020000000c4a5cad46221b2a187905e5266362b99d5e91c6ce24d165dab93e86433',
    ],
    [
      'test',
      'tb1pqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesf3hn0c',
      '5120000000c4a5cad46221b2a187905e5266362b99d5e91c6ce24d165dab93e86433',
    ],
    [
      'main',
      'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0',
      '512079be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798',
    ],
    ['main', '1FsSia9rv4NeEwvJ2GvXrX7LyxYspbN2mo', '76a914a31c06bd463e3923bc1aadbde48b16976c08071788ac'],
    ['main', '36j4NfKv6Akva9amjWrLG6MuSQym1GuEmm', 'a914373b819a068f32b7a6b38b6b38729647cfde01c287'],
    ['test', 'mzK2FFDEhxqHcmrJw1ysqFkVyhUULo45hZ', '76a914ce28b26c57472737f5c3561a1761185bd8589a4388ac'],
    ['signet', '2N1r7aC69VHeE7yQJPDLi9T1PYq4wnwvjuT', 'a9145e5a35ab44b3efaea5129ba22b88ba3e2976614587'],
    ['regtest', 'n4fajahJrAuKbN7uNsKjLjQkz9Qn5ewJXQ', '76a914fdeca3b08e38af53d7c4c60e3ad208ce5066441088ac'],
    ['regtest', '2MxFajLApXpYk4VodBSZSt7rw8y4ryABkfA', 'a91436e9f191e0b75036a77f65e2eaa4752443233fbe87'],
  ])('on %s: %s', (network, text, script) => {
    const address = readAddress(network, text);
    expect(address).toBe(/^bc1/i.test(text) ? text.toLowerCase() : text);
    expect(scriptOf(network, address)).toBe(script);
  });
});

describe('an address that is refused', () => {
  test.each<[BitcoinNetwork, string, string]>([
    // BIP 173 and BIP 350: invalid checksums, the checksum of another version, mixed case.
    ['main', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5', 'addressChecksum'],
    ['main', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kemeawh', 'addressChecksum'],
    ['main', 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd', 'addressChecksum'],
    ['test', 'tb1z0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqglt7rf', 'addressChecksum'],
    ['main', 'BC1S0XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ54WELL', 'addressChecksum'],
    ['test', 'tb1q0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq24jc47', 'addressChecksum'],
    ['test', 'tb1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq47Zagq', 'addressChecksum'],
    ['test', 'tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sL5k7', 'addressChecksum'],
    // Other prefixes, characters, versions, lengths and paddings.
    ['main', 'tc1qw508d6qejxtdg4y5r3zarvary0c5xw7kg3g4ty', 'addressInvalid'],
    ['main', 'tc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq5zuyut', 'addressInvalid'],
    ['main', 'bc1p38j9r5y49hruaue7wxjce0updqjuyyx0kh56v8s25huc6995vvpql3jow4', 'addressInvalid'],
    ['main', 'BC130XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ7ZWS8R', 'addressInvalid'],
    ['main', 'BC13W508D6QEJXTDG4Y5R3ZARVARY0C5XW7KN40WF2', 'addressChecksum'],
    ['main', 'bc1pw5dgrnzv', 'addressInvalid'],
    ['main', 'bc1rw5uspcuh', 'addressInvalid'],
    ['main', 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v8n0nx0muaewav253zgeav', 'addressInvalid'],
    ['main', 'BC1QR508D6QEJXTDG4Y5R3ZARVARYV98GJ9P', 'addressInvalid'],
    ['main', 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v07qwwzcrf', 'addressInvalid'],
    ['test', 'tb1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vpggkg4j', 'addressInvalid'],
    ['test', 'tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3pjxtptv', 'addressInvalid'],
    ['main', 'bc1gmk9yu', 'addressInvalid'],
    // Versions that any miner may spend.
    ['main', 'bc1pw508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7kt5nd6y', 'addressInvalid'],
    ['main', 'BC1SW50QGDZ25J', 'addressInvalid'],
    ['main', 'bc1zw508d6qejxtdg4y5r3zarvaryvaxxpcs', 'addressInvalid'],
    ['main', 'bc1pfeessrawgf', 'addressInvalid'],
    // Base58: a character changed; another version; a private key.
    ['main', '1FsSia9rv4NeEwvJ2GvXrX7LyxYspbN2mp', 'addressChecksum'],
    ['main', '1fsSia9rv4NeEwvJ2GvXrX7LyxYspbN2mo', 'addressChecksum'],
    ['main', 'KyZpNDKnfs94vbrwhJneDi77V6jF64PWPF8x5cdJb8ifgg2DUc9d', 'addressInvalid'],
    // Another network, whose name the error says.
    ['main', 'tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7', 'addressNetwork'],
    ['main', 'mzK2FFDEhxqHcmrJw1ysqFkVyhUULo45hZ', 'addressNetwork'],
    ['test', '36j4NfKv6Akva9amjWrLG6MuSQym1GuEmm', 'addressNetwork'],
    ['regtest', 'tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7', 'addressNetwork'],
    // No key: burn addresses, one byte repeated, a Taproot key that is no point of the curve.
    ['main', '1111111111111111111114oLvT2', 'addressReserved'],
    ['main', '1BitcoinEaterAddressDontSendf59kuE', 'addressReserved'],
    ['main', '1CounterpartyXXXXXXXXXXXXXXXUWLpVr', 'addressReserved'],
    // Not Bitcoin's.
    ['main', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', 'addressInvalid'],
    ['main', '', 'addressInvalid'],
    ['main', ' 1FsSia9rv4NeEwvJ2GvXrX7LyxYspbN2mo', 'addressInvalid'],
    ['main', 'bc1qａr0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq', 'addressInvalid'],
  ])('on %s: %s: %s', (network, text, key) => {
    expect(refusalOf(network, text)).toBe(key);
  });

  test('of another network names it', () => {
    const read = (network: BitcoinNetwork, text: string) => () => readAddress(network, text, 'payee');
    const named = (network: string) =>
      expect.objectContaining({ details: { network }, fields: { payee: 'error.addressNetwork' } });
    expect(read('regtest', '36j4NfKv6Akva9amjWrLG6MuSQym1GuEmm')).toThrow(named('main'));
    expect(read('main', 'mzK2FFDEhxqHcmrJw1ysqFkVyhUULo45hZ')).toThrow(named('test'));
    expect(
      read(
        'main',
        addressOf(hex.decode('0330d54fd0dd420a6e5f8d3624f5f3482cae350f79d5f0753bf5beef9c2d91af3c'), 'regtest'),
      ),
    ).toThrow(named('regtest'));
  });

  test('is a Taproot address whose key is no point of the curve (BIP 341)', () => {
    const main = Address({ ...networkMarks.main, wif: 0 });
    const known = readAddress('main', 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0');
    const decoded = main.decode(known);
    expect(decoded).toMatchObject({ type: 'tr' });
    expect(isReserved(known)).toBe(false);
    // Vector 5 of BIP 340.
    const key = hex.decode('eefdea4cdb677750a420fee807eacf21eb9898ae79b9768766e4faa04a2d4a34');
    const none = bech32m.encode('bc', [1, ...bech32m.toWords(key)]);
    expect([refusalOf('main', none), isReserved(none)]).toEqual(['addressReserved', true]);
  });
});

test('Bech32 is the same in either case, Base58 is not', () => {
  const lower = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
  expect([keyOf(lower.toUpperCase()), keyOf(lower)]).toEqual([lower, lower]);
  const base58 = '1FsSia9rv4NeEwvJ2GvXrX7LyxYspbN2mo';
  expect(keyOf(base58)).toBe(base58);
  expect(bitcoinFamily('main').isSame(base58, base58.toLowerCase())).toBe(false);
  expect(bitcoinFamily('main').isSame(lower, lower.toUpperCase())).toBe(true);
});

test('a hurried eye compares what differs between addresses of a kind', () => {
  expect(likenessOf('bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4')).toBe('w508f3t4');
  expect(likenessOf('BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4')).toBe('w508f3t4');
  expect(likenessOf('1FsSia9rv4NeEwvJ2GvXrX7LyxYspbN2mo')).toBe('fssin2mo');
});

test('no text has the form of two families, and any text is read or refused by key', () => {
  const alphabet = fc.constantFrom(...'123mnbctqp0x58yzACFgw');
  const texts = fc.oneof(
    fc.string(),
    fc.string({ unit: alphabet, maxLength: 70 }),
    fc
      .tuple(fc.constantFrom('bc1', 'tb1', 'bcrt1', '1', '3', '0x'), fc.string({ unit: alphabet }))
      .map(([a, b]) => a + b),
  );
  fc.assert(
    fc.property(texts, fc.constantFrom<BitcoinNetwork>('main', 'test', 'signet', 'regtest'), (text, network) => {
      expect(hasForm(text) && evmFamily.hasForm(text)).toBe(false);
      expect(refusalOf(network, text)).toMatch(/^(none: |address(Invalid|Checksum|Network|Reserved)$)/);
      isReserved(text);
      likenessOf(text);
    }),
  );
});

test('one changed character never goes unnoticed', () => {
  const addresses = [
    'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
    'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0',
    '1FsSia9rv4NeEwvJ2GvXrX7LyxYspbN2mo',
  ];
  const letters = [...'qpzry9x8gf2tvdw0s3jn54khce6mua7lABCDEFGH'];
  fc.assert(
    fc.property(fc.constantFrom(...addresses), fc.nat(), fc.constantFrom(...letters), (address, place, letter) => {
      const at = place % address.length;
      fc.pre(address[at] !== letter);
      const changed = address.slice(0, at) + letter + address.slice(at + 1);
      expect(refusalOf('main', changed)).toMatch(/^address/);
    }),
  );
});

test('a request to pay is a URI of BIP 21', () => {
  const { paymentUri } = bitcoinFamily('main');
  const request = {
    evmChainId: null,
    address: 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
    contract: null,
    decimals: 8,
  };
  expect(paymentUri(request)).toBe(`bitcoin:${request.address}`);
  expect(paymentUri({ ...request, amountMinor: 123_456n })).toBe(`bitcoin:${request.address}?amount=0.00123456`);
});
