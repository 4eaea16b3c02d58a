import { type PaymentRequestState, paymentRequestStates } from '@causeway/contract/payment-requests-rules.ts';
import { useFormats } from '../../../lib/format.ts';
import { useList } from '../../../lib/list.ts';
import { useText } from '../../../lib/locale.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { ListView } from '../../../ui/list-view.tsx';
import { Page as Frame } from '../../../ui/page.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { Stat } from '../../../ui/stat.tsx';
import { requestList } from '../lists/request-list.tsx';

/** States that a member looks for; the others are seen in the list. */
const counted = paymentRequestStates.filter((state) => state !== 'preparing' && state !== 'cancelled');

/** What the company has asked others to pay, and where each request is. */
export function Page() {
  const t = useText();
  const read = useList(requestList);
  const refused = read.answer.error?.status === 403;
  return (
    <Frame intro={t('collections.intro')}>
      {!refused && <Counts counts={read.answer.data?.counts} chosen={read.state.filters['state']} />}
      <ListView list={requestList} read={read} />
    </Frame>
  );
}

interface CountsProps {
  counts: Partial<Record<PaymentRequestState, number>> | undefined;
  chosen: string | undefined;
}

/** How many there are in each state; each leads to them, and back to all. */
function Counts({ counts, chosen }: CountsProps) {
  const t = useText();
  const formats = useFormats();
  return (
    <nav aria-label={t('collections.counts')} className="grid grid-cols-2 gap-3 sm:grid-cols-3 lg:grid-cols-5">
      {counted.map((state) => (
        <PlainLink
          key={state}
          href={chosen === state ? '/app/u-collection' : `/app/u-collection?state=${state}`}
          aria-current={chosen === state ? 'true' : undefined}
          className={classNames(
            'rounded-10 border bg-surface px-4 py-3 text-text no-underline hover:bg-hover',
            chosen === state ? 'border-accent' : 'border-line',
          )}
        >
          <Stat
            label={t(`collections.state.${state}`)}
            value={counts === undefined ? null : formats.count(counts[state] ?? 0)}
          />
        </PlainLink>
      ))}
    </nav>
  );
}
