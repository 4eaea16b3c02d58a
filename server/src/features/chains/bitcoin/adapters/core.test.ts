import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hex } from '@scure/base';
import { afterEach, expect, test } from 'vitest';
import { madeBlock, madeTransaction, payingTo } from '../../../../testing/bitcoin-bytes.ts';
import { addressOf } from '../derivation.ts';
import { createCoreNode } from './core.ts';
import { createEsploraNode } from './esplora.ts';
import { type BitcoinNode, firstBlocks } from './node.ts';

/** Nodes that answer as a script says. */

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

interface Asked {
  path: string;
  authorisation: string | undefined;
  body: string;
}
type Answer = { status?: number; body: string } | 'nothing';

async function serve(answer: (asked: Asked) => Answer): Promise<string> {
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const { authorization: authorisation } = request.headers;
    const answered = answer({ path: request.url ?? '', authorisation, body });
    if (answered === 'nothing') return;
    response.writeHead(answered.status ?? 200).end(answered.body);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const config = { id: 'bitcoin', network: 'regtest', nodeTimeoutMs: 10_000 } as const;
const [firstHash = ''] = firstBlocks.regtest;
const hash = '42'.repeat(32);

type Reply = { result: unknown } | { error: { code: number; message: string } };

/** A node of Core with a reply to each method. */
async function core(replies: Record<string, (params: unknown[]) => Reply>): Promise<BitcoinNode> {
  const reply = ({ id, method, params }: { id: number; method: string; params: unknown[] }) => {
    if (method === 'getblockhash' && params[0] === 0) return { id, result: firstHash, error: null };
    return { id, ...(replies[method]?.(params) ?? { error: { code: -32601, message: 'Method not found' } }) };
  };
  const host = await serve(({ body }) => {
    const asked = JSON.parse(body);
    return { body: JSON.stringify(Array.isArray(asked) ? asked.map(reply) : reply(asked)) };
  });
  return createCoreNode(config, '1', `http://causeway:hunter2@${host}`);
}

const refusing = (code: number, message: string) => () => ({ error: { code, message } });

test('user and password travel as a header', async () => {
  const asked: Asked[] = [];
  const host = await serve((one) => {
    asked.push(one);
    const calls = JSON.parse(one.body) as { id: number; method: string }[];
    const result = (method: string) => (method === 'getblockhash' ? firstHash : 7);
    return { body: JSON.stringify(calls.map(({ id, method }) => ({ id, result: result(method) }))) };
  });
  const node = createCoreNode(config, '1', `http://cause%40way:hunter2@${host}/wallet/`);
  expect(await Promise.all([node.head(), node.head()])).toEqual([7, 7]);
  expect(asked.map(({ authorisation }) => authorisation)).toEqual(
    Array(2).fill(`Basic ${Buffer.from('cause@way:hunter2').toString('base64')}`),
  );
  // Which network it serves first; then both calls in one request.
  expect(asked.map(({ body }) => JSON.parse(body).length)).toEqual([1, 2]);
});

test.each([
  [
    'without an index of transactions',
    'No such mempool transaction. Use -txindex or provide a block hash to enable blockchain transaction queries',
  ],
  [
    'whose index is being made',
    'No such mempool transaction. Blockchain transactions are still in the process of being indexed',
  ],
])('a node %s does not say that a transaction is missing', async (_what, message) => {
  const node = await core({ getrawtransaction: refusing(-5, message) });
  await expect(node.transaction(hash)).rejects.toThrow(/index of transactions/);
  await expect(node.transactionBytes([hash])).rejects.toThrow(/index of transactions/);
});

test('a node with its index does', async () => {
  const message = 'No such mempool or blockchain transaction. Use gettransaction for wallet transactions.';
  const node = await core({ getrawtransaction: refusing(-5, message) });
  expect(await node.transaction(hash)).toBeNull();
  expect(await node.transactionBytes([hash])).toEqual([null]);
});

test('a transaction of a block that is not of the best chain waits', async () => {
  const bytes = hex.encode(madeTransaction({ inputs: [{ hash, index: 0 }], outputs: [] }).bytes);
  const found = (confirmations: number) => () => ({ result: { hex: bytes, blockhash: hash, confirmations } });
  const header = (confirmations: number) => () => ({ result: { hash, height: 5, confirmations } });
  const stale = await core({ getrawtransaction: found(0), getblockheader: header(-1) });
  expect(await stale.transaction(hash)).toEqual({ hex: bytes, block: null });
  const leaving = await core({ getrawtransaction: found(2), getblockheader: header(-1) });
  expect(await leaving.transaction(hash)).toEqual({ hex: bytes, block: null });
  const mined = await core({ getrawtransaction: found(2), getblockheader: header(2) });
  expect(await mined.transaction(hash)).toEqual({ hex: bytes, block: { hash, height: 5 } });
});

test('estimates are never negative or zero, and coins per kilobyte become satoshis per byte', async () => {
  const node = await core({
    estimatesmartfee: ([blocks]) =>
      blocks === 1
        ? { result: { feerate: 0.00012345, blocks: 2 } }
        : blocks === 6
          ? { result: { errors: ['Insufficient data or no feerate found'], blocks: 6 } }
          : { result: { feerate: -1, blocks: 144 } },
    getmempoolinfo: () => ({ result: { mempoolminfee: 0.00001, minrelaytxfee: 0.00002 } }),
  });
  expect(await node.estimates()).toEqual({ urgent: 12.345, normal: null, economy: null, minimum: 2 });
});

test('amounts are read to the satoshi, one scan after the other', async () => {
  const address = addressOf(
    hex.decode('0330d54fd0dd420a6e5f8d3624f5f3482cae350f79d5f0753bf5beef9c2d91af3c'),
    'regtest',
  );
  const { script } = payingTo(address, 1n);
  const amounts = [20_999_999.97690001, 0.00000001, 0.1, 1234.56789012];
  const unspents = amounts.map((amount, vout) => ({
    ...{ txid: hash, vout, amount, height: 3, desc: 'addr(…)#checksum' },
    scriptPubKey: hex.encode(script),
  }));
  const node = await core({
    scantxoutset: () => ({ result: { success: true, height: 9, bestblock: hash, unspents } }),
  });
  const [one, two] = await Promise.all([node.unspent([address]), node.unspent([address])]);
  expect(one.outputs.map(({ amountMinor }) => amountMinor)).toEqual([
    2_099_999_997_690_001n,
    1n,
    10_000_000n,
    123_456_789_012n,
  ]);
  expect(one).toMatchObject({ at: { hash, height: 9 }, outputs: [{ address, hash, index: 0, height: 3 }, {}, {}, {}] });
  expect(two).toEqual(one);
});

test('filters of blocks, where a node has them, name the block that spends an output', async () => {
  const funding = madeTransaction({
    inputs: [{ hash, index: 0 }],
    outputs: [{ script: Uint8Array.of(0x51), amount: 9n }],
  });
  const spending = madeTransaction({ inputs: [{ hash: funding.hash, index: 0 }], outputs: [] });
  const blocks = [
    madeBlock({ parentHash: hash, height: 1, transactions: [funding] }),
    madeBlock({ parentHash: hash, height: 2, transactions: [] }),
    madeBlock({ parentHash: hash, height: 3, transactions: [spending] }),
  ];
  const blockOf = (id: unknown) => blocks.find(({ transactions }) => transactions.some((each) => each.hash === id));
  const read: unknown[] = [];
  const replies = {
    getblockcount: () => ({ result: 3 }),
    getblockhash: ([height]: unknown[]) => ({ result: blocks[Number(height) - 1]?.hash }),
    getrawtransaction: ([id]: unknown[]) => {
      const bytes = blockOf(id)?.transactions.find((each) => each.hash === id)?.bytes ?? new Uint8Array();
      return { result: { hex: hex.encode(bytes), blockhash: blockOf(id)?.hash, confirmations: 1 } };
    },
    getblockheader: ([id]: unknown[]) => {
      const block = blocks.find((each) => each.hash === id);
      return { result: { hash: id, height: block?.height, confirmations: 1 } };
    },
    getblock: ([id]: unknown[]) => {
      read.push(id);
      return { result: hex.encode(blocks.find((each) => each.hash === id)?.bytes ?? new Uint8Array()) };
    },
    gettxout: () => ({ result: null }),
  };
  const spender = { hash: spending.hash, height: 3, blockHash: blocks[2]?.hash };
  const filtering = await core({ ...replies, scanblocks: () => ({ result: { relevant_blocks: [blocks[2]?.hash] } }) });
  expect(await filtering.spender({ hash: funding.hash, index: 0 })).toEqual(spender);
  expect(read).toEqual([blocks[2]?.hash]);
  // Without filters from the newest block down.
  const scanning = await core({ ...replies, scanblocks: refusing(-1, 'Index is not enabled for filtertype basic') });
  expect(await scanning.spender({ hash: funding.hash, index: 0 })).toEqual(spender);
  expect(await scanning.spender({ hash: funding.hash, index: 1 })).toBeNull();
});

test.each<[string, Answer]>([
  ['that wants another password', { status: 401, body: '' }],
  ['that is starting', { status: 500, body: '[{"id":0,"error":{"code":-28,"message":"Loading block index…"}}]' }],
  ['that sends something else', { body: '<html>' }],
  ['that leaves a call out', { body: '[]' }],
  ['that sends a result of another form', { body: '[{"id":0,"result":{}}]' }],
  ['that does not answer', 'nothing'],
  ['that sends elsewhere', { status: 302, body: '' }],
])('a node %s has not answered', async (_what, answer) => {
  const host = await serve(() => answer);
  const hurried = { ...config, nodeTimeoutMs: answer === 'nothing' ? 200 : 10_000 };
  const node = createCoreNode(hurried, '1', `http://${host}`);
  await expect(node.head()).rejects.toThrow();
  await expect(node.head()).rejects.not.toMatchObject({ name: 'NodeRefusal' });
  await expect(createEsploraNode(hurried, '2', `http://${host}`).head()).rejects.not.toMatchObject({
    name: 'NodeRefusal',
  });
});

test('after three failures a node is left alone for a while', async () => {
  let asked = 0;
  const host = await serve(() => {
    asked += 1;
    return { status: 503, body: '' };
  });
  const node = createEsploraNode(config, '1', `http://${host}`);
  for (let time = 0; time < 3; time += 1) await expect(node.head()).rejects.toThrow(/did not answer/);
  await expect(node.head()).rejects.toThrow(/resting/);
  expect(asked).toBe(3);
});

test('Esplora passes on the words of its node, and a missing estimate is the next better one', async () => {
  const words = 'sendrawtransaction RPC error: {"code":-26,"message":"min relay fee not met, 10 < 110"}';
  const host = await serve(({ path }) => {
    if (path === '/api/block-height/0') return { body: firstHash };
    if (path === '/api/tx') return { status: 400, body: words };
    return path === '/api/fee-estimates'
      ? { body: '{"2":9,"3":8.5,"25":3}' }
      : { status: 404, body: 'Block not found' };
  });
  const node = createEsploraNode(config, '1', `http://${host}/api/`);
  await expect(node.submit('00')).rejects.toMatchObject({ code: -26, message: 'min relay fee not met, 10 < 110' });
  expect(await node.estimates()).toEqual({ urgent: null, normal: 8.5, economy: 3, minimum: 1 });
  expect(await node.blockHash(8)).toBeNull();
});
