import { useLocation } from '@tanstack/react-router';
import { useText } from '../../../lib/locale.tsx';
import { TabLinks } from '../../../ui/tab-links.tsx';

const views = [
  { text: 'webhooks.tab.endpoints', href: '/app/webhooks' },
  { text: 'webhooks.tab.deliveries', href: '/app/webhooks/deliveries' },
  { text: 'webhooks.tab.events', href: '/app/webhooks/events' },
] as const;

/** The three pages of webhooks. */
export function WebhookTabs() {
  const t = useText();
  const path = useLocation({ select: ({ pathname }) => pathname });
  const current = views.findLast(({ href }) => path.startsWith(href));
  return (
    <TabLinks
      label={t('app.menu.webhooks')}
      links={views.map(({ text, href }) => ({ label: t(text), href, current: href === current?.href }))}
    />
  );
}
