import type { Exception } from '@causeway/contract/operator-exceptions.ts';
import type { ExceptionKind } from '@causeway/contract/operator-exceptions-rules.ts';
import { useText } from '../../../lib/locale.tsx';
import { Card } from '../../../ui/card.tsx';
import { Money } from '../../../ui/money.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { Tag } from '../../../ui/status-dot.tsx';
import { Time } from '../../../ui/time.tsx';

/** One kind of what is open, the oldest first; each leads to what can be done about it. */
export function ExceptionCard({ kind, items }: { kind: ExceptionKind; items: readonly Exception[] }) {
  const t = useText();
  const title = t(`ops.exception.${kind}`);
  return (
    <Card
      flush
      title={
        <span className="inline-flex items-center gap-2">
          {title}
          <Tag tone="neutral">{items.length}</Tag>
        </span>
      }
    >
      <ul aria-label={title} className="m-0 list-none p-0">
        {items.map((item) => (
          <li key={`${item.subject?.id ?? item.transactionId}/${item.since}`} className="border-line not-last:border-b">
            <Row item={item} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** Where it is dealt with; null where no page of the console does. */
function hrefOf({ subject, transactionId }: Exception): string | null {
  if (subject !== null) return `/app/exceptions/${subject.kind}/${encodeURIComponent(subject.id)}`;
  return transactionId === null ? null : `/app/payments/${transactionId}`;
}

const rowClass = 'flex flex-wrap items-start justify-between gap-x-6 gap-y-1 px-5 py-3 text-text';

function Row({ item }: { item: Exception }) {
  const t = useText();
  const href = hrefOf(item);
  const parts = (
    <>
      <span className="min-w-0 flex-1 basis-72">
        <span className="block font-medium wrap-anywhere">{item.title}</span>
        <span className="block text-13 text-muted wrap-anywhere">{item.nextStep}</span>
      </span>
      <span className="flex flex-wrap items-baseline gap-x-4 gap-y-1 text-13 text-faint">
        {item.proposals > 0 && <Tag tone="pending">{t('ops.exceptions.proposed')}</Tag>}
        {item.amount !== null && <Money amount={item.amount.quantity} coin={item.amount.asset} atMost={8} />}
        <span className="wrap-anywhere">
          {[item.company?.name, item.chain].flatMap((part) => (part ? [`${part} · `] : []))}
          <Time at={item.since} />
        </span>
      </span>
    </>
  );
  if (href === null) return <div className={rowClass}>{parts}</div>;
  return (
    <PlainLink href={href} className={`${rowClass} no-underline -outline-offset-2 hover:bg-hover`}>
      {parts}
    </PlainLink>
  );
}
