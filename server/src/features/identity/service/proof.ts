import { createHash } from 'node:crypto';
import { type SecurityContent, type SecurityProof, securityContent } from '@causeway/contract/identity-account.ts';
import * as z from 'zod/mini';
import type { Tx } from '../../../platform/database/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { fieldMessages } from '../../../platform/http/call-input.ts';
import { translate } from '../../../platform/text/texts.ts';
import { findPasskeys } from '../store/passkeys.ts';
import type { CodeFact, DescribeSubject, OpenMemberContext } from './dependencies.ts';
import { requirePassword } from './password.ts';
import { consumeRecoveryCode } from './recovery-code.ts';
import { verifyTransactionCode } from './transaction-code.ts';

/** The proof required to change how one signs in (docs/adr/0017). */

function digestOf(userId: string, { action, id }: SecurityContent): string {
  return createHash('sha256')
    .update(JSON.stringify(['security', userId, action, id ?? null]))
    .digest('hex');
}

/**
 * What a mailed code of the subject `security` confirms.
 * @throws DomainError validationFailed, notFound (no such passkey)
 */
export const describeSecurity: DescribeSubject = async (tx, { userId }, content, locale) => {
  const parsed = z.safeParse(securityContent, content);
  if (!parsed.success) throw new DomainError('validationFailed', {}, fieldMessages(parsed.error, content));
  const { action, id } = parsed.data;
  const facts: CodeFact[] = [
    {
      label: translate(locale, 'security.action'),
      value: translate(locale, `security.${action}`),
      headline: translate(locale, `security.${action}`),
    },
  ];
  if (action === 'removePasskey') {
    const passkey = (await findPasskeys(tx, userId)).find((one) => one.id === id);
    if (!passkey) throw new DomainError('notFound');
    facts.push({ label: translate(locale, 'security.passkey'), value: passkey.name });
  } else if (id !== undefined) {
    throw new DomainError('validationFailed', {}, { id: 'field.unknown' });
  }
  return { digest: digestOf(userId, parsed.data), facts };
};

/**
 * Runs `change` in a transaction that begins with using the proof up. Comparing a password takes long and is counted by
 * itself, so it comes before the transaction.
 * @throws DomainError passwordWrong, passwordUndecipherable, codeWrong, codeBurnt, transferCodeMismatch, recoveryCodeWrong,
 * mfaNotBound, tooManyRequests, and what `change` throws: then the proof is as good as before
 */
export async function withProof<T>(
  context: OpenMemberContext,
  { proof, content }: { proof: SecurityProof; content: SecurityContent },
  change: (tx: Tx) => Promise<T>,
): Promise<T> {
  const { session } = context;
  if (proof.method === 'email') await requirePassword(context, proof.password, 'password');
  return context.database.withCompany(session.companyId, async (tx) => {
    const digest = digestOf(session.userId, content);
    if (proof.method === 'recovery')
      await consumeRecoveryCode(tx, context, { userId: session.userId }, proof.recoveryCode);
    else
      await verifyTransactionCode(tx, context, {
        session,
        method: proof.method,
        code: proof.code,
        digest,
        subject: 'security',
      });
    return change(tx);
  });
}
