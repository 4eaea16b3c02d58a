import { useText } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';
import { buttonClass } from '../../../ui/button.tsx';
import { Page as Frame } from '../../../ui/page.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { LimitOrders } from '../components/limit-orders.tsx';
import { StandingOrders } from '../components/standing-orders.tsx';

/** What is to be exchanged later: limit orders with what they hold, and standing orders (decisions, "Exchange"). */
export function Page() {
  const t = useText();
  const mayExchange = usePermission('exchange.create') !== false;
  return (
    <Frame
      intro={t('exchanges.planned.intro')}
      actions={
        mayExchange && (
          <>
            <PlainLink href="/app/wallet/exchange" className={buttonClass('secondary')}>
              {t('exchanges.planned.newLimit')}
            </PlainLink>
            <PlainLink href="/app/wallet/exchange/standing" className={buttonClass('primary')}>
              {t('exchanges.planned.newStanding')}
            </PlainLink>
          </>
        )
      }
    >
      <LimitOrders />
      <StandingOrders />
    </Frame>
  );
}
