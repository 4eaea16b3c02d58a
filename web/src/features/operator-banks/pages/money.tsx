import { useParams } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { Card } from '../../../ui/card.tsx';
import { DescriptionList } from '../../../ui/description-list.tsx';
import { Money } from '../../../ui/money.tsx';
import { Page as Frame } from '../../../ui/page.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { ErrorState, Loading, Skeleton } from '../../../ui/states.tsx';
import { Time } from '../../../ui/time.tsx';
import { type MoneyDetail, useMoney } from '../api.ts';
import { FeeShares, MoneyFees } from '../components/money-fees.tsx';
import { MoneyOwner } from '../components/money-owner.tsx';
import { MoneyState } from '../components/money-state.tsx';

const Explanation = lazy(async () => ({
  default: (await import('../components/money-explanation.tsx')).MoneyExplanation,
}));
const Cards = lazy(async () => ({ default: (await import('../components/money-cards.tsx')).MoneyCards }));

/** One money of a bank: what the bank says of it, what became of it, and whose it may be. */
export function Page() {
  const { id } = useParams({ strict: false }) as { id: string };
  const read = useMoney(id);
  const { data } = read;
  return (
    <Frame>
      {data === undefined && read.error !== null ? (
        <Card>
          <ErrorState error={read.error} onRetry={() => void read.refetch()} />
        </Card>
      ) : (
        <Loading loading={data === undefined} skeleton={<Skeleton height="h-80" />}>
          {data && (
            <div className="flex flex-col gap-6">
              <Facts detail={data} />
              {data.money.state === 'suspense' && <MoneyOwner detail={data} />}
              {data.money.state === 'charged' && <MoneyFees detail={data} />}
              <FeeShares detail={data} />
              {['suspense', 'charged', 'fees', 'cards', 'reversal'].includes(data.money.state) && (
                <Suspense>
                  {data.money.state !== 'fees' && data.money.state !== 'reversal' && <Cards detail={data} />}
                  <Explanation detail={data} />
                </Suspense>
              )}
            </div>
          )}
        </Loading>
      )}
    </Frame>
  );
}

function Facts({ detail }: { detail: MoneyDetail }) {
  const t = useText();
  const { money, credited } = detail;
  const other = money.quantity.startsWith('-') ? 'payee' : 'payer';
  const said = (value: string | null) => (
    <span className="wrap-anywhere">{value === null || value === '' ? '–' : value}</span>
  );
  return (
    <Card
      title={<Money amount={money.quantity} coin={money.asset} size="large" />}
      aside={
        // On a phone there is no room for it in one line.
        <span className="min-w-0 *:whitespace-normal">
          <MoneyState money={money} />
        </span>
      }
    >
      <DescriptionList
        columns
        facts={[
          { term: t(`ops.bankMoney.${other}`), value: said(money.payer) },
          { term: t(`ops.bankMoney.${other}Account`), value: said(money.payerAccount) },
          { term: t(`ops.bankMoney.${other}Bank`), value: said(detail.payerBank) },
          { term: t('ops.bankMoney.remittance'), value: said(money.remittance) },
          { term: t('ops.bankMoney.words'), value: said(money.bankWords) },
          ...(detail.returnReason === null && detail.returnWords === null
            ? []
            : [
                {
                  term: t('ops.bankMoney.returnReason'),
                  value: said([detail.returnReason, detail.returnWords].filter(Boolean).join(' · ')),
                },
              ]),
          // Of what came in: to which of our accounts, and under which references.
          ...(other === 'payee'
            ? []
            : [
                { term: t('ops.bankMoney.creditorAccount'), value: said(detail.creditorAccount) },
                { term: t('ops.bankMoney.creditorReferences'), value: said(detail.creditorReferences.join(', ')) },
              ]),
          { term: t('ops.bankMoney.reference'), value: said(money.reference) },
          { term: t('ops.bankMoney.endToEnd'), value: said(detail.endToEnd) },
          { term: t('ops.bankMoney.uetr'), value: said(detail.uetr) },
          { term: t('ops.bankMoney.account'), value: said(`${money.bankName} ${money.account}`) },
          { term: t('ops.bankMoney.bookedOn'), value: said(money.bookedOn) },
          { term: t('ops.bankMoney.valueOn'), value: said(detail.valueOn) },
          {
            term: t('ops.bankMoney.files'),
            value: (
              <span className="inline-flex flex-col">
                {detail.files.map(({ id, name, at }) => (
                  <span key={id}>
                    <PlainLink href={`/app/banks/files/${id}`} className="text-accent wrap-anywhere">
                      {name}
                    </PlainLink>{' '}
                    <span className="text-12 text-faint">
                      <Time at={at} />
                    </span>
                  </span>
                ))}
              </span>
            ),
          },
          ...(credited === null
            ? []
            : [
                {
                  term: t('ops.bankMoney.credited'),
                  value: (
                    <PlainLink href={`/app/payments/${credited.transactionId}`} className="text-accent wrap-anywhere">
                      {credited.companyName}
                    </PlainLink>
                  ),
                },
              ]),
        ]}
      />
    </Card>
  );
}
