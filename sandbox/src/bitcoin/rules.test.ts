import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { payer, type Spending, spend, unsigned } from '../testing/bitcoin.ts';
import { RawBlock } from './bcoin.ts';
import { type Bitcoin, startBitcoin } from './bitcoin.ts';
import { readTransaction, type Transaction } from './transaction.ts';

/** What the mempool takes and replaces, what miners choose, and what a reorganisation leaves. */

const VALUE = 1_000_000;
/** One input and one output of P2WPKH. */
const VSIZE = 110;

let bitcoin: Bitcoin;
/** Confirmed outputs of the payer, each spent by one test. */
let coins: { txid: string; vout: number; value: number }[] = [];

beforeAll(async () => {
  bitcoin = await startBitcoin({ autoMining: false });
  const payments = Array.from({ length: 60 }, () => ({ address: payer.address, amount: '0.01' }));
  const { txid, raw } = bitcoin.faucet.pay(payments, { feeRate: 1, isReplaceable: false });
  send(raw);
  bitcoin.engine.mine(1);
  coins = payments.map((_, vout) => ({ txid, vout, value: VALUE }));
});

afterAll(() => bitcoin.stop());

/** Every test begins with an empty mempool and miners that take everything. */
beforeEach(() => {
  bitcoin.engine.setMarket({ mempoolRate: 1, minedRate: 0, blockVsize: 990_000 });
  bitcoin.engine.mine(1);
});

function send(raw: string): Transaction {
  const transaction = readTransaction(raw);
  if (transaction === null) throw new Error('not a transaction');
  bitcoin.engine.submit(transaction);
  return transaction;
}

/** Into the mempool without its checks. */
function put(spending: Spending): Transaction {
  const transaction = readTransaction(unsigned(spending));
  if (transaction === null) throw new Error('not a transaction');
  bitcoin.engine.pool.add({ transaction, fee: 200, time: 0, height: 1 });
  return transaction;
}

function coin() {
  const next = coins.pop();
  if (next === undefined) throw new Error('the payer has no output any more');
  return next;
}

const paying = (fee: number, input: Spending['inputs'][number] = coin(), sequence?: number): string =>
  spend({
    inputs: [{ ...input, ...(sequence !== undefined && { sequence }) }],
    outputs: [{ value: input.value - fee }],
  });

const change = ({ txid, outputs }: Transaction) => ({ txid, vout: 0, value: outputs[0]!.value });
const isWaiting = ({ txid }: Transaction): boolean => bitcoin.engine.pool.get(txid) !== undefined;
const isInBlock = ({ txid }: Transaction): boolean => bitcoin.engine.chain.transaction(txid) !== undefined;

test('a replacement needs a signal, a higher rate, the fees of all it replaces and one satoshi a byte for itself', () => {
  const input = coin();
  const first = send(paying(200, input));
  const child = send(paying(300, change(first)));
  const refused = (fee: number) => expect(() => send(paying(fee, input)));
  refused(199).toThrow(
    /^insufficient fee, rejecting replacement \w{64}; new feerate 0\.0000\d{4} BTC\/kvB <= old feerate/,
  );
  refused(499).toThrow(/less fees than conflicting txs; 0\.00000499 < 0\.000005$/);
  refused(500 + VSIZE - 1).toThrow(/not enough additional fees to relay; 0\.00000109 < 0\.0000011$/);
  const second = send(paying(500 + VSIZE, input));
  expect([first, child, second].map(isWaiting)).toEqual([false, false, true]);

  const final = coin();
  send(paying(200, final, 0xffffffff));
  expect(() => send(paying(5000, final))).toThrow('txn-mempool-conflict');
  // The signal of an ancestor counts for its descendants.
  const parent = send(paying(200));
  const heir = send(paying(200, change(parent), 0xffffffff));
  expect(bitcoin.engine.pool.isReplaceable(heir)).toBe(true);
  send(paying(1000, change(parent), 0xffffffff));
  expect(isWaiting(heir)).toBe(false);
});

test('a replacement brings no new unconfirmed input, and spends nothing that it replaces', () => {
  const [input, other] = [coin(), coin()];
  const replaced = send(paying(200, input));
  const stranger = send(paying(200, other));
  const both = [input, change(stranger)];
  expect(() => send(spend({ inputs: both, outputs: [{ value: VALUE }] }))).toThrow('replacement-adds-unconfirmed');
  const heir = [input, change(replaced)];
  expect(() => send(spend({ inputs: heir, outputs: [{ value: VALUE }] }))).toThrow('bad-txns-spends-conflicting-tx');
});

test('a replacement evicts a hundred transactions and no more', () => {
  const inputs = Array.from({ length: 5 }, coin);
  const output = (VALUE - 2000) / 25;
  for (const input of inputs) {
    const wide = put({ inputs: [input], outputs: Array.from({ length: 20 }, () => ({ value: output })) });
    for (let vout = 0; vout < 20; vout += 1) {
      put({ inputs: [{ txid: wide.txid, vout, value: output }], outputs: [{ value: output - 150 }] });
    }
  }
  const over = (many: typeof inputs) => spend({ inputs: many, outputs: [{ value: VALUE / 2 }] });
  expect(() => send(over(inputs))).toThrow(/^too many potential replacements, .*\(105 > 100\)$/);
  send(over(inputs.slice(0, 4)));
  expect(bitcoin.engine.pool.entries()).toHaveLength(22);
});

test('at most 25 in a row wait for a block', () => {
  let last = put({ inputs: [coin()], outputs: [{ value: VALUE - 200 }] });
  for (let step = 2; step <= 25; step += 1) {
    last = put({ inputs: [change(last)], outputs: [{ value: change(last).value - 200 }] });
  }
  expect(() => send(paying(200, change(last)))).toThrow(
    'too-long-mempool-chain, too many unconfirmed ancestors [limit: 25]',
  );
  bitcoin.engine.mine(1);
  send(paying(200, change(last)));
  const wide = send(spend({ inputs: [coin()], outputs: Array.from({ length: 25 }, () => ({ value: 30_000 })) }));
  const branch = (vout: number) => send(paying(200, { txid: wide.txid, vout, value: 30_000 }));
  for (let vout = 0; vout < 24; vout += 1) branch(vout);
  expect(() => branch(24)).toThrow(/too many descendants for tx \w{64} \[limit: 25\]/);
});

test('what is dust, too cheap, not final, immature, missing or wrongly signed is refused in the words of Core', () => {
  const input = coin();
  const to = (value: number, script: string) =>
    spend({ inputs: [input], outputs: [{ value, script }, { value: 500_000 }] });
  expect(() => send(to(293, payer.script))).toThrow('dust');
  expect(() => send(to(545, `76a914${'11'.repeat(20)}88ac`))).toThrow('dust');
  expect(() => send(to(329, `5120${'79'.repeat(32)}`))).toThrow('dust');
  expect(() => send(to(1000, 'ac'))).toThrow('scriptpubkey');
  expect(() => send(paying(VSIZE - 1, input))).toThrow('min relay fee not met, 109 < 110');
  expect(() => send(paying(399, { ...input, value: VALUE + 400 }))).toThrow(
    'bad-txns-in-belowout, value in (0.01) < value out (0.01000001)',
  );
  const { height } = bitcoin.engine.chain.tip();
  const later = spend({ inputs: [input], outputs: [{ value: 900_000 }], locktime: height + 1 });
  expect(() => send(later)).toThrow('non-final');
  expect(() => send(paying(200, input, 3))).not.toThrow();
  expect(() => send(paying(200, coin(), 200))).toThrow('non-BIP68-final');
  expect(() => send(paying(200, { txid: 'aa'.repeat(32), vout: 0, value: VALUE }))).toThrow(
    'bad-txns-inputs-missingorspent',
  );
  const reward = bitcoin.engine.chain.tip().transactions[0]!;
  const early = { txid: reward.txid, vout: 0, value: reward.outputs[0]!.value };
  expect(() => send(paying(200, early))).toThrow('bad-txns-premature-spend-of-coinbase');
  const signed = paying(200);
  // The last byte of the public key: then it is not the key of the output.
  const forged = signed.slice(0, -10) + (signed.slice(-10, -8) === '00' ? '01' : '00') + signed.slice(-8);
  expect(() => send(forged)).toThrow(/^mandatory-script-verify-flag-failed \(/);
  const amount = coin();
  const lying = paying(200, { ...amount, value: amount.value - 1 });
  expect(() => send(lying)).toThrow('Signature must be zero for failed CHECK(MULTI)SIG operation');
  expect(send(to(294, payer.script)).outputs).toHaveLength(2);
});

test('miners take the best rate first, a child pays for its parent, and the rest waits', () => {
  const cheap = send(paying(120));
  const parent = send(paying(120));
  const child = send(paying(5000, change(parent)));
  const dear = send(paying(1000));
  bitcoin.engine.setMarket({ blockVsize: 2 * VSIZE });
  bitcoin.engine.mine(1);
  expect([cheap, parent, child, dear].map(isInBlock)).toEqual([false, true, true, false]);
  bitcoin.engine.setMarket({ blockVsize: 990_000, minedRate: 5 });
  bitcoin.engine.mine(1);
  expect([cheap, dear].map(isInBlock)).toEqual([false, true]);
  bitcoin.engine.setMarket({ mempoolRate: 3 });
  expect(() => send(paying(200))).toThrow('mempool min fee not met, 200 < 330');
  expect(isWaiting(cheap)).toBe(true);
});

test('a reorganisation mines the transactions again, lets them wait or loses them', () => {
  const { engine } = bitcoin;
  const before = engine.chain.tip();
  const paid = send(paying(500));
  const after = send(paying(500, change(paid)));
  engine.mine(1);
  const replaced = engine.chain.tip();

  expect(engine.reorganise(1, 'mined')).toBe(before.height + 2);
  expect([paid, after].map(isInBlock)).toEqual([true, true]);
  expect(engine.chain.byHash(replaced.hash)).toBe(replaced);
  expect(engine.chain.isActive(replaced)).toBe(false);
  expect(engine.chain.at(before.height + 1)?.previous).toBe(before.hash);

  engine.reorganise(2, 'waiting');
  expect([paid, after].map(isInBlock)).toEqual([false, false]);
  expect([paid, after].map(isWaiting)).toEqual([true, true]);
  const other = send(paying(20_000, paid.inputs.map((input) => ({ ...input, value: VALUE }))[0]));
  expect([paid, after, other].map(isWaiting)).toEqual([false, false, true]);
  engine.mine(1);
  // What conflicts with the chain that won does not return.
  const heir = send(paying(500, change(other)));
  engine.reorganise(1, 'lost');
  expect([other, heir].map((one) => isInBlock(one) || isWaiting(one))).toEqual([false, false]);
  expect(() => engine.reorganise(65, 'mined')).toThrow('the depth must be between 1 and 64');
});

test('a payment of the faucet is sent elsewhere, or spent twice behind its back', () => {
  const { engine, faucet } = bitcoin;
  const pay = (isReplaceable: boolean) => {
    const payment = faucet.pay([{ address: payer.address, amount: '0.5' }], { feeRate: 2, isReplaceable });
    engine.submit(payment);
    return payment;
  };
  const first = pay(true);
  const second = faucet.redirect(first.txid, 20);
  engine.submit(second);
  expect([first, second].map(isWaiting)).toEqual([false, true]);

  const final = pay(false);
  expect(() => engine.submit(faucet.redirect(final.txid, 50))).toThrow('txn-mempool-conflict');
  const other = faucet.redirect(final.txid, 50);
  engine.mine(1, [other]);
  expect([final, other].map(isInBlock)).toEqual([false, true]);
  expect(isWaiting(final)).toBe(false);
});

test('every block is whole by the rules of bcoin', () => {
  const { chain } = bitcoin.engine;
  for (let height = 1; height <= chain.tip().height; height += 1) {
    const block = RawBlock.fromRaw(Buffer.from(chain.at(height)!.raw, 'hex'));
    expect([block.verifyBody(), block.verifyPOW(), block.getCoinbaseHeight()]).toEqual([true, true, height]);
    expect(block.getCommitmentHash('hex')).toBe(block.createCommitmentHash('hex'));
  }
});
