import { useList } from '../../../lib/list.ts';
import { useText } from '../../../lib/locale.tsx';
import { ListView } from '../../../ui/list-view.tsx';
import { Page as Frame } from '../../../ui/page.tsx';
import { paymentList } from '../lists/payment-list.tsx';

/** What became of each payment of a collection of fees. */
export function Page() {
  const t = useText();
  const read = useList(paymentList);
  return (
    <Frame intro={t('ops.payments.intro')}>
      <ListView list={paymentList} read={read} />
    </Frame>
  );
}
