import type { TransactionDetail } from '@causeway/contract/transactions.ts';
import { useText } from '../../../lib/locale.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';

/** The other row of a pair, the test transfer before it, the rest after it. */
export function LinkedPayments({ transaction }: { transaction: TransactionDetail }) {
  const t = useText();
  const { relatedId, restOf, test, type, status } = transaction;
  const links = [
    relatedId !== null && {
      id: relatedId,
      text:
        type === 'failed_refund'
          ? t('transactions.panel.original')
          : type === 'chain_accelerate' && status !== 'failed'
            ? t('ops.payments.accelerated')
            : t(status === 'failed' ? 'transactions.panel.refund' : 'transactions.panel.related'),
    },
    restOf !== null && { id: restOf, text: t('ops.payments.test') },
    test !== null && test.restId !== null && { id: test.restId, text: t('ops.payments.rest') },
  ].filter((link) => link !== false);
  if (links.length === 0) return null;
  return (
    <p className="m-0 flex flex-wrap gap-x-6 gap-y-2">
      {links.map(({ id, text }) => (
        <PlainLink key={id} href={`/app/payments/${id}`} className="inline-flex items-center gap-1 text-13 text-accent">
          {text}
          <Icon name="chevronRight" size={14} />
        </PlainLink>
      ))}
    </p>
  );
}
