import { useList } from '../../../lib/list.ts';
import { useText } from '../../../lib/locale.tsx';
import { ListView } from '../../../ui/list-view.tsx';
import { Page as Frame } from '../../../ui/page.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { FrozenSums } from '../components/trade-frozen-sums.tsx';
import { operatorTradeList } from '../lists/trade-list.tsx';

/** Guaranteed trades of all companies, or of the one that a link has named. */
export function Page() {
  const t = useText();
  const read = useList(operatorTradeList);
  const { data } = read.answer;
  const isOfOne = read.state.filters['companyId'] !== undefined;
  const name = data?.items[0]?.company.name;
  return (
    <Frame intro={t('ops.trades.intro')}>
      {isOfOne && (
        <p className="m-0 flex flex-wrap gap-x-3 text-13 text-muted">
          {name === undefined ? t('ops.trades.ofOne') : t('ops.trades.of', { name })}
          <PlainLink href="/app/trades" className="text-accent">
            {t('ops.trades.ofAll')}
          </PlainLink>
        </p>
      )}
      {data !== undefined && <FrozenSums sums={data.frozen} />}
      <ListView list={operatorTradeList} read={read} />
    </Frame>
  );
}
