import type { Body } from '@causeway/contract/call.ts';
import type * as calls from '@causeway/contract/operator-treasury.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { findChains, type TankThreshold, tankThresholdOf } from '../../chains/index.ts';
import type { StaffContext } from '../console/dependencies.ts';
import { propose, requireActing } from '../console/service/proposals.ts';
import { lockStaff } from '../console/store/accounts.ts';

/** When the gas tank of a chain is low, and when it stops: changed by two, in either direction. */

/** @throws DomainError notFound (the chain), nothingChanges, proposalOpen */
export async function proposeThreshold(
  tx: Tx,
  context: StaffContext,
  { chainId, reason, ...wanted }: Body<typeof calls.proposeTankThreshold> & { chainId: string },
): Promise<{ proposalId: string }> {
  await lockStaff(tx);
  await requireActing(tx, context, 'operator.treasury');
  const chain = (await findChains(tx)).find(({ id }) => id === chainId);
  if (!chain) throw new DomainError('notFound');
  if (isSame(await tankThresholdOf(tx, chainId), wanted)) throw new DomainError('nothingChanges');
  const input = { ...wanted, chainName: chain.name };
  const proposal = { kind: 'tank.threshold', subjectId: chainId, subjectName: chain.name, input, reason } as const;
  return { proposalId: await propose(tx, context, proposal) };
}

function isSame(a: TankThreshold, b: TankThreshold): boolean {
  return a.warnDays === b.warnDays && a.warnPayments === b.warnPayments && a.stopPayments === b.stopPayments;
}
