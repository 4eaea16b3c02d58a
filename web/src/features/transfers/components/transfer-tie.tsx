import type { TransactionDetail } from '@causeway/contract/transactions.ts';
import { useText } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';
import { amountLine } from '../../../ui/amount-parts.ts';
import { buttonClass } from '../../../ui/button.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { Banner } from '../../../ui/states.tsx';

/** Of a test transfer: the rest to send, or the transfer that sent it. Of the rest: the test before it. */
export function TransferTie({ detail }: { detail: TransactionDetail }) {
  const t = useText();
  const maySend = usePermission('transfer.create') === true;
  const { test, restOf, coin, status } = detail;
  if (restOf !== null) return <Tie text={t('transfers.tie.rest')} href={restOf} link={t('transfers.tie.toTest')} />;
  if (test === null) return null;
  const amounts = { rest: amountLine(test.rest, coin), total: amountLine(test.total, coin) };
  if (test.restId !== null) {
    return <Tie text={t('transfers.tie.restSent', amounts)} href={test.restId} link={t('transfers.tie.toRest')} />;
  }
  if (status === 'failed') return <Banner kind="notice">{t('transfers.tie.testFailed', amounts)}</Banner>;
  if (status === 'pending') return <Banner kind="notice">{t('transfers.tie.testPending', amounts)}</Banner>;
  return (
    <Banner
      kind="positive"
      {...(maySend && {
        action: (
          <PlainLink href={`/app/transfer-out?rest=${detail.id}`} className={buttonClass('primary', 'small')}>
            {t('transfers.tie.send', amounts)}
          </PlainLink>
        ),
      })}
    >
      {t('transfers.tie.testArrived', amounts)}
    </Banner>
  );
}

function Tie({ text, href, link }: { text: string; href: string; link: string }) {
  return (
    <p className="m-0 text-13">
      {text}{' '}
      <PlainLink href={`/app/transaction/${href}`} className="text-accent">
        {link}
      </PlainLink>
    </p>
  );
}
