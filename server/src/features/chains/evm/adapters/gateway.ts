import type { Address, Hex } from 'viem';
import { encodeFunctionData, getAddress, numberToHex } from 'viem/utils';
import { type Clock, systemClock } from '../../../../platform/clock.ts';
import type { EvmChainConfig } from '../../../../platform/config/chains.ts';
import { outcomeOf } from '../../broadcast.ts';
import { type Broadcast, ChainMoved, type NodeAnswer } from '../../gateway.ts';
import { NodeRefusal } from '../../node-endpoint.ts';
import { agree, agreedHead, everyAnswer, type Nodes, noAgreement, quorumOf } from '../../quorum.ts';
import type { EvmGateway, Fees, Payment } from '../gateway.ts';
import { readBlockTime, readFeeHistory, readHash, readHeader, readQuantity, readReceipt } from './answers.ts';
import { agreedBalances, agreedBlock, createContentReader, growthOf, opaqueHashes } from './contents.ts';
import { createRpcEndpoint, type RpcEndpoint } from './rpc-endpoint.ts';
import { createTraceReader } from './trace-reader.ts';
import { readTransaction } from './transactions.ts';

/** The gateway to one EVM chain through its configured nodes. */
export function createEvmGateway(
  config: Pick<EvmChainConfig, 'id' | 'chainId' | 'rpcUrls' | 'rpcTimeoutMs' | 'tokens'>,
  clock: Clock = systemClock,
): EvmGateway {
  const nodes: Nodes<RpcEndpoint> = {
    chain: config.id,
    endpoints: config.rpcUrls.map((url, index) => createRpcEndpoint(config, `${index + 1}`, url)),
  };
  const contracts = config.tokens.map((token) => getAddress(token.contract));
  const listed = new Set<string>(contracts);
  const trace = createTraceReader(nodes, config.rpcTimeoutMs, clock);
  const receipt: EvmGateway['receipt'] = (hash) =>
    agree(nodes, `receipt ${hash}`, async (node) => readReceipt(await node.ask('eth_getTransactionReceipt', [hash])));
  const balanceAt = (contract: Address | null, address: Address, height: number) =>
    agree(nodes, `balance of ${address} at ${height}`, (node) => readBalance(node, contract, address, height));

  return {
    chainId: config.id,
    head: () => headOf(nodes),
    block: (height) =>
      agree(nodes, `block ${height}`, async (node) => {
        const header = readHeader(await node.ask('eth_getBlockByNumber', [numberToHex(height), false]));
        return header && { height: header.number, hash: header.hash, parentHash: header.parentHash };
      }),
    blockTime: async (height) => {
      const seconds = await agree(nodes, `time of block ${height}`, async (node) =>
        readBlockTime(await node.ask('eth_getBlockByNumber', [numberToHex(height), false])),
      );
      return seconds === null ? null : new Date(seconds * 1000);
    },
    contents: createContentReader(nodes, contracts),
    async internalTransfers(at) {
      const block = await agreedBlock(nodes, at.height);
      if (block.hash !== at.hash) throw new ChainMoved(`block ${at.height} is another one by now`);
      const opaque = opaqueHashes(block, listed);
      return opaque.length === 0 ? [] : trace(at, opaque);
    },
    unexplainedGrowth: (block, addresses) => growthOf(nodes, block, addresses),
    nativeBalances: (addresses, height) => agreedBalances(nodes, addresses, height),
    receipt,
    transaction: (hash) =>
      agree(nodes, `transaction ${hash}`, async (node) =>
        readTransaction(config.chainId, await node.ask('eth_getTransactionByHash', [hash])),
      ),
    // At a height that the quorum has reached, two nodes say the same; at `latest` they differ while a block travels.
    minedNonce: (address, height) =>
      agree(nodes, `nonce of ${address} at ${height}`, async (node) =>
        Number(readQuantity(await node.ask('eth_getTransactionCount', [address, numberToHex(height)]))),
      ),
    highestNonce: (address) => highestCount(nodes, address, 'latest'),
    highestPendingNonce: (address) => highestCount(nodes, address, 'pending'),
    pending: (address) => highestCount(nodes, address as Address, 'pending'),
    balance: balanceAt,
    tokenDecimals: (contract) =>
      agree(nodes, `decimals of ${contract}`, async (node) => {
        const data = encodeFunctionData({ abi: erc20Abi, functionName: 'decimals' });
        return Number(readQuantity(await node.ask('eth_call', [{ to: contract, data }, 'latest'])));
      }),
    estimateGas: (payment) => estimateGas(nodes, payment),
    fees: () => estimateFees(nodes),
    answers: () =>
      headOf(nodes).then(
        () => true,
        () => false,
      ),
    broadcast: (raw) => broadcast(nodes, raw as Hex),
  };
}

async function highestCount(nodes: Nodes<RpcEndpoint>, address: Address, tag: 'latest' | 'pending') {
  const counts = await everyAnswer(nodes, `${tag} nonce of ${address}`, async (node) =>
    Number(readQuantity(await node.ask('eth_getTransactionCount', [address, tag]))),
  );
  return { count: Math.max(...counts), hasQuorum: counts.length >= quorumOf(nodes) };
}

function headOf(nodes: Nodes<RpcEndpoint>): Promise<number> {
  return agreedHead(nodes, async (node) => Number(readQuantity(await node.ask('eth_blockNumber', []))));
}

/** What is asked of a token's contract (EIP-20). */
const erc20Abi = [
  {
    type: 'function',
    name: 'balanceOf',
    stateMutability: 'view',
    inputs: [{ name: 'owner', type: 'address' }],
    outputs: [{ type: 'uint256' }],
  },
  {
    type: 'function',
    name: 'decimals',
    stateMutability: 'view',
    inputs: [],
    outputs: [{ type: 'uint8' }],
  },
  {
    type: 'function',
    name: 'transfer',
    stateMutability: 'nonpayable',
    inputs: [
      { name: 'to', type: 'address' },
      { name: 'value', type: 'uint256' },
    ],
    outputs: [{ type: 'bool' }],
  },
] as const;

async function readBalance(
  node: RpcEndpoint,
  contract: Address | null,
  address: Address,
  height: number,
): Promise<bigint> {
  const at = numberToHex(height);
  if (contract === null) return readQuantity(await node.ask('eth_getBalance', [address, at]));
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [address] });
  return readQuantity(await node.ask('eth_call', [{ to: contract, data }, at]));
}

/** What a payment calls: the payee with the value, or the token's contract. */
export function callOf(payment: Omit<Payment, 'from'>): { to: Address; value: bigint; data: Hex } {
  const { to, contract, amountMinor } = payment;
  if (contract === null) return { to, value: amountMinor, data: '0x' };
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amountMinor] });
  return { to: contract, value: 0n, data };
}

/** A fifth more than the highest estimate, since storage may change before the block. */
async function estimateGas(nodes: Nodes<RpcEndpoint>, payment: Payment): Promise<bigint | 'reverts'> {
  const { to, value, data } = callOf(payment);
  const call = { from: payment.from, to, value: numberToHex(value), data };
  const estimates = await everyAnswer(nodes, 'gas estimate', async (node) => {
    try {
      return readQuantity(await node.ask('eth_estimateGas', [call]));
    } catch (error) {
      if (error instanceof NodeRefusal && /revert|invalid opcode|always fail/i.test(error.message)) return 'reverts';
      throw error;
    }
  });
  const units = estimates.filter((estimate) => estimate !== 'reverts');
  if (units.length === 0 && estimates.length >= quorumOf(nodes)) return 'reverts';
  if (units.length === 0) throw noAgreement(nodes, 'silence', 'gas estimate');
  const highest = units.sort((a, b) => (a < b ? 1 : -1))[0] ?? 0n;
  return highest === 21_000n ? highest : (highest * 6n) / 5n;
}

const feeBlocks = 5;
const feePercentile = 60;

/**
 * Twice the next base fee and the usual tip: good for six full blocks (EIP-1559). The lowest of the nodes' estimates, so
 * that no node can make us pay; too low a fee is raised later.
 */
async function estimateFees(nodes: Nodes<RpcEndpoint>): Promise<Fees> {
  const estimates = await everyAnswer(nodes, 'fees', async (node) => {
    const history = readFeeHistory(
      await node.ask('eth_feeHistory', [numberToHex(feeBlocks), 'latest', [feePercentile]]),
    );
    const base = history.baseFeePerGas.at(-1) ?? 0n;
    const tips = (history.reward ?? []).flatMap((reward) => reward[0] ?? []).sort((a, b) => (a < b ? -1 : 1));
    const tip = tips[Math.floor(tips.length / 2)] ?? 0n;
    const maxPriorityFeePerGas = tip > 0n ? tip : 1n;
    return { maxFeePerGas: base * 2n + maxPriorityFeePerGas, maxPriorityFeePerGas };
  });
  return estimates.reduce((least, fees) => (fees.maxFeePerGas < least.maxFeePerGas ? fees : least));
}

async function broadcast(nodes: Nodes<RpcEndpoint>, raw: Hex): Promise<Broadcast> {
  const answers = await Promise.all(
    nodes.endpoints.map(async (node): Promise<NodeAnswer> => {
      try {
        readHash(await node.ask('eth_sendRawTransaction', [raw]));
        return { node: node.name, answer: 'accepted', words: '' };
      } catch (error) {
        if (!(error instanceof NodeRefusal)) return { node: node.name, answer: 'silent', words: '' };
        return { node: node.name, answer: kindOfRefusal(error.message), words: error.message };
      }
    }),
  );
  return outcomeOf(answers);
}

function kindOfRefusal(message: string): NodeAnswer['answer'] {
  if (/already known|known transaction|already imported|already exists/i.test(message)) return 'known';
  if (/nonce (is )?too low|nonce has already been used|OldNonce/i.test(message)) return 'spent';
  return 'refused';
}
