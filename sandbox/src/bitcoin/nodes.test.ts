import { afterAll, beforeAll, expect, test } from 'vitest';
import { askCore, payer, REPLACEABLE, spend } from '../testing/bitcoin.ts';
import { type Bitcoin, startBitcoin } from './bitcoin.ts';
import type { Transaction } from './transaction.ts';

/** What an adapter reads from the nodes, in the shapes of Bitcoin Core and of Esplora. */

const TXID = /^[0-9a-f]{64}$/;
const STRANGER = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';

let bitcoin: Bitcoin;
/** In a block, 0.5 and 0.25 to the payer. */
let confirmed: Transaction;
/** In the mempool: spends the first output of `confirmed`. */
let waiting: Transaction;

beforeAll(async () => {
  bitcoin = await startBitcoin({ autoMining: false });
  const { engine, faucet } = bitcoin;
  const payments = ['0.5', '0.25'].map((amount) => ({ address: payer.address, amount }));
  confirmed = faucet.pay(payments, { feeRate: 2, isReplaceable: false });
  engine.submit(confirmed);
  engine.mine(2);
  const raw = spend({
    inputs: [{ txid: confirmed.txid, vout: 0, value: 50_000_000 }],
    outputs: [{ value: 49_999_000 }],
  });
  await bitcoin.request('sendrawtransaction', [raw]);
  waiting = engine.pool.entries()[0]!.transaction;
});

afterAll(() => bitcoin.stop());

async function core(method: string, ...params: unknown[]): Promise<unknown> {
  const { status, answer } = await askCore(bitcoin.urls[0], { id: 7, method, params });
  expect(answer).toMatchObject({ id: 7, error: null });
  expect(status).toBe(200);
  return answer['result'];
}

async function refusal(method: string, ...params: unknown[]) {
  const { status, answer } = await askCore(bitcoin.urls[1], { id: 7, method, params });
  expect(answer).toMatchObject({ id: 7, result: null });
  return { status, error: answer['error'] };
}

async function esplora(path: string, init?: RequestInit) {
  const response = await fetch(`${bitcoin.urls[2]}${path}`, init);
  return { status: response.status, text: await response.text() };
}

const json = async (path: string): Promise<unknown> => JSON.parse((await esplora(path)).text);

test('Core: blocks by height and hash, as bytes, ids, transactions and with what they spend', async () => {
  const { chain } = bitcoin.engine;
  const { height, hash } = chain.tip();
  expect(await core('getblockcount')).toBe(height);
  expect(await core('getbestblockhash')).toBe(hash);
  expect(await core('getblockchaininfo')).toMatchObject({
    chain: 'regtest',
    blocks: height,
    initialblockdownload: false,
  });
  const before = await core('getblockhash', height - 1);
  expect(await core('getblock', before, 0)).toBe(chain.at(height - 1)?.raw);
  expect(await core('getblock', before)).toMatchObject({
    height: height - 1,
    confirmations: 2,
    nextblockhash: hash,
    previousblockhash: chain.at(height - 2)?.hash,
    tx: [expect.stringMatching(TXID), confirmed.txid],
  });
  const fee = 0.00000001 * 2 * confirmed.vsize;
  expect(await core('getblock', before, 2)).toMatchObject({
    tx: [{}, { fee: expect.closeTo(fee, 7), hex: confirmed.raw }],
  });
  expect(await core('getblock', before, 3)).toMatchObject({
    tx: [
      { vin: [{ coinbase: expect.any(String) }] },
      { vin: [{ prevout: { generated: true, value: 50, scriptPubKey: { address: bitcoin.faucet.address } } }] },
    ],
  });
  expect(await core('getblockheader', hash, false)).toBe(chain.tip().raw.slice(0, 160));
  expect(await core('getblockheader', hash)).toMatchObject({ hash, height, nTx: 1 });
  expect(await core('getindexinfo')).toEqual({ txindex: { synced: true, best_block_height: height } });
});

test('Core: transactions of blocks and of the mempool, and what is unspent', async () => {
  expect(await core('getrawtransaction', confirmed.txid)).toBe(confirmed.raw);
  expect(await core('getrawtransaction', confirmed.txid, true)).toMatchObject({
    confirmations: 2,
    vsize: confirmed.vsize,
    vout: [{ n: 0, value: 0.5, scriptPubKey: { type: 'witness_v0_keyhash', address: payer.address } }, {}, {}],
  });
  const shown = await core('getrawtransaction', waiting.txid, 2);
  expect(shown).toMatchObject({ fee: 0.00001, vin: [{ sequence: REPLACEABLE, prevout: { value: 0.5 } }] });
  expect(shown).not.toHaveProperty('blockhash');
  expect(await core('getrawmempool')).toEqual([waiting.txid]);
  const entry = {
    vsize: waiting.vsize,
    fees: { base: 0.00001, modified: 0.00001, ancestor: 0.00001, descendant: 0.00001 },
    ancestorcount: 1,
    depends: [],
    spentby: [],
    'bip125-replaceable': true,
  };
  expect(await core('getrawmempool', true)).toMatchObject({ [waiting.txid]: entry });
  expect(await core('getmempoolentry', waiting.txid)).toMatchObject(entry);
  expect(await core('getmempoolinfo')).toMatchObject({ size: 1, bytes: waiting.vsize, mempoolminfee: 0.00001 });
  expect(await core('gettxout', confirmed.txid, 0)).toBeNull();
  expect(await core('gettxout', confirmed.txid, 0, false)).toMatchObject({
    value: 0.5,
    confirmations: 2,
    coinbase: false,
  });
  expect(await core('gettxout', waiting.txid, 0)).toMatchObject({ confirmations: 0, value: 0.49999 });
  const outputs = [0, 1].map((vout) => ({ txid: confirmed.txid, vout }));
  expect(await core('gettxspendingprevout', outputs)).toEqual([
    { ...outputs[0], spendingtxid: waiting.txid },
    outputs[1],
  ]);
  expect(
    await core('scantxoutset', 'start', [{ desc: `addr(${payer.address})` }, 'raw(deadbeef)#89f8spxm']),
  ).toMatchObject({
    success: true,
    total_amount: 0.75,
    unspents: [
      { vout: 0, amount: 0.5, desc: expect.stringMatching(/^addr\(bcrt1\w+\)#\w{8}$/) },
      { vout: 1, amount: 0.25 },
    ],
  });
});

test('Core: amounts have eight decimals, never an exponent', async () => {
  const { text } = await askCore(bitcoin.urls[0], { id: 1, method: 'getnetworkinfo', params: [] });
  expect(text).toContain('"relayfee":0.00001000');
  const raw = (await askCore(bitcoin.urls[0], { id: 1, method: 'getrawtransaction', params: [waiting.txid, 2] })).text;
  expect(raw).toContain('"value":0.49999000');
  expect(raw).toContain('"fee":0.00001000');
});

test('Core: a transaction is judged before it is sent, and what is sent is answered with the truth', async () => {
  const input = { txid: confirmed.txid, vout: 1, value: 25_000_000 };
  const paying = (fee: number, more = {}) =>
    spend({ inputs: [{ ...input, ...more }], outputs: [{ value: input.value - fee }] });
  expect(await core('testmempoolaccept', [paying(500)])).toMatchObject([{ allowed: true, fees: { base: 0.000005 } }]);
  expect(await core('testmempoolaccept', [paying(50)])).toMatchObject([
    { allowed: false, 'reject-reason': 'min relay fee not met' },
  ]);
  const lost = paying(500, { txid: 'ab'.repeat(32) });
  expect(await core('testmempoolaccept', [lost])).toMatchObject([{ 'reject-reason': 'missing-inputs' }]);
  const cheaper = spend({
    inputs: [{ txid: confirmed.txid, vout: 0, value: 50_000_000 }],
    outputs: [{ value: 49_999_900 - 50 }],
  });
  expect(await core('testmempoolaccept', [cheaper])).toMatchObject([{ 'reject-reason': 'insufficient fee' }]);
  expect(await refusal('sendrawtransaction', cheaper)).toMatchObject({
    status: 500,
    error: { code: -26, message: expect.stringMatching(/^insufficient fee, rejecting replacement/) },
  });
  expect((await refusal('sendrawtransaction', lost)).error).toEqual({
    code: -25,
    message: 'bad-txns-inputs-missingorspent',
  });
  expect((await refusal('sendrawtransaction', confirmed.raw)).error).toMatchObject({ code: -27 });
  expect((await refusal('sendrawtransaction', 'feed')).error).toMatchObject({ code: -22 });
  expect((await refusal('sendrawtransaction', paying(5_000_000))).error).toMatchObject({
    code: -25,
    message: expect.stringContaining('maxfeerate'),
  });
  // Sent again, it is relayed again.
  expect(await core('sendrawtransaction', waiting.raw)).toBe(waiting.txid);
});

test('Core: fees are what the desk says, and unknown when it says nothing', async () => {
  const { engine } = bitcoin;
  engine.setMarket({ estimates: { 1: 40, 6: 12.5, 144: 2 } });
  expect(await core('estimatesmartfee', 1)).toEqual({ feerate: 0.0004, blocks: 2 });
  expect(await core('estimatesmartfee', 6)).toEqual({ feerate: 0.000125, blocks: 6 });
  expect(await core('estimatesmartfee', 144)).toEqual({ feerate: 0.00002, blocks: 144 });
  engine.setMarket({ mempoolRate: 3 });
  expect(await core('estimatesmartfee', 144)).toEqual({ feerate: 0.00003, blocks: 144 });
  engine.setMarket({ estimates: null, mempoolRate: 1 });
  expect(await core('estimatesmartfee', 6)).toEqual({ errors: ['Insufficient data or no feerate found'], blocks: 6 });
  expect(await json('/fee-estimates')).toEqual({});
  engine.setMarket({ estimates: { 1: 5, 6: 3, 144: 1 } });
});

test('Core: codes, HTTP states, passwords, batches and both versions of JSON-RPC', async () => {
  const unknown = 'cd'.repeat(32);
  expect(await refusal('getblock', unknown)).toEqual({ status: 500, error: { code: -5, message: 'Block not found' } });
  expect((await refusal('getblockhash', 99_999)).error).toEqual({ code: -8, message: 'Block height out of range' });
  expect((await refusal('getrawtransaction', unknown)).error).toMatchObject({ code: -5 });
  expect((await refusal('getmempoolentry', unknown)).error).toMatchObject({ code: -5 });
  expect((await refusal('getrawtransaction', 'abc')).error).toEqual({
    code: -8,
    message: "txid must be of length 64 (not 3, for 'abc')",
  });
  expect((await refusal('getblockhash', 'one')).error).toMatchObject({ code: -3 });
  expect(await refusal('generatetoaddress', 1)).toEqual({
    status: 404,
    error: { code: -32601, message: 'Method not found' },
  });
  const [url] = bitcoin.urls;
  expect((await askCore(url, { method: 'getblockcount' }, 'wrong')).status).toBe(401);
  const call = { jsonrpc: '2.0', id: 'a', method: 'getblock', params: [unknown] };
  expect(await askCore(url, call)).toMatchObject({
    status: 200,
    answer: { jsonrpc: '2.0', id: 'a', error: { code: -5 } },
  });
  const batch = await askCore(url, [
    { id: 1, method: 'getblockcount', params: [] },
    { ...call, id: 2 },
  ]);
  expect(batch).toMatchObject({
    status: 200,
    answer: [
      { id: 1, error: null },
      { id: 2, error: { code: -5 } },
    ],
  });
});

test('Esplora: blocks, transactions, addresses, the mempool and a payment sent', async () => {
  const { chain } = bitcoin.engine;
  const { height, hash } = chain.tip();
  expect(await esplora('/blocks/tip/height')).toEqual({ status: 200, text: String(height) });
  expect((await esplora('/blocks/tip/hash')).text).toBe(hash);
  const { text: before } = await esplora(`/block-height/${height - 1}`);
  expect(await json(`/block/${before}`)).toMatchObject({ id: before, height: height - 1, tx_count: 2 });
  expect(await json(`/block/${before}/txids`)).toEqual([expect.stringMatching(TXID), confirmed.txid]);
  const raw = await (await fetch(`${bitcoin.urls[2]}/block/${before}/raw`)).arrayBuffer();
  expect(Buffer.from(raw).toString('hex')).toBe(chain.at(height - 1)?.raw);
  expect(await json(`/tx/${confirmed.txid}`)).toMatchObject({
    fee: expect.any(Number),
    vin: [{ is_coinbase: false, prevout: { value: 5_000_000_000, scriptpubkey_type: 'v0_p2wpkh' } }],
    vout: [{ scriptpubkey_address: payer.address, value: 50_000_000 }, {}, {}],
    status: { confirmed: true, block_height: height - 1, block_hash: before },
  });
  expect((await esplora(`/tx/${waiting.txid}/hex`)).text).toBe(waiting.raw);
  expect(await json(`/tx/${waiting.txid}/status`)).toEqual({ confirmed: false });
  expect(await json(`/tx/${confirmed.txid}/outspends`)).toMatchObject([
    { spent: true, txid: waiting.txid, vin: 0, status: { confirmed: false } },
    { spent: false },
    { spent: false },
  ]);
  expect(await json(`/tx/${confirmed.txid}/outspend/0`)).toMatchObject({ spent: true, txid: waiting.txid });
  expect(await json(`/address/${payer.address}`)).toMatchObject({
    chain_stats: { funded_txo_count: 2, funded_txo_sum: 75_000_000, spent_txo_count: 0, tx_count: 1 },
    mempool_stats: { funded_txo_sum: 49_999_000, spent_txo_sum: 50_000_000, tx_count: 1 },
  });
  expect(await json(`/address/${payer.address}/utxo`)).toMatchObject([
    { txid: confirmed.txid, vout: 1, value: 25_000_000, status: { confirmed: true } },
    { txid: waiting.txid, vout: 0, value: 49_999_000, status: { confirmed: false } },
  ]);
  const ids = (transactions: unknown) => (transactions as { txid: string }[]).map(({ txid }) => txid);
  expect(ids(await json(`/address/${payer.address}/txs`))).toEqual([waiting.txid, confirmed.txid]);
  expect(ids(await json(`/address/${payer.address}/txs/mempool`))).toEqual([waiting.txid]);
  expect(await json('/mempool')).toMatchObject({ count: 1, vsize: waiting.vsize, total_fee: 1000 });
  expect(await json('/mempool/txids')).toEqual([waiting.txid]);
  expect(ids(await json('/mempool/recent'))).toEqual([waiting.txid]);
  expect(await json('/fee-estimates')).toMatchObject({ 1: 5, 6: 3, 144: 1 });
  expect(await esplora(`/tx/${'cd'.repeat(32)}`)).toEqual({ status: 404, text: 'Transaction not found' });
  expect((await esplora('/address/nothing')).status).toBe(400);
  expect(await esplora('/tx', { method: 'POST', body: waiting.raw })).toEqual({ status: 200, text: waiting.txid });
  expect(await esplora('/tx', { method: 'POST', body: confirmed.raw })).toEqual({
    status: 400,
    text: 'sendrawtransaction RPC error: {"code":-27,"message":"Transaction outputs already in utxo set"}',
  });
});

test('a node is down, slow or lying while the other is true; lies are whole', async () => {
  const [primary] = bitcoin.nodes;
  const ask = (index: number, method: string, ...params: unknown[]) =>
    askCore(bitcoin.urls[index]!, { id: 1, method, params }).then(({ answer }) => answer['result']);
  await primary.setMode('lying');
  const height = await ask(0, 'getblockcount');
  expect(height).toBe(await ask(1, 'getblockcount'));
  const [lie, truth] = await Promise.all([0, 1].map((node) => ask(node, 'getblockhash', Number(height) - 1)));
  expect(lie).not.toBe(truth);
  expect(await ask(0, 'getblock', lie, 2)).toMatchObject({ tx: [{}, { vout: [{ value: 5 }, { value: 2.5 }, {}] }] });
  expect(await ask(0, 'getrawtransaction', confirmed.txid)).toBeNull();
  expect(await ask(0, 'scantxoutset', 'start', [`addr(${payer.address})`])).toMatchObject({ total_amount: 7.5 });
  const [told] = (await ask(0, 'getrawmempool')) as string[];
  expect(await ask(0, 'getrawtransaction', told, 1)).toMatchObject({ vout: [{ value: 4.9999 }] });
  expect(await ask(1, 'getrawmempool')).toEqual([waiting.txid]);

  await primary.setMode('loading');
  expect(await askCore(bitcoin.urls[0], { id: 1, method: 'getblockcount', params: [] })).toMatchObject({
    status: 500,
    answer: { error: { code: -28 } },
  });
  await primary.setMode('down');
  await expect(ask(0, 'getblockcount')).rejects.toThrow('fetch failed');
  await primary.setMode('slow', 60_000);
  const { host } = new URL(bitcoin.urls[0]);
  await expect(fetch(`http://${host}`, { method: 'POST', signal: AbortSignal.timeout(50) })).rejects.toThrow();
  await primary.setMode('ok');
  expect(await ask(0, 'getblockhash', Number(height) - 1)).toBe(truth);
  expect((await fetch(`http://${host}`, { headers: { origin: 'https://evil.example' } })).status).toBe(403);
});

test('the next payment is mined by itself, to the depth that is wanted', async () => {
  const { engine, faucet, miner } = bitcoin;
  const { height } = engine.chain.tip();
  miner.change({ auto: true, depth: 2, blockIntervalMs: 5 });
  const payment = faucet.pay([{ address: STRANGER, amount: '0.1' }], { feeRate: 3, isReplaceable: true });
  await bitcoin.request('sendrawtransaction', [payment.raw]);
  await expect.poll(() => engine.chain.tip().height).toBe(height + 3);
  expect(engine.chain.transaction(payment.txid)?.block.height).toBe(height + 1);
  miner.change({ auto: false });
});
