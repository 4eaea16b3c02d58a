import type { Locale } from '@causeway/contract/locale.ts';
import { audit } from '../../../platform/audit/record.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { invariant } from '../../../platform/domain-error.ts';
import { translate } from '../../../platform/text/texts.ts';
import { isOwnBankAccount } from '../../banks/index.ts';
import type { ChainFamilies } from '../../chains/index.ts';
import { findPeople } from '../../organisation/index.ts';
import {
  accountKey,
  accountNames,
  approveAccount,
  type BankPayeeRow,
  bankNameOf,
  findBankPayeesAlike,
  findByCurrentVersion,
  nameLikeness,
  rejectAccount,
  sortedDetails,
  takeOutBank,
  type VersionRow,
} from '../../payees/index.ts';
import { isBlacklisted } from '../../risk/index.ts';
import { sha256Hex } from '../domain.ts';
import { findAccountRejections } from '../store/payees.ts';
import { findTaskOf, type TaskSnapshot } from '../store/tasks.ts';
import type { ApprovalSubject, SubjectKind } from './subjects.ts';

/** The bank account of a payee, new or changed, as something that a second person approves (docs/adr/0064-…). */

/** What its task keeps: the account as it was saved. */
interface NewAccountContent {
  payeeId: string;
  label: string;
  remark: string;
  name: string;
  country: string;
  currency: string;
  account: string;
  /** The account that it takes the place of; null: the payee is new. */
  before: { name: string; account: string } | null;
}

export function accountContent(
  { id, label, remark, version }: BankPayeeRow,
  before: VersionRow | null,
): NewAccountContent {
  const { name, country, currency, account } = version;
  const old = before && { name: before.name, account: before.account };
  return { payeeId: id, label, remark, name, country, currency, account, before: old };
}

export const newAccount: SubjectKind = {
  kind: 'bank_payee',
  shape: 'account',
  adoptable: false,
  changesControls: false,
  auditKind: 'payee',
  notices: 'account',
  locks: [],
  initiation: 'payee.manage',
  partyPermission: 'payee.view',
  name(task, locale) {
    const { label, before } = contentOf(task);
    return translate(locale, before ? 'approvals.newAccount.taskChanged' : 'approvals.newPayee.task', { payee: label });
  },
  noticeValues(task) {
    const { label, name, account } = contentOf(task);
    return { payee: label, holder: name, account };
  },
  brief(task, locale) {
    const { label: name, account, country, currency, before, name: holder } = contentOf(task);
    const fact = (field: string, value: string) => ({
      label: translate(locale, `approvals.newAccount.${field}`),
      value,
    });
    return {
      party: { name, account },
      facts: [
        fact('holder', holder),
        fact('country', country),
        fact('currency', currency),
        ...(before ? [fact('before', `${before.name} · ${before.account}`)] : []),
      ],
      marks: before ? [translate(locale, 'approvals.mark.changedAccount')] : [],
    };
  },
};

export const newAccounts = (families: ChainFamilies): ApprovalSubject => ({
  ...newAccount,
  async content(tx, task, { locale }) {
    const { payeeId, label, remark, account, before } = contentOf(task);
    const payee = await findByCurrentVersion(tx, task.subjectId);
    const version = payee?.version;
    const alike = version
      ? await findBankPayeesAlike(tx, {
          likeness: nameLikeness(version.name),
          key: accountKey(version),
          except: payeeId,
        })
      : [];
    const found = version ? await forbidding(tx, families, version) : [];
    const said = version?.verification
      ? [
          translate(locale, `approvals.newAccount.verification.${version.verification}`, {
            name: version.verifiedName ?? '',
          }),
        ]
      : [];
    return {
      shape: 'account',
      changed: before !== null,
      notes: remark,
      party: {
        id: payee?.status === 'deleted' ? null : payeeId,
        name: label,
        account,
        addedAt: payee?.createdAt.toISOString() ?? null,
        addedBy: task.initiatorName,
        paymentCount: 0,
        lastPaymentAt: null,
        lookAlikes: alike.map((each) => ({ account: each.account, name: each.label })),
        warnings: [
          ...(before ? [translate(locale, 'approvals.newAccount.changed', before)] : []),
          ...found.map((finding) => translate(locale, `approvals.newAccount.${finding}`)),
          ...said,
          ...(await rejectionsOf(tx, task, locale)),
        ],
      },
      nature: version
        ? translate(locale, 'approvals.newAccount.nature', {
            bank: bankNameOf(version, locale) ?? '–',
            country: version.country,
          })
        : '',
      dealtWith: false,
    };
  },
  link: (task, locale) => ({
    path: `/app/payee/bank/${contentOf(task).payeeId}?tab=bank`,
    text: translate(locale, 'approvals.newPayee.open'),
  }),
  auditDetail(task) {
    const { label, name, country, currency, account } = contentOf(task);
    return { label, name, country, currency, account };
  },
  async digest(tx, id) {
    const payee = await findByCurrentVersion(tx, id);
    return payee?.status === 'waiting' ? accountDigest(tx, payee) : null;
  },
  async recheck(tx, id) {
    const task = await taskOf(tx, id);
    const [initiator] = await findPeople(tx, [task.initiatorId]);
    if (!initiator?.permissions.includes('payee.manage')) {
      return { reason: `approvals.${contentOf(task).before ? 'newAccount' : 'newPayee'}.reason.initiatorLeft` };
    }
    const payee = await findByCurrentVersion(tx, id);
    const [found] = payee ? await forbidding(tx, families, payee.version) : [];
    return found ? { reason: `approvals.newAccount.${found}` } : null;
  },
  approved: approveAccount,
  async ended(tx, id, { outcome, reason }) {
    await rejectAccount(tx, id);
    if (outcome === 'rejected' || outcome === 'expired') return;
    // No person decided: the log would not say it otherwise.
    const task = await taskOf(tx, id);
    await audit(tx, {
      actor: { kind: 'system', id: 'approvals' },
      action: 'payees.stop',
      subjectKind: 'payee',
      subjectId: contentOf(task).payeeId,
      detail: { ...this.auditDetail(task), reason },
    });
  },
  async withdrawn(tx, context, task) {
    const payee = await findByCurrentVersion(tx, task.subjectId);
    if (!payee || payee.status === 'deleted') return null;
    // A new payee goes with its application; one that had another account stays, and is not paid until an account is approved.
    if (contentOf(task).before === null) await takeOutBank(tx, context, payee);
    else await rejectAccount(tx, task.subjectId);
    return null;
  },
});

/** What an approval binds to, while the account waits. SHA-256, hex. */
export function accountDigest(
  { companyId }: Pick<Tx, 'companyId'>,
  { id, label, remark, version }: BankPayeeRow,
): string {
  const { holder, name, country, currency, way, details } = version;
  const fields = sortedDetails(details).flat();
  return sha256Hex([
    'causeway.bankPayee.1',
    companyId,
    id,
    version.id,
    label,
    remark,
    holder,
    name,
    country,
    currency,
    way,
    ...fields,
  ]);
}

type Forbidding = 'blacklisted' | 'own';

/** Why an account may not be paid, although it could be saved: it has come onto a list since. */
async function forbidding(tx: Tx, families: ChainFamilies, version: VersionRow): Promise<Forbidding[]> {
  const names = accountNames(version);
  const found: Forbidding[] = (await isOwnBankAccount(tx, names)) ? ['own'] : [];
  for (const name of names) if (await isBlacklisted(tx, families, 'bank_no', name)) return ['blacklisted', ...found];
  return found;
}

/** That approvers rejected the same account before, whatever became of that entry. */
async function rejectionsOf(tx: Tx, task: TaskSnapshot, locale: Locale): Promise<string[]> {
  const { country, account } = contentOf(task);
  const rejections = await findAccountRejections(tx, { versionId: task.subjectId, country, account });
  return rejections.map(({ reason }) => translate(locale, 'approvals.newAccount.rejectedBefore', { reason }));
}

async function taskOf(tx: Tx, versionId: string) {
  const task = await findTaskOf(tx, newAccount.kind, versionId);
  invariant(task, `account ${versionId} has a task`);
  return task;
}

/** As `openProposal` was given it. */
function contentOf({ content }: Pick<TaskSnapshot, 'content'>): NewAccountContent {
  return content as NewAccountContent;
}
