import type { Body, OutputInput } from '@causeway/contract/call.ts';
import { type Locale, locales } from '@causeway/contract/locale.ts';
import type * as calls from '@causeway/contract/operator-freezing.ts';
import { audit } from '../../../platform/audit/record.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { newId } from '../../../platform/ids.ts';
import { actorOf } from '../../../platform/session.ts';
import { freezeText } from '../../identity/index.ts';
import type { StaffContext } from '../console/dependencies.ts';
import { propose, requireActing } from '../console/service/proposals.ts';
import { lockStaff } from '../console/store/accounts.ts';
import { freezeActions, unfreezeKinds } from './domain.ts';
import { findFreezes, findSubject, freezeSubject, type Subject } from './store.ts';

/** Freezing, by one operator at once, and the proposal to unfreeze. */

export async function list(
  tx: Tx,
  { locale }: StaffContext,
  { id }: { id: string },
): Promise<OutputInput<typeof calls.listFreezes>> {
  const rows = await findFreezes(tx, id);
  return {
    items: rows.map(({ texts, names, ...row }) => ({
      ...row,
      name: names?.[locale] ?? '',
      text: freezeText({ reason: row.reason, texts }, locale),
      at: row.at.toISOString(),
      endedAt: row.endedAt?.toISOString() ?? null,
    })),
  };
}

/** @throws DomainError notFound, validationFailed, alreadyFrozen */
export async function freeze(
  tx: Tx,
  context: StaffContext,
  { id: companyId, kind, subjectId, reason, texts, note }: Body<typeof calls.freezeSubject> & { id: string },
): Promise<{ id: string }> {
  if ((reason === 'other') !== (texts !== undefined)) {
    throw new DomainError('validationFailed', {}, { texts: texts ? 'field.invalid' : 'field.required' });
  }
  const { names, company } = await requireSubject(tx, kind, subjectId, companyId);
  const id = newId();
  const by = { id: context.session.userId, name: context.session.userName };
  const made = { id, companyId, kind, subjectId, reason, texts: texts ?? null, note, by };
  if (!(await freezeSubject(tx, made))) throw new DomainError('alreadyFrozen');
  await audit(tx, {
    actor: actorOf(context),
    action: freezeActions[kind],
    subjectKind: kind,
    subjectId,
    detail: { name: names['en-us'], company, cause: reason, ...texts, note },
  });
  return { id };
}

/** @throws DomainError notFound, notFrozen, proposalOpen */
export async function proposeUnfreeze(
  tx: Tx,
  context: StaffContext,
  { id: companyId, kind, subjectId, reason }: Body<typeof calls.proposeUnfreeze> & { id: string },
): Promise<{ proposalId: string }> {
  await lockStaff(tx);
  await requireActing(tx, context, 'operator.freeze');
  const { names, company, frozenAt } = await requireSubject(tx, kind, subjectId, companyId);
  if (frozenAt === null) throw new DomainError('notFrozen');
  const named = (locale: Locale) => (kind === 'company' ? company : `${names[locale]} (${company})`);
  const subjectName = named('en-us');
  const input = { companyId, names: Object.fromEntries(locales.map((locale) => [locale, named(locale)])) };
  return {
    proposalId: await propose(tx, context, { kind: unfreezeKinds[kind], subjectId, subjectName, input, reason }),
  };
}

async function requireSubject(...place: Parameters<typeof findSubject>): Promise<Subject> {
  const subject = await findSubject(...place);
  if (!subject) throw new DomainError('notFound');
  return subject;
}
