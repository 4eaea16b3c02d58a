import { useText } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';
import { useOpenProposals } from '../api.ts';
import { ProposalCard } from './proposal-card.tsx';

/** The proposals that wait for the reader, and the reader's own: for Home. */
export function OwnProposals() {
  const t = useText();
  const read = useOpenProposals();
  const decides = usePermission('operator.confirm');
  const open = read.data?.items;
  return (
    <div className="grid gap-6 lg:grid-cols-2">
      {decides !== false && (
        <ProposalCard
          title={t('ops.home.decide')}
          emptyText={t('ops.home.decideEmpty')}
          all="/app/confirmations?state=open&mine=decide"
          proposals={open?.filter(({ canDecide }) => canDecide)}
          read={read}
        />
      )}
      <ProposalCard
        title={t('ops.home.own')}
        emptyText={t('ops.home.ownEmpty')}
        all="/app/confirmations?state=open"
        proposals={open?.filter(({ canWithdraw }) => canWithdraw)}
        read={read}
      />
    </div>
  );
}
