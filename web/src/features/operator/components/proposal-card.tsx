import type { Proposal } from '@causeway/contract/operator.ts';
import { useText } from '../../../lib/locale.tsx';
import { Card } from '../../../ui/card.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { ErrorState, Loading, Skeleton } from '../../../ui/states.tsx';
import { Tag } from '../../../ui/status-dot.tsx';
import { Time } from '../../../ui/time.tsx';

/** So many are shown; the list has all. */
const most = 5;

interface Props {
  title: string;
  emptyText: string;
  /** Where all of them are. */
  all: string;
  /** Undefined while they are being read. */
  proposals: readonly Proposal[] | undefined;
  read: { error: unknown; refetch: () => unknown };
}

/** Open proposals of one sort, the newest first, each with the way to it. */
export function ProposalCard({ title, emptyText, all, proposals, read }: Props) {
  const t = useText();
  const count = proposals?.length ?? 0;
  return (
    <Card
      flush
      title={
        <span className="inline-flex items-center gap-2">
          {title}
          {count > 0 && <Tag tone="neutral">{count}</Tag>}
        </span>
      }
      {...(count > 0 && {
        aside: (
          <PlainLink
            href={all}
            className="text-13 font-medium whitespace-nowrap text-accent no-underline hover:underline"
          >
            {t('ops.home.all')}
          </PlainLink>
        ),
      })}
    >
      {proposals === undefined && read.error !== null ? (
        <ErrorState error={read.error} onRetry={() => void read.refetch()} />
      ) : (
        <Loading loading={proposals === undefined} skeleton={<Shape />}>
          {count === 0 ? (
            <p className="m-0 px-5 py-6 text-13 text-faint">{emptyText}</p>
          ) : (
            <ul aria-label={title} className="m-0 list-none p-0">
              {proposals?.slice(0, most).map((proposal) => (
                <li key={proposal.id} className="border-line not-last:border-b">
                  <PlainLink
                    href={`/app/confirmations/${proposal.id}`}
                    className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 px-5 py-3 text-text no-underline -outline-offset-2 hover:bg-hover"
                  >
                    <span className="min-w-0 font-medium break-words">{proposal.title}</span>
                    <span className="text-13 text-faint">
                      {proposal.proposedBy.name} · <Time at={proposal.proposedAt} />
                    </span>
                  </PlainLink>
                </li>
              ))}
            </ul>
          )}
        </Loading>
      )}
    </Card>
  );
}

function Shape() {
  return (
    <div className="px-5 py-4">
      <Skeleton width="w-2/3" />
    </div>
  );
}
