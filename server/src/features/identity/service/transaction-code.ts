import type { CodeMethod, CodeSubject } from '@causeway/contract/identity.ts';
import { type Tx, together } from '../../../platform/database/database.ts';
import { RememberedError } from '../../../platform/domain-error.ts';
import type { Session } from '../../../platform/session.ts';
import type { IdentityCore } from './dependencies.ts';
import { openProofs, type TransactionProof } from './proofs.ts';

export interface TransactionProofRequest {
  session: Session;
  method: CodeMethod;
  code: string;
  /** What is confirmed, as the feature's `DescribeSubject` gave it when the code was asked for. */
  digest: string;
  /** What kind of thing is confirmed: the code of some may have to come from another person's mail. */
  subject: CodeSubject;
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
  const holder = { companyId: tx.companyId, userId: session.userId, method, subject };
  const proofs = await openProofs(tx, core, [holder]);
  try {
    const { proof, use } = proofs.prove({ ...holder, code, digest });
    use();
    tx.leave(proofs.write(tx));
    return proof;
  } catch (error) {
    if (error instanceof RememberedError) await together(proofs.write(tx));
    throw error;
  }
}
