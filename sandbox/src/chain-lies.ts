import { keccak256, toHex } from 'viem';
import type { Answer } from './chain-answer.ts';

const TRANSFER = keccak256(toHex('Transfer(address,address,uint256)'));

type Fields = Record<string, unknown>;

/**
 * The consistent lies of a node: its blocks have other hashes, transfers carry a
 * thousand times their amount, deposits are invented for whichever receivers one asks about, receipts say the
 * opposite, balances are ten times too high. Heights are true, because a lag would give the lie away.
 */
export async function twist(method: string, params: readonly unknown[], truth: Answer): Promise<unknown> {
  if (method === 'eth_getLogs') return lieAboutLogs(params, truth);
  const told = await truth(method, params);
  switch (method) {
    case 'eth_getBalance':
      return typeof told === 'string' ? `0x${(BigInt(told) * 10n).toString(16)}` : told;
    case 'eth_getBlockByNumber':
    case 'eth_getBlockByHash':
      return isFields(told) ? lieAboutBlock(told) : told;
    case 'eth_getTransactionReceipt':
      return isFields(told) ? lieAboutReceipt(told) : told;
    default:
      return told;
  }
}

function lieAboutBlock(block: Fields): Fields {
  const { hash, parentHash } = block;
  return { ...block, hash: otherHash(hash), parentHash: otherHash(parentHash) };
}

function lieAboutReceipt(receipt: Fields): Fields {
  const { status, blockHash, logs } = receipt;
  return {
    ...receipt,
    status: status === '0x1' ? '0x0' : '0x1',
    blockHash: otherHash(blockHash),
    logs: Array.isArray(logs) && status !== '0x1' ? logs.filter(isFields).map(inflate) : [],
  };
}

async function lieAboutLogs(params: readonly unknown[], truth: Answer): Promise<unknown> {
  const told = await truth('eth_getLogs', params);
  const [filter] = params;
  if (!Array.isArray(told) || !isFields(filter)) return told;
  const logs = told.filter(isFields).map(inflate);
  const invented = await invent(filter, truth);
  return invented === undefined ? logs : [...logs, invented];
}

function inflate(log: Fields): Fields {
  const { data, blockHash } = log;
  const amount = typeof data === 'string' && data.length === 66 ? BigInt(data) * 1000n : undefined;
  return {
    ...log,
    blockHash: otherHash(blockHash),
    ...(amount === undefined ? {} : { data: toHex(amount, { size: 32 }) }),
  };
}

/** A transfer of 1,000,000 tokens (of 6 decimals) to the first receiver and token asked about, in the last block asked about. */
async function invent(filter: Fields, truth: Answer): Promise<Fields | undefined> {
  const { topics, address, toBlock } = filter;
  const receiver = first(Array.isArray(topics) ? topics[2] : undefined);
  const token = first(address);
  if (receiver === undefined || token === undefined) return undefined;
  const block = await truth('eth_getBlockByNumber', [toBlock ?? 'latest', false]);
  if (!isFields(block)) return undefined;
  const { hash, number } = block;
  return {
    address: token,
    topics: [TRANSFER, toHex(1n, { size: 32 }), receiver],
    data: toHex(1_000_000_000_000n, { size: 32 }),
    blockNumber: number,
    blockHash: otherHash(hash),
    transactionHash: keccak256(toHex(`invented ${String(number)} ${receiver}`)),
    transactionIndex: '0x0',
    logIndex: '0x0',
    removed: false,
  };
}

function first(value: unknown): string | undefined {
  const candidate: unknown = Array.isArray(value) ? value[0] : value;
  return typeof candidate === 'string' ? candidate : undefined;
}

function otherHash(hash: unknown): unknown {
  return typeof hash === 'string' ? keccak256(toHex(`lie ${hash}`)) : hash;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
