import type { CryptoPayee } from '@causeway/contract/payees.ts';
import { useText } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { Banner } from '../../../ui/states.tsx';

type Payee = Pick<CryptoPayee, 'status' | 'approval'>;

/** For whom a payee waits, or why it was not approved: nothing can be sent to it. */
export function PayeeApproval({
  payee: { status, approval },
  rejectedText = 'payees.status.rejectedText',
}: {
  payee: Payee;
  rejectedText?: 'payees.status.rejectedText' | 'payees.bank.rejectedText';
}) {
  const t = useText();
  if (status === 'waiting') {
    return (
      <Banner kind="pending">
        {t('payees.approval.waitingText')}
        {approval?.waitingFor && (
          <span className="block text-muted">{t('payees.approval.waiting', { names: approval.waitingFor })}</span>
        )}
        <TaskLink approval={approval} />
      </Banner>
    );
  }
  if (status !== 'rejected') return null;
  return (
    <Banner kind="negative">
      {t(rejectedText)}
      {approval?.reason && <span className="block">{t('payees.approval.reason', { reason: approval.reason })}</span>}
      <TaskLink approval={approval} />
    </Banner>
  );
}

/** Beside the list of all for those who manage rules; of the others, who decides finds it among what waits, its initiator among theirs. */
function TaskLink({ approval }: Pick<Payee, 'approval'>) {
  const t = useText();
  const sees = usePermission('approval.view');
  const managesRules = usePermission('rule.manage');
  const decides = usePermission('approval.decide');
  if (approval === null || sees !== true) return null;
  const list = managesRules ? '/app/approval' : decides ? '/app/pending-approval' : '/app/i-initiated-approval';
  return (
    <PlainLink href={`${list}/${approval.taskId}`} className="block text-13 text-accent">
      {t('payees.approval.open')}
    </PlainLink>
  );
}
