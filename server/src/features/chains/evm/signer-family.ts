import type { Address } from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';
import { keccak256 } from 'viem/utils';
import type { EvmChainConfig } from '../../../platform/config/chains.ts';
import { invariant } from '../../../platform/domain-error.ts';
import { emptyKind, type RecordedCoin, type SignedBytes, type SignerFamily, transferKind } from '../signer/family.ts';
import { refuseUnless } from '../signer/refusal.ts';
import { callOf } from './adapters/gateway.ts';
import { type EvmIntent, evmJournal } from './journal-family.ts';
import type { EvmKeys } from './keys.ts';
import { advanceKind, type EvmSigningPlan, evmSigningPlans, plainGas } from './signing-plan.ts';

/** The signer's own list of chains and contracts, from its own configuration: the registry could be rewritten. */
export type EvmSigningChains = readonly Pick<EvmChainConfig, 'id' | 'chainId' | 'nativeCoin' | 'tokens'>[];

export interface EvmSigningLimits {
  /** The most that one payment may cost in network fees, in wei. */
  maxNetworkFeeWei: bigint;
  /** The most that one advance of the gas tank may be, in wei. */
  maxAdvanceWei: bigint;
  maxAdvancesPerHour: number;
  /** The most that may leave the treasury within any 24 hours, by coin, in minor units; of a coin that is not named, nothing. */
  treasuryPerDay: ReadonlyMap<string, bigint>;
}

interface EvmSigning {
  keys: EvmKeys;
  chains: EvmSigningChains;
  limits: EvmSigningLimits;
}

/** The chain's own coin in a journal entry of the gas tank, and in one of an empty transaction. */
const nativeCoin = 'native';
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** EVM chains in the signer: one sender, one payee, a nonce, and the gas tank that advances network fees. */
export function createEvmSigner(signing: EvmSigning): SignerFamily<EvmSigningPlan, EvmIntent> {
  const { keys, chains, limits } = signing;
  return {
    journal: evmJournal,
    plans: evmSigningPlans,
    resourceTaken: 'nonce-taken',
    treasury: keys.treasury.address,
    sweeps: true,
    serves: (chainId) => chains.some(({ id }) => id === chainId),
    isConfigured: (record) => isConfigured(chains, record),
    addressesIn: () => null,
    derives: ({ address, derivationIndex, ordinal }) => keys.company(derivationIndex, ordinal).address === address,
    intentOf(payment, plan, { addresses, payer, from }) {
      const own = addresses.find(({ address, ordinal }) => (from === undefined ? ordinal === 0 : address === from));
      refuseUnless(own, 'foreign-address');
      const { address: fromAddress, derivationIndex, ordinal } = own;
      const sender =
        payer === 'treasury'
          ? { fromAddress: keys.treasury.address, derivationIndex: null }
          : { fromAddress, derivationIndex, ...(ordinal === 0 ? {} : { ordinal }) };
      const { nonce, gasLimit, maxFeePerGas, maxPriorityFeePerGas, amountWei = 0n } = plan;
      const pricing = { nonce, gasLimit, maxFeePerGas, maxPriorityFeePerGas };
      if (payment.kind === transferKind) return { ...payment, kind: transferKind, ...sender, ...pricing };
      if (payment.kind === emptyKind) {
        const nothing = { toAddress: sender.fromAddress, coin: nativeCoin, amountMinor: 0n };
        return { ...payment, kind: emptyKind, ...nothing, ...sender, ...pricing };
      }
      const advance = { toAddress: sender.fromAddress, coin: nativeCoin, amountMinor: amountWei };
      const { legs: _, ...ids } = payment;
      return {
        ...ids,
        kind: advanceKind,
        ...advance,
        fromAddress: keys.gasTank.address,
        derivationIndex: null,
        ...pricing,
      };
    },
    outputsOf: ({ toAddress, coin, amountMinor }) => [{ address: toAddress, coin, amountMinor }],
    limit(intent, history) {
      refuseUnless(intent.gasLimit * intent.maxFeePerGas <= limits.maxNetworkFeeWei, 'cost-cap');
      if (evmJournal.isFromTreasury(intent) && !history.isKnown) {
        const paidMinor = history.treasuryPaidSince(intent.coin, new Date(Date.now() - dayMs));
        const mostMinor = limits.treasuryPerDay.get(intent.coin) ?? 0n;
        refuseUnless(paidMinor + intent.amountMinor <= mostMinor, 'treasury-cap');
      }
      if (intent.kind === transferKind) return;
      refuseUnless(intent.gasLimit === plainGas, 'cost-cap');
      if (intent.kind !== advanceKind) return;
      refuseUnless(intent.amountMinor <= limits.maxAdvanceWei, 'top-up-cap');
      if (history.isKnown) return;
      const advances = history.countSince(advanceKind, new Date(Date.now() - hourMs));
      refuseUnless(advances < limits.maxAdvancesPerHour, 'top-up-rate');
    },
    isSignable: (intent) =>
      (intent.kind === advanceKind ||
        intent.derivationIndex !== null ||
        intent.fromAddress === keys.treasury.address) &&
      contractOf(chains, intent.chainId, intent.coin) !== undefined,
    sign: (intent) => signIntent(signing, intent),
  };
}

/** The contract of a coin by the signer's own configuration; undefined when it has no such coin. */
function contractOf(chains: EvmSigningChains, chainId: string, coin: string): Address | null | undefined {
  const chain = chains.find(({ id }) => id === chainId);
  if (!chain) return undefined;
  if (coin === nativeCoin || coin === chain.nativeCoin) return null;
  return chain.tokens.find((token) => token.coin === coin)?.contract as Address | undefined;
}

function isConfigured(chains: EvmSigningChains, { chainId, coin, registered }: RecordedCoin): boolean {
  if (chains.find(({ id }) => id === chainId)?.chainId !== registered.evmChainId) return false;
  const contract = contractOf(chains, chainId, coin);
  if (contract === undefined) return false;
  return (contract?.toLowerCase() ?? null) === (registered.contract?.toLowerCase() ?? null);
}

function senderOf(keys: EvmKeys, { kind, derivationIndex, ordinal }: EvmIntent): PrivateKeyAccount {
  if (kind === advanceKind) return keys.gasTank;
  return derivationIndex === null ? keys.treasury : keys.company(derivationIndex, ordinal);
}

/** Builds the transaction (EIP-1559) of an intent and signs it: the same bytes each time (RFC 6979). */
async function signIntent({ keys, chains }: EvmSigning, intent: EvmIntent): Promise<SignedBytes> {
  const chain = chains.find(({ id }) => id === intent.chainId);
  const contract = contractOf(chains, intent.chainId, intent.coin);
  invariant(chain && contract !== undefined, `${intent.coin} on ${intent.chainId} is configured`);
  const call = callOf({ to: intent.toAddress as Address, contract, amountMinor: intent.amountMinor });
  const account = senderOf(keys, intent);
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
