import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { NODE_MODES, type NodeAnswer, type NodeSwitch, startNodeFront } from '../node-front.ts';
import { CORE_CODES, CoreError } from './core-error.ts';

/** Serves one call of Core's RPC, as the truth or as a lie. @throws CoreError */
export type CoreAnswer = (method: string, parameters: readonly unknown[], isLying: boolean) => Promise<unknown>;

/** loading: every call is refused, as while a node reads its blocks after a start. */
export const BITCOIN_MODES = [...NODE_MODES, 'loading'] as const;
export type BitcoinMode = (typeof BITCOIN_MODES)[number];
export type BitcoinSwitch = NodeSwitch<BitcoinMode>;

type Call = { id: unknown; method: string; parameters: readonly unknown[]; isNew: boolean };

/** Of the sandbox's nodes: the address of a node has them. */
export const CORE_USER = 'causeway';
export const CORE_PASSWORD = 'sandbox';
const AUTHORISED = Buffer.from(`Basic ${btoa(`${CORE_USER}:${CORE_PASSWORD}`)}`);
const { invalidRequest, internal, parse, unknownMethod, warmingUp } = CORE_CODES;

/**
 * One RPC address of a Bitcoin Core node: JSON-RPC 1.0 and 2.0, single and in batches, with the HTTP states that Core has
 * (src/httprpc.cpp): 401 without the password, 500 with most errors of 1.0, 200 with all of 2.0 and of batches.
 *
 * @throws SandboxFailure port_taken
 */
export async function startCoreNode(port: number, answer: CoreAnswer): Promise<BitcoinSwitch> {
  const node = await startNodeFront<BitcoinMode>({
    port,
    purpose: 'a node of the Bitcoin chain',
    foreign: { status: 403, body: '' },
    async answer(request, body, mode) {
      if (request.method !== 'POST') return plain(405, 'JSONRPC server handles only POST requests');
      if (!isAuthorised(request)) {
        return { status: 401, body: '', headers: { 'www-authenticate': 'Basic realm="jsonrpc"' } };
      }
      return answerBody(body, async (method, parameters) => {
        if (mode === 'loading') throw new CoreError(warmingUp, 'Loading block index…');
        return answer(method, parameters, mode === 'lying');
      });
    },
  });
  const url = node.url.replace('://', `://${CORE_USER}:${CORE_PASSWORD}@`);
  return { ...node, url };
}

function isAuthorised({ headers }: IncomingMessage): boolean {
  const given = Buffer.from(headers.authorization ?? '');
  return given.length === AUTHORISED.length && timingSafeEqual(given, AUTHORISED);
}

const plain = (status: number, body: string): NodeAnswer => ({
  status,
  body,
  headers: { 'content-type': 'text/plain' },
});

type Answer = (method: string, parameters: readonly unknown[]) => Promise<unknown>;

async function answerBody(body: string, answer: Answer): Promise<NodeAnswer> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return { status: 500, body: line(failure(null, new CoreError(parse, 'Parse error'), false)) };
  }
  if (Array.isArray(parsed)) {
    const answers = await Promise.all(parsed.map((call) => answerCall(call, answer)));
    return { status: 200, body: line(answers.map(({ shape }) => shape)) };
  }
  const { status, shape } = await answerCall(parsed, answer);
  return { status, body: line(shape) };
}

async function answerCall(value: unknown, answer: Answer): Promise<{ status: number; shape: unknown }> {
  const call = toCall(value);
  if (call === undefined) {
    return { status: 400, shape: failure(null, new CoreError(invalidRequest, 'Missing method'), false) };
  }
  const { id, method, parameters, isNew } = call;
  try {
    const result = (await answer(method, parameters)) ?? null;
    return { status: 200, shape: isNew ? { jsonrpc: '2.0', result, id } : { result, error: null, id } };
  } catch (error) {
    const refusal = error instanceof CoreError ? error : new CoreError(internal, String(error));
    const status = isNew ? 200 : refusal.code === unknownMethod ? 404 : 500;
    return { status, shape: failure(id, refusal, isNew) };
  }
}

function toCall(value: unknown): Call | undefined {
  if (typeof value !== 'object' || value === null || !('method' in value) || typeof value.method !== 'string') {
    return undefined;
  }
  const parameters = 'params' in value && Array.isArray(value.params) ? value.params : [];
  const isNew = 'jsonrpc' in value && value.jsonrpc === '2.0';
  return { id: 'id' in value ? value.id : null, method: value.method, parameters, isNew };
}

function failure(id: unknown, { code, message }: CoreError, isNew: boolean): unknown {
  const error = { code, message };
  return isNew ? { jsonrpc: '2.0', error, id } : { result: null, error, id };
}

const line = (shape: unknown): string => `${JSON.stringify(shape)}\n`;
