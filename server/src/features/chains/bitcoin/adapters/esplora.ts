import * as z from 'zod/mini';
import { NodeRefusal } from '../../node-endpoint.ts';
import { bytesOf } from '../bytes.ts';
import type { FeeEstimates } from '../gateway.ts';
import { type BitcoinNode, createNodeHttp, identify, type NodeConfig, type NodeResponse } from './node.ts';

/** A server that speaks the REST API of Esplora. */

const requestsAtOnce = 8;

const hash = z.string().check(z.regex(/^[0-9a-f]{64}$/));
const height = z.number().check(z.int(), z.nonnegative());
const status = z.object({
  confirmed: z.boolean(),
  block_height: z.optional(z.nullable(height)),
  block_hash: z.optional(z.nullable(hash)),
});
const spent = z.object({ spent: z.boolean(), txid: z.optional(hash), status: z.optional(status) });
const output = z.object({ txid: hash, vout: height, value: height, status });
const rates = z.record(z.string(), z.number());

export function createEsploraNode(config: NodeConfig, name: string, url: string): BitcoinNode {
  const { send, rest } = createNodeHttp(config, name, url);

  /** Null when there is no such thing; the API says so with 404, and with 400 for a hash that it cannot know. */
  function request<T>(path: string, read: (bytes: Buffer) => T): Promise<T | null> {
    return send(path.split('/')[1] ?? '', { path }, (response) => {
      if (response.status === 404) return null;
      return read(successOf(response));
    });
  }

  async function get<T>(path: string, read: (bytes: Buffer) => T): Promise<T | null> {
    rest.refuseWhileResting();
    await rest.identified(() => identify(config, name, rest, () => request('/block-height/0', textOf)));
    return request(path, read);
  }

  async function statusOf(of: string) {
    const { confirmed, block_hash, block_height } = (await get(`/tx/${of}/status`, jsonAs(status))) ?? {
      confirmed: false,
    };
    return confirmed && block_hash != null && block_height != null ? { hash: block_hash, height: block_height } : null;
  }

  const tip = async () => {
    const at = Number(required(await get('/blocks/tip/height', textOf)));
    return { height: at, hash: required(await get(`/block-height/${at}`, textOf)) };
  };

  return {
    name,
    head: async () => z.parse(height, Number(required(await get('/blocks/tip/height', textOf)))),
    blockHash: (at) => get(`/block-height/${at}`, (bytes) => z.parse(hash, textOf(bytes))),
    header: (of) => get(`/block/${of}/header`, (bytes) => bytesOf(textOf(bytes))),
    block: (of) => get(`/block/${of}/raw`, (bytes) => bytes),
    async transaction(of) {
      const hex = await get(`/tx/${of}/hex`, textOf);
      return hex === null ? null : { hex, block: await statusOf(of) };
    },
    async transactionBytes(hashes) {
      const found: (string | null)[] = [];
      for (let from = 0; from < hashes.length; from += requestsAtOnce) {
        const part = hashes.slice(from, from + requestsAtOnce);
        found.push(...(await Promise.all(part.map((of) => get(`/tx/${of}/hex`, textOf)))));
      }
      return found;
    },
    waiting: async () => required(await get('/mempool/txids', jsonAs(z.array(hash)))),
    async isUnspent({ hash: of, index }) {
      if ((await statusOf(of)) === null) return false;
      const answer = await get(`/tx/${of}/outspend/${index}`, jsonAs(spent));
      return answer !== null && !(answer.spent && answer.status?.confirmed === true);
    },
    async spender({ hash: of, index }) {
      const answer = await get(`/tx/${of}/outspend/${index}`, jsonAs(spent));
      if (!answer?.spent || answer.txid === undefined) return null;
      const place = await statusOf(answer.txid);
      return place && { hash: answer.txid, height: place.height, blockHash: place.hash };
    },
    async unspent(addresses) {
      const before = await tip();
      const outputs = [];
      for (const address of addresses) {
        for (const one of required(await get(`/address/${address}/utxo`, jsonAs(z.array(output))))) {
          if (!one.status.confirmed || one.status.block_height == null) continue;
          const amountMinor = BigInt(one.value);
          outputs.push({ hash: one.txid, index: one.vout, address, amountMinor, height: one.status.block_height });
        }
      }
      const at = await tip();
      if (at.hash !== before.hash) throw new Error(`a block came while node ${name} of ${config.id} was asked`);
      return { at, outputs };
    },
    async submit(raw) {
      rest.refuseWhileResting();
      await send(
        'tx',
        { path: '/tx', method: 'POST', body: raw, headers: { 'content-type': 'text/plain' } },
        successOf,
      );
    },
    async estimates() {
      return estimatesOf(required(await get('/fee-estimates', jsonAs(rates))));
    },
  };
}

/** Estimates by the number of blocks, of which some may be missing: the next larger one is an estimate, too. */
function estimatesOf(byBlocks: Readonly<Record<string, number>>): FeeEstimates {
  const within = (blocks: number) => {
    const [best] = Object.entries(byBlocks)
      .map(([count, value]) => ({ count: Number(count), value }))
      .filter(({ count, value }) => count <= blocks && value > 0)
      .sort((a, b) => b.count - a.count);
    return best?.value ?? null;
  };
  // The API says nothing of the least that its node takes; every node relays one satoshi per virtual byte.
  return { urgent: within(1), normal: within(6), economy: within(144), minimum: 1 };
}

/** @throws NodeRefusal with the words of the node behind the API; another error where it is out of order */
function successOf({ status: code, bytes }: NodeResponse): Buffer {
  if (code === 200) return bytes;
  if (code !== 400) throw new Error(`status ${code}`);
  const words = bytes.toString('utf8').slice(0, 1000);
  const refused = /\{.*"code":\s*(-?\d+).*"message":\s*"((?:[^"\\]|\\.)*)"/s.exec(words);
  throw new NodeRefusal(Number(refused?.[1] ?? 400), refused?.[2] ?? words);
}

function textOf(bytes: Buffer): string {
  return bytes.toString('utf8').trim();
}

function jsonAs<T extends z.ZodMiniType>(shape: T): (bytes: Buffer) => z.output<T> {
  return (bytes) => z.parse(shape, JSON.parse(bytes.toString('utf8')));
}

function required<T>(answer: T | null): T {
  if (answer === null) throw new Error('the answer is missing');
  return answer;
}
