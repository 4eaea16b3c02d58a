import { describe, expect, test } from 'vitest';
import type { ChainTransaction, EvmReceipt } from '../../chains/index.ts';
import { movementsOf } from './movements.ts';

const own = '0xaaaa';
const payee = '0xbbbb';
const token = '0xcccc';
const coins = new Map<string, string>([
  ['native', 'ETH'],
  [token, 'USDT'],
]);

const sent: ChainTransaction = {
  hash: '0x01',
  from: own,
  nonce: 0,
  to: payee,
  valueWei: 0n,
  tokenCall: null,
  gasLimit: 60_000n,
  maxFeePerGas: 2n,
  maxPriorityFeePerGas: 1n,
  raw: null,
};
const mined: EvmReceipt = {
  height: 7,
  blockHash: '0x02',
  succeeded: true,
  networkFeeMinor: 42n,
  tokenTransfers: [],
};

type TokenTransfer = EvmReceipt['tokenTransfers'][number];

const transferOf = (given: Partial<TokenTransfer> = {}): TokenTransfer => ({
  index: 0,
  contract: token,
  from: own,
  to: payee,
  amountMinor: 5n,
  ...given,
});

function movements(transaction: Partial<ChainTransaction>, receipt: Partial<EvmReceipt> = {}) {
  return movementsOf(own, { ...sent, ...transaction }, { ...mined, ...receipt }, coins);
}

const moved = { to: payee, succeeded: true };

describe('what a transaction took from an address', () => {
  test('is the chain’s own coin that the address sent, with the network fee', () => {
    expect(movements({ valueWei: 1n })).toEqual([
      { ...moved, output: 'native', coin: 'ETH', amountMinor: 1n, networkFeeWei: 42n },
    ]);
  });

  test('is every token that left it, by its log; of tokens that others sent, none', () => {
    const tokenTransfers = [transferOf({ index: 2 }), transferOf({ index: 3, from: payee, to: own })];
    expect(movements({}, { tokenTransfers })).toEqual([
      { ...moved, output: 'log:2', coin: 'USDT', amountMinor: 5n, networkFeeWei: 42n },
    ]);
  });

  test('has the network fee once, on the first movement: the chain’s own coin before tokens', () => {
    const tokenTransfers = [transferOf(), transferOf({ index: 1, to: '0xdddd', amountMinor: 6n })];
    expect(movements({ valueWei: 9n }, { tokenTransfers })).toEqual([
      { ...moved, output: 'native', coin: 'ETH', amountMinor: 9n, networkFeeWei: 42n },
      { ...moved, output: 'log:0', coin: 'USDT', amountMinor: 5n, networkFeeWei: 0n },
      { ...moved, output: 'log:1', to: '0xdddd', coin: 'USDT', amountMinor: 6n, networkFeeWei: 0n },
    ]);
  });

  test('has neither the value nor the network fee of a transaction that another sent', () => {
    expect(movements({ from: payee, valueWei: 9n }, { tokenTransfers: [transferOf()] })).toEqual([
      { ...moved, output: 'log:0', coin: 'USDT', amountMinor: 5n, networkFeeWei: 0n },
    ]);
  });

  test('is the network fee alone where no coin of ours moved', () => {
    const tokenTransfers = [transferOf({ contract: '0xeeee' }), transferOf({ amountMinor: 0n })];
    expect(movements({}, { tokenTransfers })).toEqual([
      { ...moved, output: 'none', coin: null, amountMinor: 0n, networkFeeWei: 42n },
    ]);
  });
});

describe('of a transaction that failed', () => {
  const failed = { succeeded: false };

  test('the network fee was taken, and the coin that it asked for was not', () => {
    expect(movements({ valueWei: 9n }, failed)).toEqual([
      { output: 'none', to: payee, coin: 'ETH', amountMinor: 9n, networkFeeWei: 42n, succeeded: false },
    ]);
  });

  test('the token that it asked for is named, with its payee', () => {
    const tokenCall = { contract: token, to: '0xdddd', amountMinor: 5n } as const;
    expect(movements({ to: token, tokenCall }, failed)).toEqual([
      { output: 'none', to: '0xdddd', coin: 'USDT', amountMinor: 5n, networkFeeWei: 42n, succeeded: false },
    ]);
    const unknown = { ...tokenCall, contract: '0xeeee' } as const;
    expect(movements({ to: '0xeeee', tokenCall: unknown }, failed)).toMatchObject([{ coin: null, amountMinor: 5n }]);
  });
});
