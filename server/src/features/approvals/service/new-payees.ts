import type { Locale } from '@causeway/contract/locale.ts';
import { audit } from '../../../platform/audit/record.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { invariant } from '../../../platform/domain-error.ts';
import { translate } from '../../../platform/text/texts.ts';
import { type ChainFamilies, familyOf, findChains, isOwnAddress } from '../../chains/index.ts';
import { findPeople } from '../../organisation/index.ts';
import {
  approvePayee,
  findPayee,
  lookAlikesOf,
  type PayeeToApprove,
  rejectPayee,
  takeOut,
} from '../../payees/index.ts';
import { isBlacklisted } from '../../risk/index.ts';
import { findDealtWith } from '../../transactions/index.ts';
import { sha256Hex } from '../domain.ts';
import { countPaid, findRejections } from '../store/payees.ts';
import { findTaskOf, type TaskSnapshot } from '../store/tasks.ts';
import type { ApprovalSubject, SubjectKind } from './subjects.ts';

/** A payee that was added, as something that a second person approves (docs/adr/0064-…). */

/** What its task keeps: the payee as it was added. */
export interface NewPayeeContent {
  label: string;
  chainId: string;
  chainName: string;
  coin: string;
  address: string;
  remark: string;
}

export const newPayee: SubjectKind = {
  kind: 'payee',
  shape: 'account',
  adoptable: false,
  changesControls: false,
  auditKind: 'payee',
  notices: 'payee',
  locks: [],
  initiation: 'payee.manage',
  partyPermission: 'payee.view',
  name: (task, locale) => translate(locale, 'approvals.newPayee.task', { payee: contentOf(task).label }),
  noticeValues(task) {
    const { label, chainName } = contentOf(task);
    return { payee: label, chain: chainName };
  },
  brief(task, locale) {
    const { label: name, address: account, chainName, coin } = contentOf(task);
    const fact = (field: string, value: string) => ({ label: translate(locale, `approvals.newPayee.${field}`), value });
    return { party: { name, account }, facts: [fact('chain', chainName), fact('coin', coin)] };
  },
};

export const newPayees = (families: ChainFamilies): ApprovalSubject => ({
  ...newPayee,
  async content(tx, task, { locale }) {
    const { chainId, address, label, remark } = contentOf(task);
    const payee = await findPayee(tx, task.subjectId);
    const { family, isListedToken } = await placeOf(tx, families, chainId, address);
    const paid = await countPaid(tx, { chainId, address, likeness: family.likeness(address) });
    const alike = await lookAlikesOf(tx, { findDealtWith }, family, { chainId, address });
    const dealings = await findDealtWith(tx, chainId, address);
    const code = payee?.code ?? 'unknown';
    const findings: Finding[] = [
      ...(await forbidding(tx, families, { chainId, address, isListedToken })),
      ...(code === 'none' ? [] : ([`code.${code}`] as const)),
    ];
    return {
      shape: 'account',
      changed: false,
      notes: remark,
      party: {
        id: payee?.id ?? null,
        name: label,
        account: address,
        addedAt: payee?.createdAt.toISOString() ?? null,
        addedBy: task.initiatorName,
        paymentCount: paid.count,
        lastPaymentAt: paid.lastAt?.toISOString() ?? null,
        lookAlikes: alike.map(({ address: account, label: name }) => ({ account, name })),
        warnings: [
          ...findings.map((finding) => translate(locale, `approvals.newPayee.${finding}`)),
          ...(await rejectionsOf(tx, task, family.likeness(address), locale)),
        ],
      },
      nature: translate(locale, `approvals.newPayee.nature.${code}`),
      dealtWith: dealings.some((dealt) => family.isSame(dealt.address, address)),
    };
  },
  link: ({ subjectId }, locale) => ({
    path: `/app/payee/${subjectId}`,
    text: translate(locale, 'approvals.newPayee.open'),
  }),
  auditDetail(task) {
    const { label, chainId: chain, coin, address } = contentOf(task);
    return { label, chain, coin, address };
  },
  async digest(tx, id) {
    const payee = await findPayee(tx, id);
    return payee?.status === 'waiting' ? payeeDigest(tx, payee) : null;
  },
  recheck: (tx, id) => recheck(tx, families, id),
  approved: approvePayee,
  async ended(tx, id, { outcome, reason }) {
    await rejectPayee(tx, id);
    if (outcome === 'rejected' || outcome === 'expired') return;
    // No person decided: the log would not say it otherwise.
    const task = await taskOf(tx, id);
    await audit(tx, {
      actor: { kind: 'system', id: 'approvals' },
      action: 'payees.stop',
      subjectKind: 'payee',
      subjectId: id,
      detail: { ...this.auditDetail(task), reason },
    });
  },
  async withdrawn(tx, context, task) {
    await takeOut(tx, context, task.subjectId);
    return null;
  },
});

/** What an approval binds to, while the payee waits. SHA-256, hex. */
export function payeeDigest(
  { companyId }: Pick<Tx, 'companyId'>,
  { id, label, chainId, coin, address, remark }: Omit<PayeeToApprove, 'chainName'>,
): string {
  return sha256Hex(['causeway.payee.1', companyId, id, label, chainId, coin, address, remark]);
}

/** What is said of an address: `approvals.newPayee.<finding>`. */
type Finding = Forbidding | 'code.token' | 'code.contract' | 'code.unknown';
type Forbidding = 'blacklisted' | 'own' | 'listedToken';

/** Why nothing may be sent to an address, although it could be saved: it has come onto a list since. */
async function forbidding(
  tx: Tx,
  families: ChainFamilies,
  { chainId, address, isListedToken }: { chainId: string; address: string; isListedToken: boolean },
): Promise<Forbidding[]> {
  return [
    ...((await isBlacklisted(tx, families, 'crypto_address', address)) ? (['blacklisted'] as const) : []),
    ...((await isOwnAddress(tx, chainId, address)) ? (['own'] as const) : []),
    ...(isListedToken ? (['listedToken'] as const) : []),
  ];
}

async function placeOf(tx: Tx, families: ChainFamilies, chainId: string, address: string) {
  const chain = (await findChains(tx)).find(({ id }) => id === chainId);
  invariant(chain, `chain ${chainId} of a payee is registered`);
  const family = familyOf(families, chain);
  const isListedToken = chain.coins.some(({ contract }) => contract !== null && family.isSame(contract, address));
  return { family, isListedToken };
}

/** That approvers rejected the same address before, whatever became of that entry. */
async function rejectionsOf(tx: Tx, task: TaskSnapshot, likeness: string, locale: Locale): Promise<string[]> {
  const { chainId, address } = contentOf(task);
  const rejections = await findRejections(tx, { payeeId: task.subjectId, chainId, address, likeness });
  return rejections.map(({ reason }) => translate(locale, 'approvals.newPayee.rejectedBefore', { reason }));
}

/** Judged as when it was added; and the member who added it still may. */
async function recheck(tx: Tx, families: ChainFamilies, id: string): Promise<{ reason: string } | null> {
  const task = await taskOf(tx, id);
  const [initiator] = await findPeople(tx, [task.initiatorId]);
  if (!initiator?.permissions.includes('payee.manage')) return { reason: 'approvals.newPayee.reason.initiatorLeft' };
  const { chainId, address } = contentOf(task);
  const { isListedToken } = await placeOf(tx, families, chainId, address);
  const [found] = await forbidding(tx, families, { chainId, address, isListedToken });
  return found ? { reason: `approvals.newPayee.${found}` } : null;
}

async function taskOf(tx: Tx, payeeId: string) {
  const task = await findTaskOf(tx, newPayee.kind, payeeId);
  invariant(task, `payee ${payeeId} has a task`);
  return task;
}

/** As `openProposal` was given it. */
function contentOf({ content }: Pick<TaskSnapshot, 'content'>): NewPayeeContent {
  return content as NewPayeeContent;
}
