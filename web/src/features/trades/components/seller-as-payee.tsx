import type { TradeDetail } from '@causeway/contract/trades.ts';
import { useRouter } from '@tanstack/react-router';
import { useText } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';
import { Address } from '../../../ui/address.tsx';
import { Button, buttonClass } from '../../../ui/button.tsx';
import { DescriptionList } from '../../../ui/description-list.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { Banner } from '../../../ui/states.tsx';
import { draftPayee } from '../../payees/index.ts';

/** The seller is not among the payees, or cannot be paid yet: a payment goes to payees alone. */
export function SellerAsPayee({ trade, onClose }: { trade: TradeDetail; onClose: () => void }) {
  const t = useText();
  const router = useRouter();
  const mayAdd = usePermission('payee.manage') === true;
  const { payee, chainId, asset, recipient } = trade;
  function add(): void {
    draftPayee({ label: payee.name, chain: chainId, coin: asset, address: payee.wallet });
    router.history.push(`/app/payee/add?${new URLSearchParams({ return: `/app/wallet/tradego/${trade.id}` })}`);
  }
  return (
    <div className="flex flex-col gap-5">
      <Banner kind="pending">{t(recipient === null ? 'trades.payee.missing' : 'trades.payee.unusable')}</Banner>
      <DescriptionList
        framed
        facts={[
          { term: t('trades.field.payee'), value: payee.name },
          { term: t('trades.field.payeeWallet'), value: <Address value={payee.wallet} /> },
        ]}
      />
      <div className="flex flex-wrap justify-end gap-3 border-t border-line pt-5">
        <Button onClick={onClose}>{t('trades.back')}</Button>
        {recipient !== null ? (
          <PlainLink href={`/app/payee/${recipient.id}`} className={buttonClass('primary')}>
            {t('trades.payee.open')}
          </PlainLink>
        ) : (
          mayAdd && (
            <Button kind="primary" onClick={add}>
              {t('trades.payee.add')}
            </Button>
          )
        )}
      </div>
    </div>
  );
}
