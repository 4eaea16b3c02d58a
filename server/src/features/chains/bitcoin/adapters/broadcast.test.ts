import { hex } from '@scure/base';
import { expect, test } from 'vitest';
import { madeTransaction } from '../../../../testing/bitcoin-bytes.ts';
import { NodeRefusal } from '../../node-endpoint.ts';
import { broadcast } from './broadcast.ts';
import type { BitcoinNode, NodeTransaction } from './node.ts';

const input = { hash: '42'.repeat(32), index: 0 };
const { bytes } = madeTransaction({ inputs: [input], outputs: [{ script: Uint8Array.of(0x51), amount: 9n }] });
const raw = hex.encode(bytes);
const waits: NodeTransaction = { hex: raw, block: null };
const mined: NodeTransaction = { hex: raw, block: { hash: '11'.repeat(32), height: 7 } };
const other = { hash: '22'.repeat(32), height: 7, blockHash: '11'.repeat(32) };

interface Script {
  submit?: string;
  has?: NodeTransaction | null;
  spender?: typeof other | null;
  isSilent?: boolean;
}

/** A node that takes what it is offered, unless it has words against it, and has what the script says. */
function node({ submit, has = null, spender = null, isSilent = false }: Script, place: number): BitcoinNode {
  const scripted: Partial<BitcoinNode> = {
    name: `${place + 1}`,
    async submit() {
      if (isSilent) throw new Error('no answer');
      if (submit !== undefined) throw new NodeRefusal(-26, submit);
    },
    transaction: async () => has,
    spender: async () => spender,
  };
  return scripted as BitcoinNode;
}

const offer = (...scripts: Script[]) => broadcast({ chain: 'bitcoin', endpoints: scripts.map(node) }, raw);

test.each<[string, Script, string]>([
  ['takes it and has it', { has: waits }, 'accepted'],
  ['returns its id and has thrown it away', {}, 'rejected'],
  ['returns its id, and an input was spent', { spender: other }, 'spent'],
  ['refuses it and has it already', { submit: 'txn-already-in-mempool', has: waits }, 'known'],
  ['has it in a block', { submit: 'Transaction outputs already in utxo set', has: mined }, 'known'],
  ['takes what a block has', { has: mined }, 'known'],
  ['misses an input that a block spends', { submit: 'bad-txns-inputs-missingorspent', spender: other }, 'spent'],
  ['misses an input that never was', { submit: 'bad-txns-inputs-missingorspent' }, 'rejected'],
  ['wants a higher fee', { submit: 'min relay fee not met, 10 < 110' }, 'rejected'],
  ['does not answer', { isSilent: true }, 'unknown'],
])('a node that %s', async (_what, script, outcome) => {
  expect(await offer(script)).toMatchObject({
    outcome,
    ...(script.submit && outcome === 'rejected' && { reason: script.submit }),
  });
});

test('one node that has it is enough, and one that is silent keeps the outcome open', async () => {
  expect(await offer({ submit: 'dust' }, { has: waits })).toMatchObject({
    outcome: 'accepted',
    answers: [
      { node: '1', answer: 'refused', words: 'dust' },
      { node: '2', answer: 'accepted' },
    ],
  });
  expect(await offer({ submit: 'dust' }, { isSilent: true })).toMatchObject({ outcome: 'unknown' });
  expect(await offer({ submit: 'dust' }, { submit: 'insufficient fee' })).toMatchObject({
    outcome: 'rejected',
    reason: 'insufficient fee',
  });
});
