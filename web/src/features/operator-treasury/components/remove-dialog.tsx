import type { TreasuryAddress } from '@causeway/contract/operator-treasury.ts';
import { useText } from '../../../lib/locale.tsx';
import { toast } from '../../../lib/toasts.ts';
import { Address } from '../../../ui/address.tsx';
import { ReasonDialog } from '../../operator/index.ts';
import { useRemoveAddress } from '../api.ts';

/** Removes an address at once: what only narrows needs no second person. */
export function RemoveDialog({ address, onClose }: { address: TreasuryAddress; onClose: () => void }) {
  const t = useText();
  const remove = useRemoveAddress();
  return (
    <ReasonDialog
      title={t('ops.book.removeTitle', { name: address.label })}
      text={t('ops.book.removeText')}
      submitText={t('ops.book.remove')}
      negative
      facts={[
        { term: t('ops.field.chain'), value: address.chainName },
        { term: t('ops.field.address'), value: <Address value={address.address} copyable={false} /> },
      ]}
      onSubmit={async ({ reason }) => {
        await remove.mutateAsync({ params: { id: address.id }, body: { reason } });
        toast('success', t('ops.book.removed'));
      }}
      onClose={onClose}
    />
  );
}
