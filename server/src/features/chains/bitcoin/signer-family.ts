import type { BitcoinNetwork } from '../../../platform/config/chains.ts';
import { invariant } from '../../../platform/domain-error.ts';
import {
  type Derive,
  type Intent,
  type OwnAddress,
  type PaymentRecord,
  type SignerFamily,
  type SigningHistory,
  transferKind,
} from '../signer/family.ts';
import { refuseUnless } from '../signer/refusal.ts';
import { companyAccountPath, isChange, isOrdinal } from './derivation.ts';
import { type BitcoinIntent, bitcoinJournal, type PaidOutput, type SpentOutput } from './journal-family.ts';
import { type BitcoinKey, bitcoinKeys } from './keys.ts';
import { scriptOf } from './scripts.ts';
import { signTransaction } from './signing.ts';
import {
  accelerateKind,
  type BitcoinSigningPlan,
  bitcoinSigningPlans,
  keyPath,
  mostJoinedPayments,
  type NamedOutput,
} from './signing-plan.ts';
import { dustThreshold, feeOf, milliRate, scriptKindOf, vsizeOf } from './sizes.ts';

export interface BitcoinSigningLimits {
  /** Satoshis per virtual byte. */
  maxFeeRate: number;
  /** The most of what a transaction pays that its fee may be; a small fee may be more than this. */
  maxFeePercent: number;
  /** In satoshis: a fee up to it is small. */
  smallFeeMinor: bigint;
  maxAccelerationsPerHour: number;
  /** The most that may leave the treasury within any 24 hours, by coin, in minor units; of a coin that is not named, nothing. */
  treasuryPerDay: ReadonlyMap<string, bigint>;
}

interface BitcoinSigning {
  derive: Derive;
  network: BitcoinNetwork;
  /** The signer's own list of chains: the registry could be rewritten. */
  chains: readonly { id: string; nativeCoin: string }[];
  limits: BitcoinSigningLimits;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** From here on a child of an extended key is hardened, which its public half cannot give. */
const firstHardened = 0x8000_0000;

/** Bitcoin in the signer: outputs of several addresses of a company are spent, and what they are worth beyond payee and fee comes back as change. */
export function createBitcoinSigner(signing: BitcoinSigning): SignerFamily<BitcoinSigningPlan, BitcoinIntent> {
  const { derive, network, chains, limits } = signing;
  const keys = bitcoinKeys(derive, network);
  const { fingerprint } = derive(companyAccountPath(network));
  const coinOf = (chainId: string) => chains.find(({ id }) => id === chainId)?.nativeCoin;

  /** Whose a named output is: an address of the record, with the key that the signer's seed has there. Null where it is no such address. */
  function ownerOf({ addresses }: PaymentRecord, { address, key }: NamedOutput): OwnAddress | null {
    const own = addresses.find((known) => known.address === address);
    if (!own || !key) return null;
    const path = keyPath(own.derivationIndex, own.ordinal);
    const isThere = key.fingerprint === fingerprint && key.path.join('/') === path.join('/');
    return isThere ? own : null;
  }

  function spentOf(record: PaymentRecord, input: BitcoinSigningPlan['inputs'][number]): SpentOutput {
    const { hash, index, address, amountMinor } = input;
    if (record.payer === 'treasury') {
      refuseUnless(address === keys.treasury.address && input.key === null, 'foreign-address');
      return { hash, index, address, amountMinor, derivationIndex: null, ordinal: null };
    }
    const own = ownerOf(record, input);
    refuseUnless(own, 'foreign-address');
    return { hash, index, address, amountMinor, derivationIndex: own.derivationIndex, ordinal: own.ordinal };
  }

  function changeOf(record: PaymentRecord, output: NamedOutput): PaidOutput {
    const { address, amountMinor } = output;
    refuseUnless(amountMinor >= dustOf(address), 'invalid-plan');
    if (record.payer === 'treasury') {
      refuseUnless(address === keys.treasury.address && output.key === null, 'other-output');
      return { address, amountMinor, ordinal: null };
    }
    const own = ownerOf(record, output);
    // An address that is shown to payers takes no change: who has paid there would see what the company pays.
    refuseUnless(own && isChange(own.ordinal), 'other-output');
    return { address, amountMinor, ordinal: own.ordinal };
  }

  const dustOf = (address: string) => {
    const kind = scriptKindOf(scriptOf(address, network));
    return kind === null ? 0n : dustThreshold(kind);
  };

  function keyOf({ address, derivationIndex, ordinal }: SpentOutput): BitcoinKey {
    const key = derivationIndex === null || ordinal === null ? keys.treasury : keys.company(derivationIndex, ordinal);
    invariant(key.address === address, 'the key is that of the input');
    return key;
  }

  return {
    journal: bitcoinJournal,
    plans: bitcoinSigningPlans(network),
    mostJoined: mostJoinedPayments,
    resourceTaken: 'input-taken',
    treasury: keys.treasury.address,
    serves: (chainId) => coinOf(chainId) !== undefined,
    isConfigured: ({ chainId, coin, registered }) =>
      coin === coinOf(chainId) && registered.contract === null && registered.evmChainId === null,
    addressesIn: ({ inputs, outputs }) => [...new Set([...inputs, ...outputs].map(({ address }) => address))],
    derives: ({ address, derivationIndex, ordinal }) =>
      derivationIndex < firstHardened &&
      isOrdinal(ordinal) &&
      keys.company(derivationIndex, ordinal).address === address,
    intentOf(payment, plan, record) {
      const { kind } = payment;
      const inputs = plan.inputs.map((input) => spentOf(record, input));
      const due = kind === transferKind ? duePlaces(payment, plan.outputs) : new Set<number>();
      const outputs = plan.outputs.map((output, place): PaidOutput => {
        if (!due.has(place)) return changeOf(record, output);
        return { address: output.address, amountMinor: output.amountMinor, ordinal: null };
      });
      const change = outputs.filter((_, place) => !due.has(place));
      refuseUnless(change.length <= 1 && outputs.length > 0, 'other-output');
      const feeMinor = sumOf(inputs) - sumOf(outputs);
      refuseUnless(feeMinor >= 0n, 'invalid-plan');
      const spends = { inputs, outputs, feeMinor };
      if (kind === transferKind) return { ...payment, ...spends };
      // It pays no one: an attempt with another fee has another change, and the same content.
      const { legs: _, ...ids } = payment;
      return { ...ids, toAddress: change[0]?.address ?? '', amountMinor: 0n, ...spends };
    },
    outputsOf: ({ outputs, coin }) => outputs.map(({ address, amountMinor }) => ({ address, coin, amountMinor })),
    limit: (intent, history) => holdLimits(limits, network, intent, history),
    isSignable: ({ chainId, coin }) => coin === coinOf(chainId),
    async sign({ inputs, outputs }) {
      return signTransaction({
        inputs: inputs.map((input) => ({ ...input, key: keyOf(input) })),
        outputs: outputs.map(({ address, amountMinor }) => ({ script: scriptOf(address, network), amountMinor })),
      });
    },
  };
}

/**
 * The outputs that pay what the records say. Of several payments each has its own output, in the order of the records.
 * @throws Refused where a payee is not paid
 */
function duePlaces({ joined, ...payment }: Intent, outputs: readonly NamedOutput[]): ReadonlySet<number> {
  const pays = (
    output: NamedOutput | undefined,
    { toAddress, amountMinor }: Pick<Intent, 'toAddress' | 'amountMinor'>,
  ) => output?.address === toAddress && output.amountMinor === amountMinor && output.key === null;
  const due =
    joined === undefined
      ? [outputs.findIndex((output) => pays(output, payment))]
      : [payment, ...joined].map((one, place) => (pays(outputs[place], one) ? place : -1));
  refuseUnless(
    due.every((place) => place >= 0),
    'other-output',
  );
  return new Set(due);
}

/** @throws Refused */
function holdLimits(
  limits: BitcoinSigningLimits,
  network: BitcoinNetwork,
  intent: BitcoinIntent,
  history: SigningHistory,
): void {
  const { kind, inputs, outputs, feeMinor, amountMinor, coin, joined = [] } = intent;
  const kinds = outputs.map(({ address }) => scriptKindOf(scriptOf(address, network)) ?? 'p2wpkh');
  refuseUnless(feeMinor <= feeOf(vsizeOf(inputs.length, kinds), milliRate(limits.maxFeeRate)), 'cost-cap');
  const movedMinor = kind === transferKind ? amountMinor + sumOf(joined) : sumOf(inputs);
  const isSmall = feeMinor <= limits.smallFeeMinor;
  refuseUnless(isSmall || feeMinor * 100n <= movedMinor * BigInt(limits.maxFeePercent), 'cost-cap');
  if (history.isKnown) return;
  if (bitcoinJournal.isFromTreasury(intent)) {
    const paidMinor = history.treasuryPaidSince(coin, new Date(Date.now() - dayMs));
    refuseUnless(paidMinor + amountMinor <= (limits.treasuryPerDay.get(coin) ?? 0n), 'treasury-cap');
  }
  if (kind !== accelerateKind) return;
  const accelerations = history.countSince(accelerateKind, new Date(Date.now() - hourMs));
  refuseUnless(accelerations < limits.maxAccelerationsPerHour, 'acceleration-rate');
}

const sumOf = (amounts: readonly { amountMinor: bigint }[]) =>
  amounts.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
