import type { Body, OutputInput } from '@causeway/contract/call.ts';
import type { listOperatorAssets, switchOff } from '@causeway/contract/operator-prices.ts';
import { audit } from '../../../platform/audit/record.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { newId } from '../../../platform/ids.ts';
import { actorOf, type OperatorContext } from '../../../platform/session.ts';
import { refusal } from '../../ledger/index.ts';
import type { StaffContext } from '../console/dependencies.ts';
import { propose, requireActing } from '../console/service/proposals.ts';
import { lockStaff } from '../console/store/accounts.ts';
import type { SwitchInput } from './kinds.ts';
import { findAllOff, findChainCoins, findOff, insertOff, type OffRow } from './switches-store.ts';

/** Chains and coins on them, switched off by one operator at once and on again by two. */

export async function listAssets(tx: Tx, _context: OperatorContext): Promise<OutputInput<typeof listOperatorAssets>> {
  const [rows, off] = [await findChainCoins(tx), await findAllOff(tx)];
  const shown = (chain: string, coin: string | null, what: OffRow['what']) => {
    const row = off.find((one) => one.chainId === chain && one.coin === coin && one.what === what);
    return row ? { id: row.id, at: row.at.toISOString(), by: row.by, reason: row.reason } : null;
  };
  return {
    items: [...Map.groupBy(rows, ({ chain }) => chain)].map(([chain, coins]) => ({
      chain,
      name: coins[0]?.name ?? chain,
      configured: coins[0]?.chainConfigured === true,
      off: shown(chain, null, 'chain'),
      coins: coins.map(({ coin, contract, configured, waiting }) => ({
        coin,
        contract,
        configured,
        withdrawalsOff: shown(chain, coin, 'withdrawals'),
        depositsOff: shown(chain, coin, 'deposits'),
        waiting,
      })),
    })),
  };
}

function nameOf({ chainName, coin }: Pick<OffRow, 'chainName' | 'coin'>): string {
  return coin === null ? chainName : `${coin} · ${chainName}`;
}

/** @throws DomainError chainUnknown, coinNotOnChain, nothingChanges */
export async function turnOff(
  tx: Tx,
  context: StaffContext,
  { what, chain, coin, reason }: Body<typeof switchOff>,
): Promise<{ id: string }> {
  await lockStaff(tx);
  const { id: by } = await requireActing(tx, context, 'operator.price');
  const coins = (await findChainCoins(tx)).filter((one) => one.chain === chain);
  const [first] = coins;
  if (!first) throw refusal('chainUnknown', {}, 'chain');
  if (coin !== undefined && !coins.some((one) => one.coin === coin)) throw refusal('coinNotOnChain', {}, 'coin');
  const id = newId();
  if (!(await insertOff(tx, { id, chain, coin: coin ?? null, what, by, reason })))
    throw new DomainError('nothingChanges');
  await audit(tx, {
    actor: actorOf(context),
    action: 'operator.switchOff',
    subjectKind: 'switch',
    subjectId: id,
    detail: { name: nameOf({ chainName: first.name, coin: coin ?? null }), what, reason },
  });
  return { id };
}

/** @throws DomainError notFound, also when it is on already; proposalOpen */
export async function proposeOn(
  tx: Tx,
  context: StaffContext,
  { id, reason }: { id: string; reason: string },
): Promise<{ proposalId: string }> {
  await lockStaff(tx);
  await requireActing(tx, context, 'operator.price');
  const row = await findOff(tx, id);
  if (!row) throw new DomainError('notFound');
  const { what, chainName, coin } = row;
  const input: SwitchInput = { what, chainName, coin, offReason: row.reason };
  return {
    proposalId: await propose(tx, context, {
      kind: 'switch.on',
      subjectId: id,
      subjectName: nameOf(row),
      input,
      reason,
    }),
  };
}
