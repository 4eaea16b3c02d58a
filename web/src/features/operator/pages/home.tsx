import { useText } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';
import { Page as Frame } from '../../../ui/page.tsx';
import { useOpenProposals } from '../api.ts';
import { ProposalCard } from '../components/proposal-card.tsx';

/** What needs the reader. The queue of everything that needs a person goes above these cards. */
export function Page() {
  const t = useText();
  const read = useOpenProposals();
  const decides = usePermission('operator.confirm');
  const open = read.data?.items;
  return (
    <Frame>
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
    </Frame>
  );
}
