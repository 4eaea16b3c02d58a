import type { CodeMethod } from '@causeway/contract/identity.ts';
import type { Tx } from '../../../platform/database.ts';
import { newId } from '../../../platform/ids.ts';
import type { Session } from '../../../platform/session.ts';
import { insertUsedCode } from '../store/codes.ts';
import { consumeTotp } from './authenticator.ts';
import { consumeCode, memberHolder } from './code.ts';
import type { IdentityCore } from './core.ts';

export interface TransactionProofRequest {
  session: Session;
  method: CodeMethod;
  code: string;
  /** What is confirmed, as the feature's `DescribeSubject` gave it when the code was asked for. */
  digest: string;
}

/** `id` names the row of the code that was used up. */
export interface TransactionProof {
  method: CodeMethod;
  id: string;
}

/**
 * Uses up the code that proves a transaction, inside the transaction that carries it out. If that is rolled back, the
 * code is as good as before.
 * @throws RememberedError codeWrong, codeBurnt, transferCodeMismatch; DomainError mfaNotBound
 */
export async function verifyTransactionCode(
  core: IdentityCore,
  tx: Tx,
  { session, method, code, digest }: TransactionProofRequest,
): Promise<TransactionProof> {
  const { userId } = session;
  if (method === 'email') {
    const id = await consumeCode(core, tx, memberHolder(userId, 'transaction'), code, digest);
    return { method, id };
  }
  await consumeTotp(core, tx, userId, code);
  const id = newId();
  await insertUsedCode(tx, { id, subject: userId, scenario: 'transaction', method, digest });
  return { method, id };
}
