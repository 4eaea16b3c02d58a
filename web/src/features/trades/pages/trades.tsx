import { useList } from '../../../lib/list.ts';
import { useText } from '../../../lib/locale.tsx';
import { ListView } from '../../../ui/list-view.tsx';
import { Page as Frame } from '../../../ui/page.tsx';
import { Banner } from '../../../ui/states.tsx';
import { TradeSummary } from '../components/summary.tsx';
import { tradeList } from '../lists/trade-list.tsx';

/** The company's guaranteed trades, with what is to be frozen, frozen and done. */
export function Page() {
  const t = useText();
  const read = useList(tradeList);
  const { data, error } = read.answer;
  return (
    <Frame intro={t('trades.intro')}>
      {data?.connected === false && <Banner kind="notice">{t('trades.notConnected')}</Banner>}
      {error?.status !== 403 && <TradeSummary summary={data?.summary} />}
      <ListView list={tradeList} read={read} />
    </Frame>
  );
}
