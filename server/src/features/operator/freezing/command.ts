import type { FreezeKind, FreezeReason } from '@causeway/contract/freeze-rules.ts';
import { audit } from '../../../platform/audit/record.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { newId } from '../../../platform/ids.ts';
import { nilCompany } from '../../identity/index.ts';
import type { OperatorContext } from '../service.ts';
import { freezeActions } from './domain.ts';
import { countWhoUnfreeze, findSubject, freezeSubject, type Subject } from './store.ts';
import { unfreeze } from './unfreeze.ts';

/** Freezing on the command line: by the rules of the console. */

/**
 * Freezes at once; the company reads the cause, and never the note.
 * @returns `changed` false where the operator had frozen it already @throws DomainError walletNotFound, notFound
 */
export async function freezeByCommand(
  { database, operator }: OperatorContext,
  kind: FreezeKind,
  subjectId: string,
  { cause, note }: { cause: Exclude<FreezeReason, 'other'>; note: string },
) {
  const by = { id: operator, name: operator };
  return database.withCompany(nilCompany, async (tx) => {
    const { companyId, company, names } = found(kind, await findSubject(tx, kind, subjectId, null));
    const name = names['en-us'];
    const made = { id: newId(), companyId, kind, subjectId, reason: cause, texts: null, note, by };
    const changed = await freezeSubject(tx, made);
    if (changed) {
      await audit(tx, {
        actor: { kind: 'operator', id: operator },
        action: freezeActions[kind],
        subjectKind: kind,
        subjectId,
        detail: { name, company, cause, note },
      });
    }
    return { id: subjectId, company, name, frozen: true, changed };
  });
}

/**
 * Unfreezes where the firm has not two people who could do it in the console, which is where it is done by two (docs/FOUR_EYES.md).
 * @throws DomainError walletNotFound, notFound, notFrozen, unfreezeNeedsTwo
 */
export async function unfreezeByCommand({ database, operator }: OperatorContext, kind: FreezeKind, subjectId: string) {
  const subject = await database.withoutCompany(async (tx) => {
    if ((await countWhoUnfreeze(tx)) >= 2) throw new DomainError('unfreezeNeedsTwo');
    return found(kind, await findSubject(tx, kind, subjectId, null));
  });
  const { companyId, company, freezeId } = subject;
  const name = subject.names['en-us'];
  if (subject.frozenAt === null) return { id: subjectId, company, name, frozen: false, changed: false };
  const by = { kind: 'operator', id: operator } as const;
  await database.withCompany(companyId, (tx) => unfreeze(tx, { kind, subjectId, freezeId, by }));
  return { id: subjectId, company, name, frozen: false, changed: true };
}

function found(kind: FreezeKind, subject: Subject | null): Subject {
  if (!subject) throw new DomainError(kind === 'wallet' ? 'walletNotFound' : 'notFound');
  return subject;
}
