import * as z from 'zod/mini';
import { NodeRefusal } from '../../node-endpoint.ts';
import { createNodeHttp, identify, type NodeConfig, type NodeResponse } from './node.ts';

/** JSON-RPC as Bitcoin Core speaks it. Small calls that are made together travel in one request. */

const maxBatch = 100;
/** Responses of megabytes, or that take their time: each in a request of its own. */
const single = new Set(['getblock', 'getrawmempool', 'scantxoutset', 'scanblocks']);

/** A node whose request is malformed, unauthorised or too early has not said no. */
const warmingUp = -28;

export interface CoreRpc {
  readonly name: string;
  ask(method: string, params: readonly unknown[], timeoutMs?: number): Promise<unknown>;
}

const answer = z.object({
  id: z.optional(z.nullable(z.number())),
  result: z.optional(z.unknown()),
  error: z.optional(z.nullable(z.object({ code: z.number(), message: z.string() }))),
});

interface Call {
  method: string;
  params: readonly unknown[];
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

export function createCoreRpc(config: NodeConfig, name: string, url: string): CoreRpc {
  const { send, rest } = createNodeHttp(config, name, url);
  const post = { path: '/', method: 'POST', headers: { 'content-type': 'application/json' } } as const;
  let waiting: Call[] = [];

  function request(method: string, params: readonly unknown[], timeoutMs?: number): Promise<unknown> {
    if (single.has(method)) {
      const body = JSON.stringify({ jsonrpc: '1.0', id: 0, method, params });
      return send(method, { ...post, body, ...(timeoutMs === undefined ? {} : { timeoutMs }) }, (response) =>
        resultOf(z.parse(answer, jsonOf(response))),
      );
    }
    return new Promise((resolve, reject) => {
      waiting.push({ method, params, resolve, reject });
      if (waiting.length === 1) setImmediate(flush);
    });
  }

  function flush(): void {
    const calls = waiting;
    waiting = [];
    for (let from = 0; from < calls.length; from += maxBatch) void sendBatch(calls.slice(from, from + maxBatch));
  }

  async function sendBatch(calls: readonly Call[]): Promise<void> {
    const body = JSON.stringify(calls.map(({ method, params }, id) => ({ jsonrpc: '1.0', id, method, params })));
    try {
      const what = calls[0]?.method ?? '';
      const answers = await send(what, { ...post, body }, (response) => z.parse(z.array(answer), jsonOf(response)));
      const byId = new Map(answers.map((each) => [each.id, each]));
      for (const [id, { method, resolve, reject }] of calls.entries()) {
        const found = byId.get(id);
        if (found === undefined) reject(new Error(`node ${name} of ${config.id} did not answer ${method}`));
        else settle(() => resultOf(found), resolve, reject);
      }
    } catch (error) {
      for (const { reject } of calls) reject(error);
    }
  }

  return {
    name,
    async ask(method, params, timeoutMs) {
      rest.refuseWhileResting();
      await rest.identified(() =>
        identify(config, name, rest, async () => z.parse(z.string(), await request('getblockhash', [0]))),
      );
      return request(method, params, timeoutMs);
    },
  };
}

function settle(read: () => unknown, resolve: (result: unknown) => void, reject: (error: unknown) => void): void {
  try {
    resolve(read());
  } catch (error) {
    reject(error);
  }
}

/** @throws NodeRefusal when the node says no; another error when it is not ready to say anything */
function resultOf({ result, error }: z.output<typeof answer>): unknown {
  if (error == null) return result;
  if (error.code === warmingUp) throw new Error('the node is starting');
  throw new NodeRefusal(error.code, error.message);
}

/** A single call that was refused has status 404 or 500 and a body of the same form; 401 and 403 have none. */
function jsonOf({ bytes }: NodeResponse): unknown {
  return JSON.parse(bytes.toString('utf8'));
}
