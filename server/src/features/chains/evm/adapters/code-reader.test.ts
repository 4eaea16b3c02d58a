import { type Chain, startChain } from '@causeway/sandbox/chain.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type CodeReader, createCodeReader } from './code-reader.ts';

let chain: Chain;
let read: CodeReader;
beforeAll(async () => {
  chain = await startChain({ autoMining: false });
  read = createCodeReader([{ id: 'ethereum', chainId: chain.chainId, rpcUrls: [...chain.urls] }], ['bitcoin']);
});
afterAll(() => chain.stop());

test('tells accounts, tokens and other contracts apart', async () => {
  const { address } = await chain.treasury.openAccount('ETH', '1');
  await chain.engine.mine(1);
  expect(await read('ethereum', address)).toBe('none');
  expect(await read('ethereum', chain.treasury.contracts.FAKE)).toBe('token');
  expect(await read('ethereum', chain.treasury.contracts.forwarder)).toBe('contract');
});

test('on a chain without contracts there is none, and no node is asked', async () => {
  expect(await read('bitcoin', 'bcrt1q6rhpng9evdsfnn833a4f4vej0asu6dk5srld6x')).toBe('none');
});

test('an account that lends itself code is an ordinary account (EIP-7702)', async () => {
  const delegating = `0x${'a7'.repeat(20)}`;
  const { forwarder } = chain.treasury.contracts;
  await chain.engine.set('anvil_setCode', [delegating, `0xef0100${forwarder.slice(2)}`]);
  expect(await read('ethereum', delegating)).toBe('none');
});

test('says that it does not know while no node answers, and asks again', async () => {
  const address = `0x${'b9'.repeat(20)}`;
  await Promise.all(chain.nodes.map((node) => node.setMode('down')));
  expect(await read('ethereum', address)).toBe('unknown');
  expect(await read('elsewhere', address)).toBe('unknown');
  await chain.nodes[1].setMode('ok');
  await vi.waitFor(async () => expect(await read('ethereum', address)).toBe('none'), { timeout: 20_000 });
  await chain.nodes[0].setMode('ok');
});
