import { getAddress } from 'viem';
import { type ModelChain, type ModelPayment, type ModelPlatform, paymentCostWei } from './model-chain.ts';
import type { ModelCoin, ModelSide } from './model-sides.ts';

/** What the model remembers of a history, and the figures that follow from it. */

/** Depth of the model's chain. */
export const modelDepth = 3;
/** One unit of the model's amounts, and the withdrawal fee, in minor units. */
export const modelUnit: Record<ModelCoin, bigint> = { USDT: 1_000_000n, ETH: 1_000_000_000_000_000n };
export const platform: ModelPlatform = {
  tank: getAddress('0x7a4e000000000000000000000000000000007a4e'),
  treasury: getAddress('0x7ea5000000000000000000000000000000007ea5'),
};
const { tank, treasury } = platform;

export interface ModelTransfer {
  id: string;
  side: ModelSide;
  coin: ModelCoin;
  amountMinor: bigint;
  /** Its hold was given back: cancelled, refused, or refused by the chain for good. */
  isReleased: boolean;
}

/** An exchange that was executed, with the amounts of its quote in minor units. */
export interface ModelExchange {
  id: string;
  side: ModelSide;
  sell: ModelCoin;
  buy: ModelCoin;
  soldMinor: bigint;
  feeMinor: bigint;
  boughtMinor: bigint;
}

/** What the signer was asked to move between a company's address and the treasury. */
export interface ModelSettlement extends ModelPayment {
  id: string;
  companyId: string;
  /** The sides of exchanges that it is to settle, as `id/sold` and `id/bought`. */
  legs: string[];
}

/** What the model remembers beside the chain. */
export interface Model {
  sides: ModelSide[];
  transfers: ModelTransfer[];
  exchanges: ModelExchange[];
  /** Deposits that have been deep enough while they stood, by hash. */
  credited: Set<string>;
  events: { companyId: string; name: string; payload: Record<string, unknown> }[];
}

export interface ModelFigures {
  net: bigint;
  outbound: bigint;
  inbound: bigint;
  fee: bigint;
  gas: bigint;
  fx: bigint;
}

/** The figures of one wallet as they must be, from the chain, the transfers and the exchanges alone. */
export function expected(
  { chain, settlements }: { chain: ModelChain; settlements: readonly ModelSettlement[] },
  model: Model,
  side: ModelSide,
  coin: ModelCoin,
): ModelFigures {
  const figures = { net: 0n, outbound: 0n, inbound: 0n, fee: 0n, gas: 0n, fx: 0n };
  const isDeep = (height: number) => chain.head() - height >= modelDepth;
  for (const { hash, coin: of, amountMinor, from } of chain.sentTo(side.address)) {
    if (of !== coin) continue;
    if (from === treasury) continue;
    const found = chain.find(hash);
    if (from === tank) {
      if (found && isDeep(found.height)) figures.gas += amountMinor;
      continue;
    }
    if (!found?.succeeded) model.credited.delete(hash);
    else if (model.credited.has(hash) || isDeep(found.height)) {
      model.credited.add(hash);
      figures.net += amountMinor;
    } else figures.inbound += amountMinor;
  }
  for (const transfer of model.transfers.filter((each) => each.side === side)) {
    const total = transfer.amountMinor + modelUnit[coin];
    const hash = chain.hashOf(transfer.id);
    const found = hash === null ? null : chain.find(hash);
    const isFinal = found !== null && isDeep(found.height);
    if (isFinal && coin === 'ETH') figures.gas -= paymentCostWei;
    if (transfer.coin !== coin) continue;
    if (isFinal && !found.succeeded) transfer.isReleased = true;
    if (isFinal && found.succeeded) {
      figures.net -= total;
      figures.fee += modelUnit[coin];
    } else if (!transfer.isReleased) {
      figures.net -= total;
      figures.outbound += total;
    }
  }
  for (const { side: of, sell, buy, soldMinor, feeMinor, boughtMinor } of model.exchanges) {
    if (of !== side) continue;
    if (sell === coin) {
      figures.net -= soldMinor + feeMinor;
      figures.fee += feeMinor;
      figures.fx += soldMinor;
    }
    if (buy !== coin) continue;
    figures.net += boughtMinor;
    figures.fx -= boughtMinor;
  }
  for (const { id, companyId, from, coin: of, amountMinor } of settlements) {
    if (companyId !== side.company.id) continue;
    const found = chain.find(chain.hashOf(id) ?? '');
    if (!found || !isDeep(found.height)) continue;
    if (coin === 'ETH' && from !== treasury) figures.gas -= paymentCostWei;
    if (of === coin && found.succeeded) figures.fx += from === treasury ? amountMinor : -amountMinor;
  }
  return figures;
}
