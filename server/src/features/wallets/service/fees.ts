import type { OutputInput, Query } from '@causeway/contract/call.ts';
import { formatAmount } from '@causeway/contract/money.ts';
import type { FeeType, getFee, listFees } from '@causeway/contract/wallets.ts';
import type { Tx } from '../../../platform/database/database.ts';
import type { SignedInContext } from '../../../platform/session.ts';
import { findBanks } from '../../banks/index.ts';
import { type ChainFamilies, familyOf, findChains, secondsUntilFinal } from '../../chains/index.ts';
import { amountOf, refusal } from '../../ledger/index.ts';
import { findFxFees } from '../store/fx-fees.ts';
import { type ReceivingPorts, usableChain, usableCoin } from './receiving.ts';

/** The fee of one kind of operation with one asset at one place; figures in minor units. */
interface Fee {
  feeType: FeeType;
  asset: string;
  decimals: number;
  minimumMinor: bigint;
  feeMinor: bigint;
  /** Of what is exchanged, where the fee is a share of it; null: it is flat. */
  basisPoints: number | null;
  /** The network's fee comes on top, chosen at each transfer. */
  plusNetworkFee: boolean;
  transferLimitMinor: bigint | null;
  dailyLimitMinor: bigint | null;
  /** From the hand-over until it is final, about; null where nothing travels. */
  arrivalSeconds: number | null;
}

/**
 * The fee of one intended operation. That of an exchange is a share of what is exchanged, rounded up, of the sold asset. A withdrawal's is flat and comes on top, so the payee receives the whole amount; a recharge's at
 * a bank is flat and taken from what arrives. With it goes how long the operation takes on the place's rail (docs/adr/0053).
 * @throws DomainError feeTypeUnavailable for an operation without a fee, and what the place, asset and amount are refused for
 */
export async function quoteFee(
  tx: Tx,
  { families }: SignedInContext & ReceivingPorts,
  query: Query<typeof getFee>,
): Promise<OutputInput<typeof getFee>> {
  const fee = query.bank === undefined ? await feeOnChain(tx, families, query) : await feeAtBank(tx, query, query.bank);
  const inUnits = (minor: bigint) => formatAmount(minor, fee.decimals);
  const amountMinor = query.amount === undefined ? null : amountOf(query.amount, fee);
  const feeMinor = fee.basisPoints === null ? fee.feeMinor : shareOf(amountMinor ?? 0n, fee.basisPoints);
  const takenOff = fee.feeType === 'account_recharge_fee' ? feeMinor : 0n;
  const onTop = fee.feeType === 'account_recharge_fee' ? 0n : feeMinor;
  return {
    feeType: fee.feeType,
    asset: fee.asset,
    fee: inUnits(feeMinor),
    basisPoints: fee.basisPoints,
    plusNetworkFee: fee.plusNetworkFee,
    amount: amountMinor === null ? null : inUnits(amountMinor),
    received: amountMinor === null ? null : inUnits(amountMinor > takenOff ? amountMinor - takenOff : 0n),
    debited: amountMinor === null ? null : inUnits(amountMinor + onTop),
    minimum: inUnits(fee.minimumMinor),
    transferLimit: fee.transferLimitMinor === null ? null : inUnits(fee.transferLimitMinor),
    dailyLimit: fee.dailyLimitMinor === null ? null : inUnits(fee.dailyLimitMinor),
    arrivalSeconds: fee.arrivalSeconds,
  };
}

/** Rounded up, as exchanges take it. */
function shareOf(amountMinor: bigint, basisPoints: number): bigint {
  return (amountMinor * BigInt(basisPoints) + 9_999n) / 10_000n;
}

async function feeOnChain(
  tx: Tx,
  families: ChainFamilies,
  { feeType, asset, chain }: Query<typeof getFee>,
): Promise<Fee> {
  if (feeType === 'account_recharge_fee') throw refusal('feeTypeUnavailable', {}, 'feeType');
  const usable = usableChain(await findChains(tx), chain ?? '');
  const { decimals, minimumMinor, feeMinor, transferLimitMinor, dailyLimitMinor } = usableCoin(usable, asset);
  const limits = { transferLimitMinor, dailyLimitMinor };
  const known = { feeType, asset, decimals, minimumMinor, ...limits };
  if (feeType === 'fx_fee') return { ...known, ...(await feeOfExchange(tx, asset)) };
  const { choosesFee } = familyOf(families, usable);
  const arrivalSeconds = secondsUntilFinal(usable);
  return { ...known, feeMinor, basisPoints: null, plusNetworkFee: choosesFee, arrivalSeconds };
}

async function feeAtBank(tx: Tx, { feeType, asset }: Query<typeof getFee>, bankId: string): Promise<Fee> {
  if (feeType === 'crypto_withdraw_fee') throw refusal('feeTypeUnavailable', {}, 'feeType');
  const bank = (await findBanks(tx)).find((each) => each.id === bankId && each.enabled);
  if (!bank) throw refusal('bankUnknown', {}, 'bank');
  const currency = bank.currencies.find((each) => each.asset === asset && each.enabled);
  if (!currency) throw refusal('currencyNotAtBank', {}, 'asset');
  const { decimals, minimumMinor, rechargeFeeMinor } = currency;
  const limits = { transferLimitMinor: null, dailyLimitMinor: null };
  const known = { feeType, asset, decimals, minimumMinor, ...limits };
  if (feeType === 'fx_fee') return { ...known, ...(await feeOfExchange(tx, asset)) };
  return { ...known, feeMinor: rechargeFeeMinor, basisPoints: null, plusNetworkFee: false, arrivalSeconds: null };
}

/** Nothing travels: it is done at once. */
async function feeOfExchange(
  tx: Tx,
  asset: string,
): Promise<Pick<Fee, 'feeMinor' | 'basisPoints' | 'plusNetworkFee' | 'arrivalSeconds'>> {
  const [basisPoints = 0] = await findFxFees(tx, [asset]);
  return { feeMinor: 0n, basisPoints, plusNetworkFee: false, arrivalSeconds: null };
}

/**
 * The schedule in force: the withdrawal fee of every coin that can be sent, the recharge fee of every currency at a bank, and of both what
 * exchanging them costs.
 */
export async function describeFees(
  tx: Tx,
  { families }: SignedInContext & ReceivingPorts,
): Promise<OutputInput<typeof listFees>> {
  const chains = (await findChains(tx)).filter((chain) => chain.enabled);
  const banks = (await findBanks(tx)).filter((bank) => bank.enabled);
  const onChains = chains.flatMap((chain) =>
    chain.coins
      .filter((coin) => coin.enabled)
      .map(({ coin, feeMinor, decimals }) => ({
        feeType: 'crypto_withdraw_fee' as const,
        asset: coin,
        chain: chain.id,
        bank: null,
        fee: formatAmount(feeMinor, decimals),
        basisPoints: null,
        plusNetworkFee: familyOf(families, chain).choosesFee,
        decimals,
      })),
  );
  const atBanks = banks.flatMap((bank) =>
    bank.currencies
      .filter((currency) => currency.enabled)
      .map(({ asset, rechargeFeeMinor, decimals }) => ({
        feeType: 'account_recharge_fee' as const,
        asset,
        chain: null,
        bank: bank.id,
        fee: formatAmount(rechargeFeeMinor, decimals),
        basisPoints: null,
        plusNetworkFee: false,
        decimals,
      })),
  );
  const flat = [...onChains, ...atBanks];
  const shares = await findFxFees(
    tx,
    flat.map(({ asset }) => asset),
  );
  const ofExchanges = flat.map(({ asset, chain, bank, decimals }, place) => ({
    feeType: 'fx_fee' as const,
    asset,
    chain,
    bank,
    fee: formatAmount(0n, decimals),
    basisPoints: shares[place] ?? 0,
    plusNetworkFee: false,
  }));
  return { items: [...flat.map(({ decimals: _, ...line }) => line), ...ofExchanges] };
}
