import { randomBytes } from 'node:crypto';
import type { Chain } from '@causeway/sandbox/chain.ts';
import type { Address, Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { encodeFunctionData, getAddress, parseUnits } from 'viem/utils';

export type { Address };

const transferAbi = [
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

const forwardAbi = [
  {
    type: 'function',
    name: 'forward',
    stateMutability: 'payable',
    inputs: [{ name: 'to', type: 'address' }],
    outputs: [],
  },
] as const;

/** An account outside of Causeway that fills blocks: it has its own key, so that a payment costs one call. */
export interface Payer {
  /** One transfer of the token to each, in this order; they wait for the next block. */
  sendTokens(coin: 'USDT' | 'USDC', to: readonly Address[], amountMinor: bigint): Promise<void>;
  /** ETH passed on by a contract to each, in a transaction each. */
  forwardEther(to: readonly Address[], wei: bigint): Promise<void>;
}

const gasPrice = { maxFeePerGas: 10_000_000_000n, maxPriorityFeePerGas: 1n };

export async function openPayer(chain: Chain): Promise<Payer> {
  const { address, privateKey } = await chain.treasury.openAccount('USDT', '1000000');
  await chain.treasury.send('USDC', address, '1000000');
  await chain.treasury.send('ETH', address, '1000');
  await chain.engine.mine(1);
  const account = privateKeyToAccount(privateKey);

  async function send(payments: readonly { to: Address; data: Hex; value: bigint; gas: bigint }[]): Promise<void> {
    // Asked each time: a reorganisation may have taken earlier ones away.
    let nonce = Number(await chain.request('eth_getTransactionCount', [address, 'pending']));
    for (const payment of payments) {
      const signed = await account.signTransaction({ ...payment, ...gasPrice, chainId: chain.chainId, nonce });
      nonce += 1;
      await chain.engine.submit(signed);
    }
  }

  return {
    async sendTokens(coin, to, amountMinor) {
      const token = chain.treasury.contracts[coin];
      const callOf = (payee: Address) =>
        encodeFunctionData({ abi: transferAbi, functionName: 'transfer', args: [payee, amountMinor] });
      await send(to.map((payee) => ({ to: token, data: callOf(payee), value: 0n, gas: 60_000n })));
    },
    async forwardEther(to, wei) {
      const { forwarder } = chain.treasury.contracts;
      const callOf = (payee: Address) =>
        encodeFunctionData({ abi: forwardAbi, functionName: 'forward', args: [payee] });
      await send(to.map((payee) => ({ to: forwarder, data: callOf(payee), value: wei, gas: 90_000n })));
    },
  };
}

/** `count` unused addresses, in EIP-55 form. */
export function receivers(count: number): Address[] {
  return Array.from({ length: count }, () => getAddress(`0x${randomBytes(20).toString('hex')}`));
}

export const ether = (amount: string): bigint => parseUnits(amount, 18);
