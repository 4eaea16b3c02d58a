import type { Output } from '@causeway/contract/call.ts';
import type { getProposal } from '@causeway/contract/operator.ts';
import { useCallback, useState } from 'react';
import { useDecisionKeys } from '../../../lib/decision-keys.ts';
import { useText } from '../../../lib/locale.tsx';
import { toast } from '../../../lib/toasts.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { useReject, useWithdraw } from '../api.ts';
import { overText } from '../overtaken.ts';
import { ConfirmProposal } from './confirm-proposal.tsx';
import { ReasonDialog } from './reason-dialog.tsx';

interface Props {
  proposal: Output<typeof getProposal>;
}

/** Confirm and reject for a colleague's proposal, withdraw for one's own. */
export function ProposalActions({ proposal }: Props) {
  const t = useText();
  const [asked, setAsked] = useState<'confirm' | 'reject' | 'withdraw' | null>(null);
  const reject = useReject();
  const withdraw = useWithdraw();
  const close = () => setAsked(null);
  const canConfirm = proposal.canDecide && !proposal.outdated;
  const onKey = useCallback(
    (outcome: string) => {
      if (outcome !== 'approved') setAsked('reject');
      else if (canConfirm) setAsked('confirm');
    },
    [canConfirm],
  );
  useDecisionKeys(proposal.canDecide, onKey);
  const params = { id: proposal.id };
  const facts = [
    { term: t('ops.field.proposal'), value: proposal.title },
    { term: t('ops.field.proposedBy'), value: proposal.proposedBy.name },
  ];
  return (
    <>
      {proposal.canWithdraw && <Button onClick={() => setAsked('withdraw')}>{t('ops.withdraw')}</Button>}
      {proposal.canDecide && (
        <>
          <Button onClick={() => setAsked('reject')}>{t('ops.reject')}</Button>
          {canConfirm && (
            <Button kind="primary" onClick={() => setAsked('confirm')}>
              {t('ops.confirm')}
            </Button>
          )}
        </>
      )}
      {asked === 'confirm' && <ConfirmProposal proposal={proposal} onClose={close} />}
      {asked === 'reject' && (
        <ReasonDialog
          title={t('ops.reject.title')}
          text={t('ops.reject.text')}
          facts={facts}
          submitText={t('ops.reject')}
          negative
          over={overText(t, proposal)}
          onSubmit={async (body) => {
            await reject.mutateAsync({ params, body });
            toast('success', t('ops.reject.done'));
          }}
          onClose={close}
        />
      )}
      <ConfirmDialog
        open={asked === 'withdraw'}
        onOpenChange={(open) => open || close()}
        title={t('ops.withdraw.title')}
        description={t('ops.withdraw.text')}
        facts={facts.slice(0, 1)}
        confirmText={t('ops.withdraw')}
        cancelText={t('ops.withdraw.keep')}
        negative
        busy={withdraw.isPending}
        over={overText(t, proposal)}
        onConfirm={() =>
          withdraw.mutate(
            { params },
            {
              onSuccess: () => {
                toast('success', t('ops.withdraw.done'));
                close();
              },
            },
          )
        }
      />
    </>
  );
}
