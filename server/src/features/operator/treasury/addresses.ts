import type { Body, OutputInput } from '@causeway/contract/call.ts';
import type * as calls from '@causeway/contract/operator-treasury.ts';
import { audit } from '../../../platform/audit/record.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { actorOf } from '../../../platform/session.ts';
import { type CatalogueChain, type ChainFamilies, type ChainFamily, familyOf, findChains } from '../../chains/index.ts';
import { refusal } from '../../ledger/index.ts';
import type { StaffContext } from '../console/dependencies.ts';
import { propose, requireActing } from '../console/service/proposals.ts';
import { lockStaff } from '../console/store/accounts.ts';
import { findAddress, findAddresses, isInBook, isOurs, markRemoved } from './addresses-store.ts';

/** The operator's own book of addresses: two people add one, one removes it. */

export type TreasuryContext = StaffContext & { families: ChainFamilies };

export async function list(tx: Tx): Promise<OutputInput<typeof calls.listTreasuryAddresses>> {
  const rows = await findAddresses(tx);
  return {
    addresses: rows.map(({ id, chainId, chainName, address, label, addedAt }) => ({
      id,
      chainId,
      chainName,
      address,
      label,
      addedAt: addedAt.toISOString(),
    })),
  };
}

/**
 * @throws DomainError notFound (the chain), idTaken, addressInvalid, addressChecksum, addressReserved, addressIsToken,
 * treasuryAddressAgain, treasuryAddressOurs, treasuryAddressKnown, proposalOpen
 */
export async function proposeAddress(
  tx: Tx,
  context: TreasuryContext,
  { id, chainId, address: written, again, label, reason }: Body<typeof calls.proposeTreasuryAddress>,
): Promise<{ proposalId: string }> {
  await lockStaff(tx);
  await requireActing(tx, context, 'operator.treasury');
  if (written.trim() !== again.trim()) throw refusal('treasuryAddressAgain', {}, 'again');
  const chain = (await findChains(tx)).find((known) => known.id === chainId);
  if (!chain) throw new DomainError('notFound');
  const family = familyOf(context.families, chain);
  const address = readAddress(family, chain, written.trim());
  if (await isOurs(tx, address)) throw refusal('treasuryAddressOurs', {}, 'address');
  const addressKey = family.keyOf(address);
  if (await isInBook(tx, chainId, addressKey)) throw refusal('treasuryAddressKnown', {}, 'address');
  if (await findAddress(tx, id, { lock: false })) throw new DomainError('idTaken');
  const input = { chainId, chainName: chain.name, address, addressKey, label };
  const subject = { subjectId: id, subjectName: label };
  return { proposalId: await propose(tx, context, { kind: 'treasury.addAddress', ...subject, input, reason }) };
}

function readAddress(family: ChainFamily, { coins }: CatalogueChain, text: string): string {
  const address = family.readAddress(text, 'address');
  const isToken = coins.some(({ contract }) => contract !== null && family.isSame(contract, address));
  if (isToken) throw refusal('addressIsToken', {}, 'address');
  return address;
}

/** @throws DomainError notFound, nothingChanges */
export async function removeAddress(
  tx: Tx,
  context: StaffContext,
  { id, reason }: { id: string; reason: string },
): Promise<void> {
  await lockStaff(tx);
  await requireActing(tx, context, 'operator.treasury');
  const row = await findAddress(tx, id, { lock: true });
  if (!row) throw new DomainError('notFound');
  if (!(await markRemoved(tx, id, context.session.userId))) throw new DomainError('nothingChanges');
  await audit(tx, {
    actor: actorOf(context),
    action: 'treasury.removeAddress',
    subjectKind: 'treasuryAddress',
    subjectId: id,
    detail: { chain: row.chainId, address: row.address, name: row.label, reason },
  });
}
