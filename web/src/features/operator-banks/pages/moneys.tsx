import { useList } from '../../../lib/list.ts';
import { useText } from '../../../lib/locale.tsx';
import { ListView } from '../../../ui/list-view.tsx';
import { Page as Frame } from '../../../ui/page.tsx';
import { BankTabs } from '../components/bank-tabs.tsx';
import { moneyList } from '../lists/money-list.tsx';

/** Money of banks that is no company’s yet; every other state by its filter. */
export function Page() {
  const t = useText();
  const read = useList(moneyList);
  return (
    <Frame intro={t('ops.bankMoneys.intro')}>
      <BankTabs current="bankMoneys" />
      <ListView list={moneyList} read={read} />
    </Frame>
  );
}
