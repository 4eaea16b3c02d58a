import type { OperatorTransactionDetail } from '@causeway/contract/operator-transactions.ts';
import { useText } from '../../../lib/locale.tsx';
import { Address } from '../../../ui/address.tsx';
import { DescriptionList } from '../../../ui/description-list.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { Banner } from '../../../ui/states.tsx';
import { sayHold } from '../words.ts';
import { PlainTable } from './plain-table.tsx';

interface Props {
  queue: NonNullable<OperatorTransactionDetail['queue']>;
  /** The transaction of this page. */
  current: string;
}

/** The nonces of the address: which are given out and not final, and which payment waits behind which. */
export function SenderQueue({ queue: { address, nextNonce, held, open }, current }: Props) {
  const t = useText();
  return (
    <div className="flex flex-col gap-4">
      {held !== null && <Banner kind="pending">{t('ops.queue.held', { reason: sayHold(held, t) })}</Banner>}
      <DescriptionList
        columns
        facts={[
          { term: t('ops.queue.address'), value: <Address value={address} short what={t('ops.queue.address')} /> },
          { term: t('ops.queue.next'), value: nextNonce === null ? '–' : String(nextNonce) },
          { term: t('ops.queue.open'), value: String(open.length) },
        ]}
      />
      {open.length > 0 && (
        <PlainTable
          caption={t('ops.payments.queue')}
          rows={open}
          rowId={({ nonce, transactionId, kind }) => `${nonce} ${transactionId} ${kind}`}
          columns={[
            { key: 'nonce', header: t('ops.attempt.nonce'), right: true, cell: ({ nonce }) => nonce },
            {
              key: 'payment',
              header: t('ops.title.payment'),
              cell: ({ transactionId, kind }) => (
                <span className="flex flex-col">
                  {transactionId === current ? (
                    t('ops.queue.this')
                  ) : (
                    <PlainLink href={`/app/payments/${transactionId}`} className="font-mono text-12 text-accent">
                      {transactionId}
                    </PlainLink>
                  )}
                  {kind === 'gas' && <span className="text-12 text-faint">{t('ops.queue.gas')}</span>}
                </span>
              ),
            },
            {
              key: 'hash',
              header: t('transactions.column.hash'),
              cell: ({ hash }) =>
                hash === null ? '–' : <Address value={hash} short what={t('transactions.column.hash')} />,
            },
            {
              key: 'block',
              header: t('ops.queue.inBlock'),
              cell: ({ mined }) => t(mined ? 'ops.queue.yes' : 'ops.queue.no'),
            },
          ]}
        />
      )}
    </div>
  );
}
