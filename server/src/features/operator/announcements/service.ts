import type { Body, OutputInput, Query } from '@causeway/contract/call.ts';
import type * as calls from '@causeway/contract/operator-announcements.ts';
import { type AuditEntry, audit } from '../../../platform/audit/record.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { readPage } from '../../../platform/database/list.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { actorOf } from '../../../platform/session.ts';
import { refusal } from '../../ledger/index.ts';
import type { StaffContext } from '../console/dependencies.ts';
import { readClock } from '../pricing/store.ts';
import {
  type AnnouncementContent,
  type AnnouncementRow,
  announcementList,
  cancelPlanned,
  insertPlanned,
  isAsset,
  isCompany,
  lockAnnouncement,
  updatePlanned,
} from './store.ts';

/** What the operator writes to companies. One operator may: it moves no money and gives no right. The worker sends it at its time. */

type Content = Pick<Body<typeof calls.writeAnnouncement>, 'texts' | 'audience' | 'sendAt'>;

/** @throws DomainError cursorInvalid */
export async function list(
  tx: Tx,
  _context: StaffContext,
  query: Query<typeof calls.listAnnouncements>,
): Promise<OutputInput<typeof calls.listAnnouncements>> {
  const page = await readPage(tx, announcementList, query, undefined);
  return { ...page, items: page.items.map(shown) };
}

/** @throws DomainError idTaken, assetUnknown, announcementInPast, notFound for a company that is not there */
export async function write(
  tx: Tx,
  context: StaffContext,
  { id, ...content }: Body<typeof calls.writeAnnouncement>,
): Promise<{ id: string }> {
  const checked = await check(tx, content);
  if (!(await insertPlanned(tx, { id, by: context.session.userId, ...checked }))) throw new DomainError('idTaken');
  await record(tx, context, 'operator.writeAnnouncement', id, content);
  return { id };
}

/** @throws DomainError notFound, assetUnknown, announcementInPast, announcementSettled, announcementChanged */
export async function edit(
  tx: Tx,
  context: StaffContext,
  { id, version, ...content }: Body<typeof calls.editAnnouncement> & { id: string },
): Promise<void> {
  const known = await lockPlanned(tx, id);
  if (known.version !== version) throw new DomainError('announcementChanged');
  await updatePlanned(tx, id, await check(tx, content));
  await record(tx, context, 'operator.editAnnouncement', id, content);
}

/** @throws DomainError notFound, announcementSettled */
export async function cancel(tx: Tx, context: StaffContext, { id }: { id: string }): Promise<void> {
  await lockPlanned(tx, id);
  await cancelPlanned(tx, id, context.session.userId);
  await audit(tx, {
    actor: actorOf(context),
    action: 'operator.cancelAnnouncement',
    subjectKind: 'announcement',
    subjectId: id,
    detail: {},
  });
}

async function lockPlanned(tx: Tx, id: string): Promise<{ version: number }> {
  const known = await lockAnnouncement(tx, id);
  if (!known) throw new DomainError('notFound');
  if (known.state !== 'planned') throw new DomainError('announcementSettled');
  return known;
}

async function check(tx: Tx, { texts, audience, sendAt }: Content): Promise<AnnouncementContent> {
  if (sendAt !== undefined && new Date(sendAt) <= (await readClock(tx))) {
    throw new DomainError('announcementInPast', {}, { sendAt: 'error.announcementInPast' });
  }
  const toCompany = audience.kind === 'company' ? audience.companyId : null;
  const toAsset = audience.kind === 'asset' ? audience.asset : null;
  if (toAsset !== null && !(await isAsset(tx, toAsset))) throw refusal('assetUnknown', {}, 'asset');
  if (toCompany !== null && !(await isCompany(tx, toCompany))) throw new DomainError('notFound');
  return { texts, audience: audience.kind, toCompany, toAsset, sendAt: sendAt ?? null };
}

async function record(
  tx: Tx,
  context: StaffContext,
  action: AuditEntry['action'],
  subjectId: string,
  { texts, audience, sendAt }: Content,
): Promise<void> {
  const to = {
    audience: audience.kind,
    ...(audience.kind === 'company' && { concerns: audience.companyId }),
    ...(audience.kind === 'asset' && { asset: audience.asset }),
  };
  const detail = { ...texts, ...to, ...(sendAt !== undefined && { sendAt }) };
  await audit(tx, { actor: actorOf(context), action, subjectKind: 'announcement', subjectId, detail });
}

function shown(row: AnnouncementRow): calls.OperatorAnnouncement {
  const { audience, toCompany, companyName, toAsset, sendAt, sentAt, createdAt, cancelledAt, ...own } = row;
  return {
    ...own,
    audience: {
      kind: audience,
      company: toCompany === null ? null : { id: toCompany, name: companyName ?? '' },
      asset: toAsset,
    },
    sendAt: sendAt.toISOString(),
    sentAt: sentAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
    cancelledAt: cancelledAt?.toISOString() ?? null,
  };
}
