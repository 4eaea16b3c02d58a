import type { Hex } from 'viem';
import { decodeFunctionData, getAddress, keccak256, parseAbi, serializeTransaction } from 'viem/utils';
import * as z from 'zod/mini';
import type { ChainTransaction } from '../gateway.ts';
import { address, hash, hex, quantity } from './answers.ts';

/** A transaction as `eth_getTransactionByHash` returns it, and the bytes that its sender signed. */

const transaction = z.object({
  hash,
  type: quantity,
  from: address,
  nonce: quantity,
  to: z.nullable(address),
  value: quantity,
  input: hex,
  gas: quantity,
  gasPrice: z.optional(z.nullable(quantity)),
  maxFeePerGas: z.optional(z.nullable(quantity)),
  maxPriorityFeePerGas: z.optional(z.nullable(quantity)),
  r: z.optional(quantity),
  s: z.optional(quantity),
  v: z.optional(quantity),
  yParity: z.optional(quantity),
});
type RawTransaction = z.output<typeof transaction>;

const eip1559 = 2n;
const transferAbi = parseAbi(['function transfer(address to, uint256 value)']);
const transferCallLength = 2 + 2 * (4 + 32 + 32);

export function readTransaction(evmChainId: number, answer: unknown): ChainTransaction | null {
  const raw = z.parse(z.nullable(transaction), answer);
  if (!raw) return null;
  const price = raw.gasPrice ?? 0n;
  return {
    hash: raw.hash,
    from: raw.from,
    nonce: Number(raw.nonce),
    to: raw.to,
    valueWei: raw.value,
    tokenCall: tokenCallOf(raw),
    gasLimit: raw.gas,
    maxFeePerGas: raw.maxFeePerGas ?? price,
    maxPriorityFeePerGas: raw.maxPriorityFeePerGas ?? price,
    raw: signedBytes(evmChainId, raw),
  };
}

function tokenCallOf({ to, input }: RawTransaction): ChainTransaction['tokenCall'] {
  if (to === null || !input.startsWith('0xa9059cbb') || input.length !== transferCallLength) return null;
  const { args } = decodeFunctionData({ abi: transferAbi, data: input as Hex });
  return { contract: to, to: getAddress(args[0]), amountMinor: args[1] };
}

/** Puts the bytes together again; they count only when they have the transaction's own hash. */
function signedBytes(evmChainId: number, raw: RawTransaction): Hex | null {
  const { maxFeePerGas, maxPriorityFeePerGas, r, s } = raw;
  const parity = raw.yParity ?? raw.v;
  if (raw.type !== eip1559 || maxFeePerGas == null || maxPriorityFeePerGas == null) return null;
  if (r === undefined || s === undefined || (parity !== 0n && parity !== 1n)) return null;
  const bytes = serializeTransaction(
    {
      type: 'eip1559',
      chainId: evmChainId,
      nonce: Number(raw.nonce),
      to: raw.to,
      value: raw.value,
      data: raw.input as Hex,
      gas: raw.gas,
      maxFeePerGas,
      maxPriorityFeePerGas,
    },
    { r: word(r), s: word(s), yParity: Number(parity) },
  );
  return keccak256(bytes) === raw.hash ? bytes : null;
}

function word(value: bigint): Hex {
  return `0x${value.toString(16).padStart(64, '0')}`;
}
