import { useList } from '../../../lib/list.ts';
import { useText } from '../../../lib/locale.tsx';
import { ListView } from '../../../ui/list-view.tsx';
import { Page as Frame } from '../../../ui/page.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { paymentList } from '../lists/payment-list.tsx';

/** Transactions of all companies, or of the one that a link has named. */
export function Page() {
  const read = useList(paymentList);
  return (
    <Frame>
      {read.state.filters['company'] !== undefined && <OfOneCompany name={read.answer.data?.items[0]?.company.name} />}
      <ListView list={paymentList} read={read} />
    </Frame>
  );
}

function OfOneCompany({ name }: { name: string | undefined }) {
  const t = useText();
  return (
    <p className="m-0 flex flex-wrap gap-x-3 text-13 text-muted">
      {name === undefined ? t('ops.payments.ofOne') : t('ops.payments.of', { name })}
      <PlainLink href="/app/payments" className="text-accent">
        {t('ops.payments.ofAll')}
      </PlainLink>
    </p>
  );
}
