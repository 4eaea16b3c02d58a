import type { Body, OutputInput, Params } from '@causeway/contract/call.ts';
import {
  type addPayoutTemplate,
  type editPayoutTemplate,
  type makeTemplateBatch,
  mostPayoutTemplates,
  type removePayoutTemplate,
} from '@causeway/contract/payout-templates.ts';
import { audit } from '../../../platform/audit/record.ts';
import { databaseError, type Tx } from '../../../platform/database/database.ts';
import { announce, live } from '../../../platform/database/outbox.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { actorOf, type SignedInContext } from '../../../platform/session.ts';
import { looksAlike } from '../../../platform/text/names.ts';
import { existing } from '../drafts/ports.ts';
import { stateOf } from '../drafts/view.ts';
import { markDiscarded } from '../store/drafts.ts';
import {
  copyReadTo,
  copyRows,
  findSchedules,
  findTemplates,
  insertBatchOf,
  insertTemplate,
  lockTemplates,
  setContent,
  setNext,
  type TemplateRow,
} from './store.ts';

/** Templates as people make, change and use them. What they repeat is in `schedule.ts` and `turns.ts`. */

/** @throws DomainError batchNotFound, batchUnmapped, idTaken, payoutTemplateNameTaken, tooManyPayoutTemplates */
export async function add(
  tx: Tx,
  context: SignedInContext,
  { id, name, note, fromId }: Body<typeof addPayoutTemplate>,
): Promise<OutputInput<typeof addPayoutTemplate>> {
  await lockTemplates(tx);
  const others = await findTemplates(tx);
  if (others.length >= mostPayoutTemplates)
    throw new DomainError('tooManyPayoutTemplates', { most: mostPayoutTemplates });
  refuseTaken(name, others);
  const from = fromId === null ? null : await existing(tx, fromId);
  if (from && stateOf(from) === 'mapping') throw new DomainError('batchUnmapped');
  await orTaken(insertTemplate(tx, { id, name, note, createdBy: context.session.userId }));
  if (from) {
    await copyRows(tx, from.id, id);
    await copyReadTo(tx, from.id, id);
  }
  await record(tx, context, 'batches.addTemplate', id, { name, rows: String(from?.rows ?? 0) });
  return { id };
}

/** @throws DomainError payoutTemplateNameTaken, payoutTemplateNotFound */
export async function edit(
  tx: Tx,
  context: SignedInContext,
  { id, name, note }: Body<typeof editPayoutTemplate>,
): Promise<void> {
  await lockTemplates(tx);
  await templateOf(tx, id);
  refuseTaken(
    name,
    (await findTemplates(tx)).filter((other) => other.id !== id),
  );
  await setContent(tx, id, { name, note });
  await record(tx, context, 'batches.editTemplate', id, { name });
}

/** @throws DomainError payoutTemplateNotFound */
export async function remove(
  tx: Tx,
  context: SignedInContext,
  { id }: Params<typeof removePayoutTemplate>,
): Promise<void> {
  await lockTemplates(tx);
  const { name } = await templateOf(tx, id);
  const [schedule] = await findSchedules(tx, id);
  if (schedule && schedule.endedAt === null) await setNext(tx, id, null, true);
  await markDiscarded(tx, id);
  await record(tx, context, 'batches.removeTemplate', id, { name });
}

/** @throws DomainError idTaken, payoutTemplateEmpty, payoutTemplateNotFound */
export async function makeBatch(
  tx: Tx,
  context: SignedInContext,
  { id, templateId, name }: Body<typeof makeTemplateBatch>,
): Promise<OutputInput<typeof makeTemplateBatch>> {
  const template = await templateOf(tx, templateId);
  if (template.rows === 0) throw new DomainError('payoutTemplateEmpty');
  await orTaken(insertBatchOf(tx, { id, name, templateId, payDay: null, createdBy: context.session.userId }));
  await copyRows(tx, templateId, id);
  await audit(tx, {
    actor: actorOf(context),
    action: 'batches.add',
    subjectKind: 'batch',
    subjectId: id,
    detail: { name, template: template.name },
  });
  await announce(tx, [live('batch', id)]);
  return { id };
}

/** @throws DomainError payoutTemplateNotFound */
export async function templateOf(tx: Tx, id: string): Promise<TemplateRow> {
  const [template] = await findTemplates(tx, id);
  if (!template) throw new DomainError('payoutTemplateNotFound');
  return template;
}

type TemplateAction = `batches.${
  | `${'add' | 'edit' | 'remove'}Template`
  | `${'pause' | 'resume' | 'end'}Schedule`
  | 'schedule'}`;

export async function record(
  tx: Tx,
  context: SignedInContext,
  action: TemplateAction,
  id: string,
  detail: Record<string, string>,
): Promise<void> {
  await audit(tx, { actor: actorOf(context), action, subjectKind: 'batchTemplate', subjectId: id, detail });
  await announce(tx, [live('batch', id)]);
}

/** @throws DomainError payoutTemplateNameTaken where a reader could take the name for another template's */
function refuseTaken(name: string, others: readonly TemplateRow[]): void {
  const other = others.find((each) => looksAlike(each.name, name));
  if (other) throw new DomainError('payoutTemplateNameTaken', { name: other.name });
}

async function orTaken(inserting: Promise<void>): Promise<void> {
  try {
    await inserting;
  } catch (error) {
    if (databaseError(error)?.constraint === 'payout_batch_pkey') throw new DomainError('idTaken');
    throw error;
  }
}
