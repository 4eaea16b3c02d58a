import { type Language, type Locale, languages, localeOf } from '@causeway/contract/locale.ts';
import { staffInvitation, staffRole } from '@causeway/contract/operator.ts';
import {
  type OperatorRole,
  type OperatorState,
  operatorRoles,
  operatorStates,
  type ProposalKind,
} from '@causeway/contract/operator-rules.ts';
import * as z from 'zod/mini';
import { type AuditEntry, audit } from '../../../../platform/audit/record.ts';
import type { Tx } from '../../../../platform/database/database.ts';
import { invariant } from '../../../../platform/domain-error.ts';
import { actorOf } from '../../../../platform/session.ts';
import { translate } from '../../../../platform/text/texts.ts';
import type { StaffContext } from '../dependencies.ts';
import { type Kind, line } from '../kind.ts';
import { post } from '../post.ts';
import {
  awaitActivation,
  enable,
  findAccount,
  findAccountByEmail,
  insertAccount,
  updateRole,
} from '../store/accounts.ts';
import { endLinks } from '../store/activations.ts';
import { deletePasskeys } from '../store/passkeys.ts';
import { endAccess } from '../store/sessions.ts';
import { makeLink } from './activation.ts';

/** Proposals about the operator's own people. */

const person = z.object({ role: z.enum(operatorRoles), state: z.enum(operatorStates) });

/** All that matters of a colleague; changes of it wait for the staff's lock, which both sides take. */
async function personNow(tx: Tx, subjectId: string): Promise<Record<string, unknown>> {
  const account = await findAccount(tx, subjectId);
  if (!account) return {};
  const { role, state, email, activatedAt } = account;
  return { role, state, email, activatedAt: activatedAt?.toISOString() ?? null };
}

const roleName = (locale: Locale, role: OperatorRole) => translate(locale, `operator.role.${role}`);
const stateName = (locale: Locale, state: OperatorState) => translate(locale, `operator.state.${state}`);
const languageName = (locale: Locale, language: Language) =>
  translate(locale, `operator.language.${localeOf(language)}`);

const invite: Kind = {
  subjectKind: 'operator',
  async before(tx, subjectId, input) {
    const { email } = staffInvitation.parse(input);
    const isTaken = (await findAccount(tx, subjectId)) !== null || (await findAccountByEmail(tx, email)) !== null;
    return { isTaken };
  },
  titleOf: (locale, input) => ({ role: roleName(locale, staffInvitation.parse(input).role) }),
  changes(locale, input) {
    const { name, email, role, language } = staffInvitation.parse(input);
    invariant(languages.includes(language), 'a language is one of ours');
    return [
      line(locale, 'name', null, name),
      line(locale, 'email', null, email),
      line(locale, 'role', null, roleName(locale, role)),
      line(locale, 'language', null, languageName(locale, language)),
    ];
  },
  async apply(tx, context, { subjectId: id, input, proposerName: by }) {
    const { email, name, role, language } = staffInvitation.parse(input);
    invariant(await insertAccount(tx, { id, email, name, role, language }), 'id and email are free');
    await record(tx, context, 'staff.invite', id, { name, email, role, language });
    const link = await makeLink(tx, context.url, id, 'invitation');
    const to = { email, name, language };
    await post(tx, context, { kind: 'invitation', to, by, url: link.url, expiresAt: link.expiresAt.toISOString() });
  },
};

const role: Kind = {
  subjectKind: 'operator',
  before: personNow,
  titleOf: (locale, input) => ({ role: roleName(locale, staffRole.parse(input).role) }),
  changes: (locale, input, before) => [
    line(locale, 'role', roleName(locale, person.parse(before).role), roleName(locale, staffRole.parse(input).role)),
  ],
  async apply(tx, context, { subjectId, input, before }) {
    const after = staffRole.parse(input).role;
    await updateRole(tx, subjectId, after);
    await record(tx, context, 'staff.role', subjectId, { role: { before: person.parse(before).role, after } });
  },
};

const reactivate: Kind = {
  subjectKind: 'operator',
  before: personNow,
  titleOf: (locale) => ({ role: stateName(locale, 'active') }),
  changes: (locale, _input, before) => [
    line(locale, 'state', stateName(locale, 'disabled'), stateName(locale, 'active')),
    line(locale, 'role', roleName(locale, person.parse(before).role), roleName(locale, person.parse(before).role)),
  ],
  async apply(tx, context, { subjectId }) {
    await enable(tx, subjectId);
    const after = (await findAccount(tx, subjectId))?.state;
    await record(tx, context, 'staff.reactivate', subjectId, { state: { before: 'disabled', after } });
  },
};

const reset: Kind = {
  subjectKind: 'operator',
  before: personNow,
  titleOf: (locale) => ({ role: stateName(locale, 'invited') }),
  changes: (locale) => [
    line(locale, 'signIn', translate(locale, 'operator.signIn.set'), translate(locale, 'operator.signIn.again')),
  ],
  async apply(tx, context, { subjectId, proposerName: by }) {
    const account = await findAccount(tx, subjectId);
    invariant(account, 'what was compared is there');
    const { email, name, language, activatedAt } = account;
    await awaitActivation(tx, subjectId);
    await deletePasskeys(tx, subjectId, null);
    await endAccess(tx, subjectId, null);
    await endLinks(tx, subjectId);
    await record(tx, context, 'staff.reset', subjectId, { name });
    const purpose = activatedAt === null ? 'invitation' : 'reset';
    const link = await makeLink(tx, context.url, subjectId, purpose);
    const to = { email, name, language };
    await post(tx, context, { kind: purpose, to, by, url: link.url, expiresAt: link.expiresAt.toISOString() });
  },
};

async function record(
  tx: Tx,
  context: StaffContext,
  action: AuditEntry['action'],
  subjectId: string,
  detail: Record<string, unknown>,
): Promise<void> {
  await audit(tx, { actor: actorOf(context), action, subjectKind: 'operator', subjectId, detail });
}

export const staffKinds = {
  'staff.invite': invite,
  'staff.role': role,
  'staff.reactivate': reactivate,
  'staff.reset': reset,
} satisfies Partial<Record<ProposalKind, Kind>>;
