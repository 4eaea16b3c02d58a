import type { OutputInput } from '@causeway/contract/call.ts';
import { formatAmount } from '@causeway/contract/money.ts';
import type * as calls from '@causeway/contract/operator-treasury.ts';
import { gasTankDefaults } from '@causeway/contract/operator-treasury-rules.ts';
import type { Tx } from '../../../platform/database/database.ts';
import type { OperatorContext } from '../../../platform/session.ts';
import { findChains, findTankThresholds, type TankThreshold } from '../../chains/index.ts';
import { forecast, isTankLow } from './domain.ts';
import { findFeeRateRows, findTreasuryOutputs, shownFees } from './fee-rates.ts';
import { shownTreasury } from './settlements.ts';
import { findBankPositions, findTreasuryCoins } from './settlements-store.ts';
import { findCursors, findNodes, findRises, findSigner, findTanks, type RiseRow, type TankRow } from './store.ts';
import { findThresholdChanges, findThresholdProposals, type ThresholdChange } from './thresholds-store.ts';
import { type Valuing, valuing } from './valuing.ts';

/** What the treasury shows: gas tanks, the platform's coins, nodes, the signer. It changes nothing. */
export async function get(tx: Tx, context: OperatorContext): Promise<OutputInput<typeof calls.getTreasury>> {
  const usdOf = await valuing(tx, context.clock.now());
  const chains = await findChains(tx);
  const tanks = await findTanks(tx);
  const thresholds = await findTankThresholds(tx);
  const changes = new Map((await findThresholdChanges(tx)).map((change) => [change.chainId, change]));
  const proposals = await findThresholdProposals(tx);
  const treasuries = await findTreasuryCoins(tx);
  const atBanks = await findBankPositions(tx);
  const rises = await findRises(tx);
  const nodes = await findNodes(tx);
  const cursors = new Map((await findCursors(tx)).map((cursor) => [cursor.chainId, cursor]));
  const signer = await findSigner(tx);
  const feeRates = await findFeeRateRows(tx);
  const outputs = new Map((await findTreasuryOutputs(tx)).map((row) => [row.chainId, row]));
  const now = context.clock.now();
  return {
    chains: chains.map(({ id, name, nativeCoin: coin, explorerUrl, coins }) => {
      const decimals = coins.find((known) => known.coin === coin)?.decimals ?? 18;
      const tank = tanks.find(({ chainId }) => chainId === id);
      const own = rises.filter(({ chainId }) => chainId === id);
      return {
        id,
        name,
        coin,
        explorerUrl,
        readHeight: cursors.get(id)?.height ?? null,
        readAt: cursors.get(id)?.at.toISOString() ?? null,
        tank: tank
          ? {
              ...shownTank(tank, own, thresholds.get(id) ?? gasTankDefaults, { coin, decimals, usdOf }),
              threshold: {
                ...(thresholds.get(id) ?? gasTankDefaults),
                change: shownChange(changes.get(id)),
                proposalId: proposals.get(id) ?? null,
              },
            }
          : null,
        treasury: shownTreasury(
          treasuries.filter(({ chainId }) => chainId === id),
          usdOf,
        ),
        feeRates: shownFees(
          feeRates.find(({ chainId }) => chainId === id),
          outputs.get(id),
          { decimals, now },
        ),
        nodes: nodes
          .filter(({ chainId }) => chainId === id)
          .map(({ chainId: _, checkedAt, blockAt, ...node }) => ({
            ...node,
            checkedAt: checkedAt.toISOString(),
            blockAt: blockAt?.toISOString() ?? null,
          })),
      };
    }),
    atBanks: atBanks.map(({ asset, decimals, owedMinor, dueMinor }) => ({
      asset,
      owed: formatAmount(owedMinor, decimals),
      due: formatAmount(dueMinor, decimals),
    })),
    signer: {
      reachable: signer?.isOk ?? null,
      since: signer?.since?.toISOString() ?? null,
      checkedAt: signer?.checkedAt?.toISOString() ?? null,
      problem: signer?.problem ?? null,
      agrees: signer?.agrees ?? null,
      comparedAt: signer?.comparedAt?.toISOString() ?? null,
      finding: signer?.agrees === false ? signer.finding : null,
      entries: signer?.entries ?? 0,
      lastSignedAt: signer?.lastSignedAt?.toISOString() ?? null,
      auditKeys: signer?.auditKeys ?? [],
      addresses: tanks.map(({ chainId, address, isConfigured }) => ({ chainId, address, agrees: isConfigured })),
    },
  };
}

function shownTank(
  tank: TankRow,
  rises: readonly RiseRow[],
  threshold: TankThreshold,
  { coin, decimals, usdOf }: { coin: string; decimals: number; usdOf: Valuing },
) {
  const say = (minor: bigint) => formatAmount(minor, decimals);
  const { perDayMinor, daysLeft } = forecast(tank);
  const { address, balanceMinor, balanceAt, payments: paymentsLeft, advances7 } = tank;
  return {
    address,
    balance: balanceMinor === null ? null : say(balanceMinor),
    balanceAt: balanceAt?.toISOString() ?? null,
    usd: balanceMinor === null ? null : usdOf(coin, decimals, balanceMinor),
    spent7: say(tank.spent7Minor),
    spent30: say(tank.spent30Minor),
    advances7,
    perDay: say(perDayMinor),
    daysLeft,
    paymentsLeft,
    low: isTankLow({ daysLeft, paymentsLeft }, threshold),
    stopped: paymentsLeft !== null && paymentsLeft < threshold.stopPayments,
    topUps: rises.map(({ at, amountMinor, balanceMinor: balance }) => ({
      at: at.toISOString(),
      quantity: say(amountMinor),
      balance: say(balance),
    })),
  };
}

function shownChange(change: ThresholdChange | undefined) {
  return change ? { at: change.at.toISOString(), by: change.by, confirmedBy: change.confirmedBy } : null;
}
