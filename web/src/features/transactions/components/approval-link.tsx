import type { TransactionDetail } from '@causeway/contract/transactions.ts';
import { useText } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';
import { Icon } from '../../../ui/icon.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';

/** To the approval that the transfer must pass or has passed: beside the list of all for those who manage rules. */
export function ApprovalLink({ detail }: { detail: Pick<TransactionDetail, 'approvalTaskId'> }) {
  const t = useText();
  const seesApprovals = usePermission('approval.view');
  const managesRules = usePermission('rule.manage');
  if (detail.approvalTaskId === null || seesApprovals !== true) return null;
  const list = managesRules === true ? '/app/approval' : '/app/i-initiated-approval';
  return (
    <PlainLink href={`${list}/${detail.approvalTaskId}`} className="inline-flex items-center gap-1 text-13 text-accent">
      {t('transactions.panel.approval')}
      <Icon name="chevronRight" size={14} />
    </PlainLink>
  );
}
