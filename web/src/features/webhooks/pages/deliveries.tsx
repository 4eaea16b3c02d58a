import { Outlet } from '@tanstack/react-router';
import { useList } from '../../../lib/list.ts';
import { useText } from '../../../lib/locale.tsx';
import { ListView } from '../../../ui/list-view.tsx';
import { Page as Frame } from '../../../ui/page.tsx';
import { WebhookTabs } from '../components/webhook-tabs.tsx';
import { deliveryList } from '../lists/delivery-list.tsx';

/** The log of deliveries, and one beside it. */
export function Page() {
  const t = useText();
  const read = useList(deliveryList);
  return (
    <Frame intro={t('webhooks.log.intro')}>
      <WebhookTabs />
      <ListView list={deliveryList} read={read} />
      <Outlet />
    </Frame>
  );
}
