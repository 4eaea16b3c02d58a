import type { Address, Hex } from 'viem';
import { getAddress, toEventSelector } from 'viem/utils';
import * as z from 'zod/mini';
import type { Receipt, TokenTransfer } from '../gateway.ts';

/** What EVM nodes answer (Ethereum JSON-RPC), read strictly: an answer of another shape counts as none. */

export const hex = z.string().check(z.regex(/^0x[0-9a-fA-F]*$/));
export const hash = z.pipe(
  z.string().check(z.regex(/^0x[0-9a-fA-F]{64}$/)),
  z.transform((text) => text.toLowerCase() as Hex),
);
export const quantity = z.pipe(
  z.string().check(z.regex(/^0x[0-9a-fA-F]{1,64}$/)),
  z.transform((text) => BigInt(text)),
);
const height = z.pipe(
  quantity,
  z.transform((value) => Number(value)),
);
export const address = z.pipe(
  z.string().check(z.regex(/^0x[0-9a-fA-F]{40}$/)),
  z.transform((text) => getAddress(text)),
);

const transaction = z.object({
  hash,
  from: address,
  to: z.nullable(address),
  value: quantity,
  gas: quantity,
  input: hex,
});
const block = z.object({ number: height, hash, parentHash: hash, transactions: z.array(transaction) });
const header = z.object({ number: height, hash, parentHash: hash });
const timed = z.object({ timestamp: height });
export type RawBlock = z.output<typeof block>;

const log = z.object({
  address,
  topics: z.array(hash),
  data: hex,
  blockHash: hash,
  transactionHash: hash,
  removed: z.optional(z.boolean()),
});
const receipt = z.object({
  transactionHash: hash,
  blockNumber: height,
  blockHash: hash,
  status: quantity,
  gasUsed: quantity,
  effectiveGasPrice: quantity,
  /** What an OP-Stack roll-up takes beside the gas. */
  l1Fee: z.optional(quantity),
  logs: z.array(log),
});
const feeHistory = z.object({
  baseFeePerGas: z.array(quantity).check(z.minLength(1)),
  reward: z.optional(z.nullable(z.array(z.array(quantity)))),
});

export const transferTopic = toEventSelector('Transfer(address,address,uint256)');

export const readQuantity = (answer: unknown): bigint => z.parse(quantity, answer);
export const readCode = (answer: unknown): Hex => z.parse(hex, answer).toLowerCase() as Hex;
export const readHash = (answer: unknown): Hex => z.parse(hash, answer);
export const readFeeHistory = (answer: unknown): z.output<typeof feeHistory> => z.parse(feeHistory, answer);
export const readBlock = (answer: unknown): RawBlock | null => z.parse(z.nullable(block), answer);
export const readHeader = (answer: unknown): z.output<typeof header> | null => z.parse(z.nullable(header), answer);
/** Seconds since 1970; null when the node does not have the block. */
export const readBlockTime = (answer: unknown): number | null => z.parse(z.nullable(timed), answer)?.timestamp ?? null;

/** One token transfer that a range of blocks shows: enough to know whose receipt to fetch. */
export interface LoggedTransfer {
  blockHash: Hex;
  transactionHash: Hex;
  from: Address;
  to: Address;
  amountMinor: bigint;
}

export function readTransferLogs(answer: unknown): LoggedTransfer[] {
  return z
    .parse(z.array(log), answer)
    .filter((entry) => entry.removed !== true)
    .flatMap((entry) => {
      const transfer = transferOf(entry, 0);
      if (!transfer) return [];
      const { from, to, amountMinor } = transfer;
      return [{ blockHash: entry.blockHash, transactionHash: entry.transactionHash, from, to, amountMinor }];
    });
}

export function readReceipt(answer: unknown): Receipt | null {
  const raw = z.parse(z.nullable(receipt), answer);
  return raw && asReceipt(raw);
}

/** The receipts of a whole block by transaction hash; null when the node does not have the block. */
export function readBlockReceipts(answer: unknown): Map<Hex, Receipt> | null {
  const raw = z.parse(z.nullable(z.array(receipt)), answer);
  return raw && new Map(raw.map((one) => [one.transactionHash, asReceipt(one)]));
}

function asReceipt(raw: z.output<typeof receipt>): Receipt {
  return {
    height: raw.blockNumber,
    blockHash: raw.blockHash,
    succeeded: raw.status === 1n,
    networkFeeMinor: raw.gasUsed * raw.effectiveGasPrice + (raw.l1Fee ?? 0n),
    tokenTransfers: raw.logs.flatMap((entry, index) => transferOf(entry, index) ?? []),
  };
}

/** An ERC-20 Transfer; null for other events, and for ERC-721's, whose third value is a topic. */
function transferOf(entry: z.output<typeof log>, index: number): TokenTransfer | null {
  const [topic, from, to] = entry.topics;
  if (topic !== transferTopic || from === undefined || to === undefined || entry.topics.length !== 3) return null;
  if (entry.data.length !== 66) return null;
  return {
    index,
    contract: entry.address,
    from: addressOf(from),
    to: addressOf(to),
    amountMinor: BigInt(entry.data),
  };
}

function addressOf(topic: Hex): Address {
  return getAddress(`0x${topic.slice(26)}`);
}
