import { hex } from '@scure/base';
import { RawTx } from '@scure/btc-signer';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { madeBlock, madeTransaction, payingTo } from '../../../testing/bitcoin-bytes.ts';
import { readBlock, readHeader } from './blocks.ts';
import { doubleHash, hashText, MalformedBytes, merkleRoot } from './bytes.ts';
import { addressOf } from './derivation.ts';
import { asTransaction, isCoinbase, readTransaction, readTransactionOf } from './transactions.ts';

/** The first block of the main network, and the header of the second. */
const firstHash = '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f';
const firstBlock = hex.decode(
  '0100000000000000000000000000000000000000000000000000000000000000000000003ba3edfd7a7b12b27ac72c3e67768f617fc81bc3888a51323a9fb8aa4b1e5e4a29ab5f49ffff001d1dac2b7c01' +
    '01000000010000000000000000000000000000000000000000000000000000000000000000ffffffff4d04ffff001d0104455468652054696d65732030332f4a616e2f32303039204368616e63656c6c6f72206f6e206272696e6b206f66207365636f6e64206261696c6f757420666f722062616e6b73ffffffff0100f2052a01000000434104678afdb0fe5548271967f1a67130b7105cd6a828e03909a67962e0ea1f61deb649f6bc3f4cef38c4f35504e51ec112de5c384df7ba0b8d578a4c702b6bf11d5fac00000000',
);
const secondHash = '00000000839a8e6886ab5951d76f411475428afc90947ee320161bbf18eb6048';
const secondHeader = hex.decode(
  '010000006fe28c0ab6f1b372c1a6a246ae63f74f931e8365e15a089c68d6190000000000982051fd1e4ba744bbbe680e1fee14677ba1a3c3540bf7b1cdb606e857233e0e61bc6649ffff001d01e36299',
);
/** The first payment on the main network. */
const firstPayment = {
  hash: 'f4184fc596403b9d638783cf57adfe4c75c605f6356fbc91338530e9831e9e16',
  bytes: hex.decode(
    '0100000001c997a5e56e104102fa209c6a852dd90660a20b2d9c352423edce25857fcd3704000000004847304402204e45e16932b8af514961a1d3a1a25fdf3f4f7732e9d624c6c61548ab5fb8cd410220181522ec8eca07de4860a4acdd12909d831cc56cbbac4622082221a8768d1d0901ffffffff0200ca9a3b00000000434104ae1a62fe09c5f51b13905f07f06b99a2f7159b2225f374cd378d71302fa28414e7aab37397f554a7df5f142c21c1b7303b8a0626f1baded5c72a704f7e6cd84cac00286bee0000000043410411db93e1dcdb8a016b49840f8c53bc1eb68a382e97b1482ecad7b148a6909a5cb2e0eaddfb84ccf9744464f82e160bfa9b8b64f9d4c03f999b8643f656b412a3ac00000000',
  ),
};
/** BIP 143, "Native P2WPKH": the second input shows its key, the first has none. */
const bip143 = hex.decode(
  '01000000000102fff7f7881a8099afa6940d42d1e7f6362bec38171ea3edf433541db4e4ad969f00000000494830450221008b9d1dc26ba6a9cb62127b02742fa9d754cd3bebf337f7a55d114c8e5cdd30be022040529b194ba3f9281a99f2b1c0a19c0489bc22ede944ccf4ecbab4cc618ef3ed01eeffffffef51e1b804cc89d182d279655c3aa89e815b1b309fe287d9b2b55d57b90ec68a0100000000ffffffff02202cb206000000001976a9148280b37df378db99f66f85c95a783a76ac7a6d5988ac9093510d000000001976a9143bde42dbee7e4dbe6a21b2d50ce2f0167faa815988ac000247304402203609e17b84f6a7d30c80bfa610b5b4542f32a8a0d5447a12fb1366d7f01cc44a0220573a954c4518331561406f90300e8f3358f51928d43c212a8caed02de67eebee0121025476c2e83188368da1ff3e292e7acafcdb3566bb0ad253f62fc70f07aeee635711000000',
);

describe('bytes of the main network', () => {
  test('the first block', () => {
    const block = readBlock(firstHash, firstBlock);
    expect(block).toMatchObject({ parentHash: '0'.repeat(64), time: new Date('2009-01-03T18:15:05Z') });
    const [coinbase] = block.transactions;
    expect(coinbase?.hash).toBe('4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b');
    expect(coinbase && isCoinbase(coinbase)).toBe(true);
    expect(coinbase?.outputs).toMatchObject([{ amountMinor: 5_000_000_000n }]);
  });

  test('the header of the second', () => {
    expect(readHeader(secondHash, secondHeader)).toMatchObject({
      parentHash: firstHash,
      time: new Date('2009-01-09T02:54:25Z'),
    });
    expect(() => readHeader(firstHash, secondHeader)).toThrow(MalformedBytes);
  });

  test('the first payment', () => {
    const raw = readTransactionOf(firstPayment.hash, hex.encode(firstPayment.bytes));
    const { inputs, outputs, vsize } = asTransaction(raw, 'main');
    expect(inputs).toEqual([
      {
        hash: '0437cd7f8525ceed2324359c2d0ba26006d92d856a9c20fa0241106ee5a597c9',
        index: 0,
        sequence: 0xffffffff,
        address: null,
      },
    ]);
    expect(outputs.map(({ address, amountMinor }) => [address, amountMinor])).toEqual([
      [null, 1_000_000_000n],
      [null, 4_000_000_000n],
    ]);
    expect(vsize).toBe(firstPayment.bytes.length);
    expect(() => readTransactionOf(firstHash, hex.encode(firstPayment.bytes))).toThrow(MalformedBytes);
  });
});

test('BIP 143: only the P2WPKH input says whose it is', () => {
  const { inputs, outputs, vsize } = asTransaction(readTransaction(bip143), 'main');
  const key = hex.decode('025476c2e83188368da1ff3e292e7acafcdb3566bb0ad253f62fc70f07aeee6357');
  expect(inputs.map(({ address, sequence }) => [address, sequence])).toEqual([
    [null, 0xffffffee],
    [addressOf(key, 'main'), 0xffffffff],
  ]);
  expect(addressOf(key, 'main')).toBe('bc1qr583w2swedy2acd7rung055k8t3n7udp7vyzyg');
  expect(outputs.map(({ address }) => address)).toEqual([
    '1Cu32FVupVCgHkMMRJdYJugxwo2Aprgk7H',
    '16TZ8J6Q5iZKBWizWzFAYnrsaox5Z5aBRV',
  ]);
  expect(vsize).toBe(Math.ceil((RawTx.decode(bip143).segwitFlag ? 3 * 233 + 343 : 0) / 4));
});

describe('a block', () => {
  const key = hex.decode('025476c2e83188368da1ff3e292e7acafcdb3566bb0ad253f62fc70f07aeee6357');
  const transactions = [1, 2, 3].map((index) =>
    madeTransaction({
      inputs: [{ hash: firstPayment.hash, index, publicKey: key }],
      outputs: [payingTo(addressOf(key, 'regtest'), 1000n)],
    }),
  );
  const block = madeBlock({ parentHash: firstHash, height: 1, transactions });

  test('is read as the library writes its transactions', () => {
    const read = readBlock(block.hash, block.bytes);
    expect(read.transactions.slice(1).map(({ hash }) => hash)).toEqual(transactions.map(({ hash }) => hash));
    expect(asTransaction(read.transactions[2] as never, 'regtest')).toMatchObject({
      inputs: [{ hash: firstPayment.hash, index: 2, address: addressOf(key, 'regtest') }],
      outputs: [{ address: addressOf(key, 'regtest'), amountMinor: 1000n }],
    });
  });

  test('of which a byte was changed is never believed', () => {
    fc.assert(
      fc.property(fc.nat(block.bytes.length - 1), fc.integer({ min: 1, max: 255 }), (place, change) => {
        const changed = Uint8Array.from(block.bytes);
        changed[place] = (changed[place] ?? 0) ^ change;
        expect(() => readBlock(block.hash, changed)).toThrow(MalformedBytes);
      }),
      { numRuns: 500 },
    );
  });

  test('that is cut short, or longer, is none', () => {
    for (const length of [0, 79, 80, 81, block.bytes.length - 1]) {
      expect(() => readBlock(block.hash, block.bytes.subarray(0, length))).toThrow(MalformedBytes);
    }
    expect(() => readBlock(block.hash, Uint8Array.of(...block.bytes, 0))).toThrow(MalformedBytes);
  });

  test('with its last transactions repeated has the same root, and is none (CVE-2012-2459)', () => {
    const three = madeBlock({ parentHash: firstHash, height: 1, transactions: transactions.slice(0, 2) });
    const repeated = madeBlock({
      ...{ parentHash: firstHash, height: 1 },
      transactions: [...transactions.slice(0, 2), ...transactions.slice(1, 2)],
    });
    const ids = readBlock(three.hash, three.bytes).transactions.map(({ id }) => id);
    expect(merkleRoot([...ids, ids[2] as Buffer])).toEqual(merkleRoot(ids));
    expect(repeated.hash).toBe(three.hash);
    expect(() => readBlock(three.hash, repeated.bytes)).toThrow(MalformedBytes);
  });
});

test('garbage is refused by name, never by another error', () => {
  const cut = fc.nat(bip143.length).map((length) => bip143.subarray(0, length));
  const changed = fc
    .tuple(fc.nat(bip143.length - 1), fc.nat(255))
    .map(([place, value]) => Uint8Array.from(bip143, (byte, index) => (index === place ? value : byte)));
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array({ maxLength: 400 }), cut, changed), (bytes) => {
      for (const read of [() => readTransaction(bytes), () => readBlock(firstHash, bytes)]) {
        try {
          read();
        } catch (error) {
          expect(error).toBeInstanceOf(MalformedBytes);
        }
      }
    }),
    { numRuns: 1000 },
  );
});

test('transactions are read as the library reads them', () => {
  const input = fc.record({
    hash: fc.uint8Array({ minLength: 32, maxLength: 32 }).map(hex.encode),
    index: fc.nat(70_000),
    publicKey: fc.option(fc.constant(hex.decode(`02${'79'.repeat(32)}`)), { nil: undefined }),
  });
  const output = fc.record({
    amount: fc.bigInt(0n, 2_100_000_000_000_000n),
    script: fc.uint8Array({ maxLength: 300 }),
  });
  const parts = {
    inputs: fc.array(input, { minLength: 1, maxLength: 5 }),
    outputs: fc.array(output, { minLength: 1, maxLength: 300 }),
  };
  fc.assert(
    fc.property(fc.record(parts), (made) => {
      const { hash, bytes } = madeTransaction(made);
      const read = readTransaction(bytes);
      const library = RawTx.decode(bytes);
      expect(read.hash).toBe(hash);
      expect(read.outputs.map(({ amountMinor, script }) => [amountMinor, hex.encode(script)])).toEqual(
        library.outputs.map(({ amount, script }) => [amount, hex.encode(script)]),
      );
      expect(read.inputs.map((each) => [each.hash, each.index, each.sequence])).toEqual(
        library.inputs.map(({ txid, index, sequence }) => [hex.encode(txid), index, sequence]),
      );
      expect(read.inputs.map(({ publicKey }) => publicKey !== null)).toEqual(
        made.inputs.map(({ publicKey }) => publicKey !== undefined),
      );
    }),
  );
});

test('a full block is read in a fraction of the time between two', () => {
  const key = hex.decode('025476c2e83188368da1ff3e292e7acafcdb3566bb0ad253f62fc70f07aeee6357');
  const address = addressOf(key, 'main');
  const transactions = Array.from({ length: 1500 }, (_, index) =>
    madeTransaction({
      inputs: [0, 1].map((place) => ({
        hash: hashText(doubleHash(Buffer.from(`${index}/${place}`))),
        index,
        publicKey: key,
      })),
      outputs: [payingTo(address, BigInt(index + 1), 'main'), payingTo(address, 2n, 'main')],
    }),
  );
  const block = madeBlock({ parentHash: firstHash, height: 1, transactions });
  const began = process.cpuUsage();
  expect(readBlock(block.hash, block.bytes).transactions).toHaveLength(1501);
  // Of the processor's time, since the machine may be busy; it takes a tenth of this.
  expect(process.cpuUsage(began).user / 1000).toBeLessThan(600);
});
