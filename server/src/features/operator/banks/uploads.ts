import { createHash } from 'node:crypto';
import type { OutputInput } from '@causeway/contract/call.ts';
import { maxFileBytes } from '@causeway/contract/files-rules.ts';
import type * as calls from '@causeway/contract/operator-bank-uploads.ts';
import { audit } from '../../../platform/audit/record.ts';
import type { Database, Tx } from '../../../platform/database/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import type { Upload } from '../../../platform/http/call-input.ts';
import { newId } from '../../../platform/ids.ts';
import { actorOf } from '../../../platform/session.ts';
import { BankFileError, bankFileSentence, findBanks } from '../../banks/index.ts';
import type { StaffContext } from '../console/dependencies.ts';
import { propose, requireActing } from '../console/service/proposals.ts';
import { lockStaff } from '../console/store/accounts.ts';
import { type FileInput, namesOfFile } from './file-kind.ts';
import { understand } from './understanding.ts';
import { findKnownName, findUpload, insertUpload, isProposedElsewhere } from './uploads-store.ts';

/** A bank's file taken in by hand: uploaded and understood, proposed, and taken in by the worker once another operator has confirmed it. */

/** A name has so many characters at most. */
const nameLength = 200;

/** @throws DomainError bankUnknown, fileEmpty, fileTooLarge, bankFileUnreadable with why, bankFileKnown with its name */
export async function upload(
  context: StaffContext & { database: Database; upload: Upload },
  { bank }: { bank: string },
): Promise<OutputInput<typeof calls.uploadBankFile>> {
  const { content } = context.upload;
  if (content.length === 0) throw new DomainError('fileEmpty');
  if (content.length > maxFileBytes) throw new DomainError('fileTooLarge');
  const understood = await understand(content).catch((error: unknown) => {
    if (!(error instanceof BankFileError)) throw error;
    throw new DomainError('bankFileUnreadable', { why: bankFileSentence(error, context.locale) });
  });
  const name = context.upload.name.replaceAll(/\p{C}/gu, '').trim().slice(-nameLength) || 'file.xml';
  const sha256 = createHash('sha256').update(content).digest('hex');
  const id = newId();
  await context.database.withCompany(context.session.companyId, async (tx) => {
    const found = (await findBanks(tx)).find((one) => one.id === bank);
    if (!found) throw new DomainError('bankUnknown');
    const known = await findKnownName(tx, bank, sha256);
    if (known !== null) throw new DomainError('bankFileKnown', { name: known });
    await insertUpload(tx, { id, bank, fileName: name, sha256, content, understood, by: context.session.userId });
    await audit(tx, {
      actor: actorOf(context),
      action: 'operator.uploadBankFile',
      subjectKind: 'installation',
      subjectId: 'installation',
      detail: { bank: found.name, fileName: name, sha256 },
    });
  });
  return { id, name, sizeBytes: content.length, sha256, understood };
}

/** @throws DomainError notFound, bankFileKnown, proposalOpen, also for the same content in another upload */
export async function proposeTaking(
  tx: Tx,
  context: StaffContext,
  { id, reason }: { id: string; reason: string },
): Promise<{ proposalId: string }> {
  await lockStaff(tx);
  await requireActing(tx, context, 'operator.exception');
  const row = await findUpload(tx, id);
  if (!row) throw new DomainError('notFound');
  const { fileName, isKnown } = row;
  if (isKnown) throw new DomainError('bankFileKnown', { name: fileName });
  if (await isProposedElsewhere(tx, row)) throw new DomainError('proposalOpen');
  const input = { names: namesOfFile(row) } satisfies FileInput;
  const subject = { subjectId: id, subjectName: input.names['en-us'] };
  return { proposalId: await propose(tx, context, { kind: 'bankFile.take', ...subject, input, reason }) };
}
