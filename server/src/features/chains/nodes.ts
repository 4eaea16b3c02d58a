import { Gauge } from 'prom-client';
import { type HealthCheck, HealthProblem } from '../../platform/process/health.ts';
import { registry } from '../../platform/process/metrics.ts';

/** What the nodes of a chain say at one moment, side by side, and whether each is there. */

/** A node as its family asks it. Its errors name no address, which may hold a key. */
export interface AskedNode {
  /** Its place in the configuration, from 1. */
  readonly name: string;
  height(): Promise<number>;
  /** Null when the chain is not that high. */
  hashAt(height: number): Promise<string | null>;
  /** When the block at a height was made, by its own account. */
  timeAt(height: number): Promise<Date>;
}

const labelNames = ['chain', 'node'] as const;
const delay = new Gauge({
  name: 'causeway_chain_node_delay_seconds',
  help: 'How long the node took to answer',
  labelNames,
  registers: [registry],
});
const behindBlocks = new Gauge({
  name: 'causeway_chain_node_behind_blocks',
  help: 'Blocks that the node is behind the highest node of its chain',
  labelNames,
  registers: [registry],
});
const disagreeing = new Gauge({
  name: 'causeway_chain_node_disagrees',
  help: '1 while the node has another block at a height than the other nodes of its chain',
  labelNames,
  registers: [registry],
});

const nodeHeight = new Gauge({
  name: 'causeway_chain_node_height',
  help: 'Height of each configured node, as it says itself',
  labelNames,
  registers: [registry],
});

export interface NodeReading {
  chainId: string;
  /** Its place in the configuration, from 1. */
  node: string;
  height: number | null;
  /** When its block at this height was made. */
  blockAt: Date | null;
  delayMs: number | null;
  behind: number | null;
  disagrees: boolean;
  error: string | null;
}

type Head = { height: number; blockAt: Date; delayMs: number };

/** @returns a function that asks all nodes of the chain */
export function createNodeProbe(chainId: string, nodes: readonly AskedNode[]): () => Promise<NodeReading[]> {
  return async () => {
    const heads = await Promise.all(nodes.map((node) => headOf(node)));
    const heights = heads.flatMap((head) => ('height' in head ? [head.height] : []));
    const highest = Math.max(...heights);
    const lowest = Math.min(...heights);
    // All of them have the block at the lowest height, whatever the others are ahead.
    const hashes = await Promise.all(
      nodes.map((node, index) => ('height' in (heads[index] ?? {}) ? node.hashAt(lowest).catch(() => null) : null)),
    );
    return heads.map((head, index) => {
      const node = `${index + 1}`;
      const disagrees = isOdd(hashes, index);
      const reading: NodeReading =
        'height' in head
          ? { chainId, node, ...head, behind: highest - head.height, disagrees, error: null }
          : { chainId, node, height: null, blockAt: null, delayMs: null, behind: null, disagrees, ...head };
      report(reading);
      return reading;
    });
  };
}

/** One check for each node. */
export function nodeChecks(chainId: string, nodes: readonly AskedNode[]): HealthCheck[] {
  return nodes.map(
    (node): HealthCheck => ({
      name: `node:${chainId}:${node.name}`,
      need: 'degraded',
      keepMs: 10_000,
      async check() {
        const height = await node.height().catch((error: unknown) => {
          throw new HealthProblem('node', { words: wordsOf(error) });
        });
        nodeHeight.set({ chain: chainId, node: node.name }, height);
      },
    }),
  );
}

/** Whether this node's block is another than that of a node that answered, and not what most have. */
export function isOdd(hashes: readonly (string | null)[], index: number): boolean {
  const own = hashes[index];
  if (own === null || own === undefined) return false;
  const answered = hashes.filter((hash) => hash !== null);
  const same = answered.filter((hash) => hash === own).length;
  return answered.length > same && same * 2 <= answered.length;
}

async function headOf(node: AskedNode): Promise<Head | { error: string }> {
  const began = performance.now();
  try {
    const height = await node.height();
    const delayMs = Math.round(performance.now() - began);
    return { height, blockAt: await node.timeAt(height), delayMs };
  } catch (error) {
    return { error: wordsOf(error) };
  }
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : 'no answer';
}

function report({ chainId: chain, node, delayMs, behind, disagrees }: NodeReading): void {
  disagreeing.set({ chain, node }, disagrees ? 1 : 0);
  if (delayMs !== null) delay.set({ chain, node }, delayMs / 1000);
  if (behind !== null) behindBlocks.set({ chain, node }, behind);
}
