import { Outlet } from '@tanstack/react-router';
import { useList } from '../../../lib/list.ts';
import { Text, useText } from '../../../lib/locale.tsx';
import { amountLine } from '../../../ui/amount-parts.ts';
import { ListView } from '../../../ui/list-view.tsx';
import { Page as Frame } from '../../../ui/page.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { useTerms } from '../api.ts';
import { requestList } from '../lists/request-list.tsx';

/** Requests for quote to the operator's desk; what is worth less than its minimum is exchanged at once. */
export function Page() {
  const t = useText();
  const read = useList(requestList);
  const minimum = useTerms().data?.minimumUsd;
  return (
    <Frame
      intro={
        minimum === undefined ? (
          t('otc.intro')
        ) : (
          <Text
            id="otc.introMinimum"
            values={{ minimum: amountLine(minimum, 'USD') }}
            components={{ 0: <PlainLink href="/app/wallet/exchange" className="text-accent underline" /> }}
          />
        )
      }
    >
      <ListView list={requestList} read={read} />
      <Outlet />
    </Frame>
  );
}
