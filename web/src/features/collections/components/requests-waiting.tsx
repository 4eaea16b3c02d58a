import { useText } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';
import { Card } from '../../../ui/card.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { useUndecided } from '../api.ts';
import { askedLine } from '../words.ts';

const most = 5;

/** Requests that need a decision, for members who may decide; nothing where there are none. */
export function RequestsWaiting() {
  const t = useText();
  const mayDecide = usePermission('transfer.create') === true;
  const read = useUndecided(mayDecide).data;
  const waiting = read?.items ?? [];
  if (waiting.length === 0) return null;
  const count = read?.counts.unresolved ?? waiting.length;
  return (
    <Card
      title={t('collections.waiting')}
      {...(count > most && {
        aside: (
          <PlainLink href="/app/u-collection?state=unresolved" className="text-13 text-accent">
            {t('collections.waiting.all', { count })}
          </PlainLink>
        ),
      })}
    >
      <ul className="m-0 flex list-none flex-col gap-3 p-0">
        {waiting.slice(0, most).map((request) => (
          <li key={request.id} className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
            <PlainLink href={`/app/u-collection/${request.id}`} className="text-accent">
              {`${request.title} · ${askedLine(t, request)}`}
            </PlainLink>
            <span className="text-13 text-muted">
              {request.causes.map((cause) => t(`collections.cause.${cause}`)).join(' · ')}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
