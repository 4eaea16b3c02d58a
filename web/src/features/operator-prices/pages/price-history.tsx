import { Outlet } from '@tanstack/react-router';
import { useList } from '../../../lib/list.ts';
import { useText } from '../../../lib/locale.tsx';
import { ListView } from '../../../ui/list-view.tsx';
import { Page as Frame } from '../../../ui/page.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { priceHistoryList } from '../lists/price-history-list.tsx';

/** Every price that was set, who proposed and who confirmed it. */
export function Page() {
  const t = useText();
  const read = useList(priceHistoryList);
  return (
    <Frame
      intro={t('ops.prices.historyIntro')}
      actions={
        <PlainLink href="/app/prices" className="text-13 font-medium text-accent">
          {t('ops.prices.inForce')}
        </PlainLink>
      }
    >
      <ListView list={priceHistoryList} read={read} />
      <Outlet />
    </Frame>
  );
}
