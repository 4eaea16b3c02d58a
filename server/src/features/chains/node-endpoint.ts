import { Counter, Histogram } from 'prom-client';
import { registry } from '../../platform/process/metrics.ts';

/** What is the same for the nodes of every chain: how long they take, and how one that fails is left alone. */

/** A node's own refusal, as against no answer at all. */
export class NodeRefusal extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.name = 'NodeRefusal';
    this.code = code;
  }

  /** Whether the node does not offer the method at all (JSON-RPC 2.0). */
  get isMissingMethod(): boolean {
    return missingCodes.has(this.code) || /method.* not |not (available|supported)|unsupported/i.test(this.message);
  }
}

const missingCodes = new Set([-32601, -32600, -32004]);

/** A node of another network than the configuration says. */
export class WrongChain extends Error {}

const duration = new Histogram({
  name: 'causeway_rpc_seconds',
  help: 'Duration of calls to chain nodes',
  labelNames: ['chain', 'node', 'outcome'],
  registers: [registry],
});
const resting = new Counter({
  name: 'causeway_rpc_rests_total',
  help: 'How often a chain node was left alone after failing',
  labelNames: ['chain', 'node'],
  registers: [registry],
});

const failuresBeforeRest = 3;
const shortestRestMs = 250;
const longestRestMs = 4000;

export interface NodeRest {
  /** For a call; the function that is returned ends the measurement. */
  time(): (outcome: 'answered' | 'refused' | 'failed') => void;
  failed(): void;
  answered(): void;
  /** @throws Error while the node is left alone */
  refuseWhileResting(): void;
  /** Runs `check` before the node is believed, and again whenever it has been away. @throws what `check` throws */
  identified(check: () => Promise<void>): Promise<void>;
}

/**
 * A node that fails three times running is left alone for a while, doubling up to 4 s, so that a dead or slow node does not hold up
 * every call; the first call after the rest finds out whether it is back.
 */
export function createNodeRest(chain: string, node: string): NodeRest {
  let failures = 0;
  let restsUntil = 0;
  let identity: Promise<void> | null = null;
  return {
    time() {
      const end = duration.startTimer({ chain, node });
      return (outcome) => void end({ outcome });
    },
    failed() {
      identity = null;
      failures += 1;
      if (failures < failuresBeforeRest) return;
      restsUntil = Date.now() + Math.min(longestRestMs, shortestRestMs * 2 ** (failures - failuresBeforeRest));
      resting.inc({ chain, node });
    },
    answered() {
      failures = 0;
    },
    refuseWhileResting() {
      if (Date.now() < restsUntil) throw new Error(`node ${node} of ${chain} is resting after failures`);
    },
    async identified(check) {
      identity ??= check();
      await identity.catch((error: unknown) => {
        identity = null;
        throw error;
      });
    },
  };
}
