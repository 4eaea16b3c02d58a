import { RpcError } from './anvil.ts';
import type { Answer } from './chain-answer.ts';
import { twist } from './chain-lies.ts';
import { type NodeAnswer, type NodeSwitch, startNodeFront } from './node-front.ts';

type Call = { id: unknown; method: string; params: readonly unknown[] };

/**
 * One JSON-RPC 2.0 address of the chain over HTTP, single calls and batches, as a node of a provider offers it:
 * without the development node's own methods. What it says when it lies: chain-lies.ts.
 *
 * @throws SandboxFailure port_taken
 */
export function startChainNode(port: number, answer: Answer): Promise<NodeSwitch> {
  return startNodeFront({
    port,
    purpose: 'the local chain',
    foreign: reply(403, failure(null, new RpcError(-32600, 'not for web pages of other origins'))),
    async answer({ method }, body, mode) {
      if (method !== 'POST') return reply(405, failure(null, new RpcError(-32600, 'only POST is allowed')));
      const told: Answer = mode === 'lying' ? (name, params) => twist(name, params, answer) : answer;
      return reply(200, await answerBody(body, told));
    },
  });
}

const reply = (status: number, body: unknown): NodeAnswer => ({ status, body: JSON.stringify(body) });

async function answerBody(body: string, answer: Answer): Promise<unknown> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return failure(null, new RpcError(-32700, 'parse error'));
  }
  if (!Array.isArray(parsed)) return answerCall(parsed, answer);
  return Promise.all(parsed.map((call) => answerCall(call, answer)));
}

async function answerCall(value: unknown, answer: Answer): Promise<unknown> {
  const call = toCall(value);
  if (call === undefined) return failure(null, new RpcError(-32600, 'invalid request'));
  try {
    return { jsonrpc: '2.0', id: call.id, result: (await answer(call.method, call.params)) ?? null };
  } catch (error) {
    return failure(call.id, error instanceof RpcError ? error : new RpcError(-32603, 'internal error'));
  }
}

function toCall(value: unknown): Call | undefined {
  if (typeof value !== 'object' || value === null || !('method' in value) || typeof value.method !== 'string')
    return undefined;
  const params = 'params' in value && Array.isArray(value.params) ? value.params : [];
  return { id: 'id' in value ? value.id : null, method: value.method, params };
}

function failure(id: unknown, error: RpcError): unknown {
  const { code, message, data } = error;
  return { jsonrpc: '2.0', id, error: data === undefined ? { code, message } : { code, message, data } };
}
