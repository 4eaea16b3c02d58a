import { useLocation } from '@tanstack/react-router';
import { useText } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';
import { TabLinks } from '../../../ui/tab-links.tsx';
import { cardsPath } from '../paths.ts';

/** Cards, what they paid, and the rules above them, which are for those who see all cards. */
export function CardTabs() {
  const t = useText();
  const mayView = usePermission('card.view') ?? false;
  const path = useLocation({ select: ({ pathname }) => pathname });
  const views = [
    { text: 'cards.tab.cards', href: cardsPath },
    { text: 'cards.tab.payments', href: `${cardsPath}/payments` },
    ...(mayView ? [{ text: 'cards.tab.rules', href: `${cardsPath}/rules` }] : []),
  ];
  const current = views.findLast(({ href }) => path.startsWith(href));
  return (
    <TabLinks
      label={t('app.menu.creditCard')}
      links={views.map(({ text, href }) => ({ label: t(text), href, current: href === current?.href }))}
    />
  );
}
