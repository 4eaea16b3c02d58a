import { outcomeOf } from '../../broadcast.ts';
import type { Broadcast, NodeAnswer } from '../../gateway.ts';
import { NodeRefusal } from '../../node-endpoint.ts';
import { bytesOf } from '../bytes.ts';
import { type RawTransaction, readTransaction } from '../transactions.ts';
import type { BitcoinNode } from './node.ts';
import type { BitcoinNodes } from './sources.ts';

/**
 * Hands bytes to every node. What a node says to them is not its last word: some return the id of a transaction that they have thrown
 * away, and refuse one that they have. So each is asked afterwards whether it has it.
 */
export async function broadcast({ endpoints }: BitcoinNodes, raw: string): Promise<Broadcast> {
  let transaction: RawTransaction;
  try {
    transaction = readTransaction(bytesOf(raw));
  } catch (error) {
    return { outcome: 'rejected', reason: error instanceof Error ? error.message : 'no transaction' };
  }
  return outcomeOf(await Promise.all(endpoints.map((node) => offer(node, transaction, raw))));
}

async function offer(node: BitcoinNode, transaction: RawTransaction, raw: string): Promise<NodeAnswer> {
  const answerOf = (answer: NodeAnswer['answer'], words = ''): NodeAnswer => ({ node: node.name, answer, words });
  try {
    const refusal = await refusalOf(node, raw);
    const found = await node.transaction(transaction.hash);
    if (found !== null) return answerOf(refusal === null && found.block === null ? 'accepted' : 'known');
    const words = refusal ?? 'the node did not keep the transaction';
    return (await hasSpentInput(node, transaction)) ? answerOf('spent', words) : answerOf('refused', words);
  } catch {
    return answerOf('silent');
  }
}

/** The node's words; null when it did not refuse. @throws Error when it does not answer */
async function refusalOf(node: BitcoinNode, raw: string): Promise<string | null> {
  try {
    await node.submit(raw);
    return null;
  } catch (error) {
    if (error instanceof NodeRefusal) return error.message;
    throw error;
  }
}

async function hasSpentInput(node: BitcoinNode, { inputs }: RawTransaction): Promise<boolean> {
  for (const input of inputs) if ((await node.spender(input)) !== null) return true;
  return false;
}
