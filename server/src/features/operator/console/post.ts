import type { Language } from '@causeway/contract/locale.ts';
import { type Actor, type AuditEntry, audit } from '../../../platform/audit/record.ts';
import { seal } from '../../../platform/crypto/secrets.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { announce } from '../../../platform/database/outbox.ts';
import type { RequestContext } from '../../../platform/session.ts';
import { userAgentOf } from '../../identity/index.ts';
import type { ConsoleCore } from './dependencies.ts';
import { operatorMail, type StaffLetter, type StaffSecurityKind } from './events.ts';

/** Announces a mail, in the transaction of its cause. */
export async function post(tx: Tx, { keys }: Pick<ConsoleCore, 'keys'>, letter: StaffLetter): Promise<void> {
  const sealed = seal(keys.mail, Buffer.from(JSON.stringify(letter)), operatorMail).toString('base64');
  await announce(tx, [{ name: operatorMail, payload: { sealed } }]);
}

interface Owner {
  id: string;
  email: string;
  name: string;
  language: Language;
}

/** A change or use of an operator's ways to sign in: for the audit log, and as a mail for its owner. */
export async function recordSecurity(
  tx: Tx,
  context: RequestContext & ConsoleCore,
  owner: Owner,
  record: {
    what: StaffSecurityKind;
    action: AuditEntry['action'];
    actor: Actor;
    subjectKind?: AuditEntry['subjectKind'];
    subjectId?: string;
    detail?: Record<string, unknown>;
  },
): Promise<void> {
  const { what, subjectKind = 'operator', subjectId = owner.id, ...entry } = record;
  await audit(tx, { subjectKind, subjectId, ...entry });
  await postSecurity(tx, context, owner, what);
}

export async function postSecurity(
  tx: Tx,
  context: RequestContext & ConsoleCore,
  { email, name, language }: Owner,
  what: StaffSecurityKind,
): Promise<void> {
  await post(tx, context, {
    kind: 'security',
    to: { email, name, language },
    what,
    url: context.url,
    at: new Date().toISOString(),
    ip: context.ip,
    userAgent: userAgentOf(context),
  });
}
