import type { FreezeKind } from '@causeway/contract/freeze-rules.ts';
import { type Actor, audit } from '../../../platform/audit/record.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { announce, live } from '../../../platform/database/outbox.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { newId } from '../../../platform/ids.ts';
import { nilCompany } from '../../identity/index.ts';
import { keepPowers, lockOrganisation } from '../../organisation/index.ts';
import { unfreezeActions } from './domain.ts';
import { type Unfrozen, unfrozenEvent } from './events.ts';
import { endFreeze, findSubject, lockFreezes } from './store.ts';

/**
 * Unfreezes it in its company's transaction. Payments that waited are taken up by the worker's next round; a member comes to what they
 * could do again, and so decides on nothing that began before.
 * @param freezeId the freeze that was agreed to end: null for one of the program's own
 * @throws DomainError notFound, notFrozen
 */
export async function unfreeze(
  tx: Tx,
  { kind, subjectId, freezeId, by }: { kind: FreezeKind; subjectId: string; freezeId: string | null; by: Actor },
): Promise<void> {
  // Before the freezes' lock, as wherever people change.
  if (kind === 'member') await lockOrganisation(tx);
  await lockFreezes(tx, tx.companyId, { alone: true });
  const subject = await findSubject(tx, kind, subjectId, tx.companyId);
  if (!subject) throw new DomainError('notFound');
  if (subject.frozenAt === null || subject.freezeId !== freezeId) throw new DomainError('notFrozen');
  const end = () => endFreeze(tx, kind, subjectId);
  // No colleague of the member gave them anything: the nil company is the operator.
  await (kind === 'member' ? keepPowers(tx, { id: nilCompany, name: 'Operator' }, end) : end());
  await audit(tx, { actor: by, action: unfreezeActions[kind], subjectKind: kind, subjectId });
  const unfrozen: Unfrozen = { kind, subjectId, names: subject.names, id: newId() };
  await announce(tx, [{ name: unfrozenEvent, payload: { ...unfrozen } }, live('organisation'), live('balance')]);
}
