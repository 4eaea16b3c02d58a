import type { CodeMethod, CodeSubject } from '@causeway/contract/identity.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { newId } from '../../../platform/ids.ts';
import type { Session } from '../../../platform/session.ts';
import { insertUsedCode } from '../store/codes.ts';
import { consumeTotp } from './authenticator.ts';
import { consumeCode, memberHolder } from './code.ts';
import type { IdentityCore } from './dependencies.ts';

export interface TransactionProofRequest {
  session: Session;
  method: CodeMethod;
  code: string;
  /** What is confirmed, as the feature's `DescribeSubject` gave it when the code was asked for. */
  digest: string;
  /** What kind of thing is confirmed: the code of some may have to come from another person's mail. */
  subject: CodeSubject;
}

/** `id` names the row of the code that was used up. */
export interface TransactionProof {
  method: CodeMethod;
  id: string;
}

/**
 * Uses up the code that proves a transaction, inside the transaction that carries it out. If that is rolled back, the
 * code is as good as before.
 * @throws RememberedError codeWrong, codeBurnt, transferCodeMismatch; DomainError mfaNotBound,
 * codeForAdministrator
 */
export async function verifyTransactionCode(
  tx: Tx,
  core: IdentityCore,
  { session, method, code, digest, subject }: TransactionProofRequest,
): Promise<TransactionProof> {
  const { userId } = session;
  if (method === 'email') {
    const id = await consumeCode(tx, core, memberHolder(userId, 'transaction'), code, digest);
    return { method, id };
  }
  const goesToRecipients = core.confirmed[subject]?.goesToRecipients ?? false;
  // An authenticator would let the initiator confirm alone what the company has an administrator confirm.
  if (goesToRecipients && (await core.findCodeRecipients(tx, userId)).length > 0) {
    throw new DomainError('codeForAdministrator', {}, { code: 'error.codeForAdministrator' });
  }
  await consumeTotp(tx, core, { userId }, code);
  const id = newId();
  await insertUsedCode(tx, { id, subject: userId, scenario: 'transaction', method, digest });
  return { method, id };
}
