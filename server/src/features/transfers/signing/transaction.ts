import type { Address, Hex } from 'viem';
import { keccak256 } from 'viem/utils';
import type { ChainConfig } from '../../../platform/config.ts';
import { invariant } from '../../../platform/domain-error.ts';
import { callOf, type Keys } from '../../chains/index.ts';
import type { Intent } from './journal-rules.ts';

/** The signer's own list of chains and contracts, from its own configuration: the registry could be rewritten. */
export type SigningChains = readonly Pick<ChainConfig, 'id' | 'chainId' | 'nativeCoin' | 'tokens'>[];

/** The native coin in a journal entry of the gas tank. */
export const nativeCoin = 'native';

/** The contract of a coin by the signer's own configuration; undefined when it has no such coin. */
export function contractOf(chains: SigningChains, chainId: string, coin: string): Address | null | undefined {
  const chain = chains.find(({ id }) => id === chainId);
  if (!chain) return undefined;
  if (coin === nativeCoin || coin === chain.nativeCoin) return null;
  return chain.tokens.find((token) => token.coin === coin)?.contract as Address | undefined;
}

/** Whether an entry can be signed with the present configuration. */
export function isSignable(chains: SigningChains, intent: Intent): boolean {
  const hasKey = intent.kind === 'gas' || intent.derivationIndex !== null;
  return hasKey && contractOf(chains, intent.chainId, intent.coin) !== undefined;
}

/** Builds the transaction (EIP-1559) of an intent and signs it: the same bytes each time (RFC 6979). */
export async function signIntent(keys: Keys, chains: SigningChains, intent: Intent): Promise<{ raw: Hex; hash: Hex }> {
  const chain = chains.find(({ id }) => id === intent.chainId);
  const contract = contractOf(chains, intent.chainId, intent.coin);
  invariant(chain && contract !== undefined, `${intent.coin} on ${intent.chainId} is configured`);
  const call = callOf({ to: intent.toAddress as Address, contract, amountMinor: intent.amountMinor });
  invariant(intent.kind === 'gas' || intent.derivationIndex !== null, 'a company’s address has its index');
  const account = intent.kind === 'gas' ? keys.gasTank : keys.company(intent.derivationIndex ?? 0);
  invariant(account.address === intent.fromAddress, 'the key is the sender’s');
  const raw = await account.signTransaction({
    type: 'eip1559',
    chainId: chain.chainId,
    nonce: intent.nonce,
    gas: intent.gasLimit,
    maxFeePerGas: intent.maxFeePerGas,
    maxPriorityFeePerGas: intent.maxPriorityFeePerGas,
    ...call,
  });
  return { raw, hash: keccak256(raw) };
}
