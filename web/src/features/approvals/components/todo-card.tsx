import type { TodoItem } from '@causeway/contract/approvals.ts';
import { useFormats } from '../../../lib/format.ts';
import { useText } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';
import { Card } from '../../../ui/card.tsx';
import { Money } from '../../../ui/money.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { ErrorState, Loading, Skeleton } from '../../../ui/states.tsx';
import { Tag } from '../../../ui/status-dot.tsx';
import { useTodo } from '../api.ts';

/** How many of each kind the home page shows; the lists have the rest. */
const shownAtHome = 4;

/** The to-do list: what waits for me and what I wait for, since when and for whom (decisions, "Screens"). */
export function TodoCard() {
  const t = useText();
  const todo = useTodo();
  const { data } = todo;
  return (
    <Card title={t('approvals.todo')} flush>
      {data === undefined && todo.error !== null ? (
        <ErrorState error={todo.error} onRetry={() => void todo.refetch()} />
      ) : (
        <Loading loading={data === undefined} skeleton={<TodoSkeleton />}>
          {data && (
            <div className="grid md:grid-cols-2 md:divide-x md:divide-line">
              <Part
                title="approvals.todo.forMe"
                empty="approvals.todo.forMeNone"
                to="/app/pending-approval"
                about={(item) => t('approvals.todo.by', { name: item.initiator })}
                {...data.waitingForMe}
              />
              <Part
                title="approvals.todo.iWait"
                empty="approvals.todo.iWaitNone"
                to="/app/i-initiated-approval"
                about={(item) => t('approvals.todo.waiting', { names: item.waitingFor })}
                {...data.iWaitFor}
              />
            </div>
          )}
        </Loading>
      )}
    </Card>
  );
}

interface PartProps {
  title: string;
  empty: string;
  to: string;
  /** From whom it comes, or for whom it waits. */
  about: (item: TodoItem) => string;
  count: number;
  items: readonly TodoItem[];
}

function Part({ title, empty, to, about, count, items }: PartProps) {
  const t = useText();
  const mayOpen = usePermission('approval.view');
  return (
    <section className="min-w-0 px-5 py-4">
      <h3 className="m-0 mb-2 flex items-center justify-between gap-2 text-13 font-medium">
        <span className="flex items-center gap-2">
          {t(title)}
          {count > 0 && <Tag tone="pending">{count}</Tag>}
        </span>
        {count > 0 && mayOpen === true && (
          <PlainLink href={to} className="font-normal text-accent">
            {t('approvals.todo.all')}
          </PlainLink>
        )}
      </h3>
      {items.length === 0 ? (
        <p className="m-0 py-3 text-13 text-faint">{t(empty)}</p>
      ) : (
        <ul className="m-0 list-none p-0">
          {items.slice(0, shownAtHome).map((item) => (
            <TodoRow key={item.taskId} item={item} to={to} about={about(item)} />
          ))}
        </ul>
      )}
    </section>
  );
}

function TodoRow({ item, to, about }: { item: TodoItem; to: string; about: string }) {
  const t = useText();
  const formats = useFormats();
  const mayOpen = usePermission('approval.view');
  const look = 'flex items-start justify-between gap-4 py-2.5 text-text';
  const content = (
    <>
      <span className="min-w-0">
        <span className="block truncate">{item.name}</span>
        <span className="block text-12 text-faint" title={formats.dateTime(item.since)}>
          {about} · {formats.relative(item.since)}
        </span>
        {item.stuck && <span className="block text-12 text-negative">{t('approvals.panel.stuck')}</span>}
      </span>
      {item.amount !== null && item.coin !== null && (
        <Money amount={item.amount} coin={item.coin} atMost={8} align="right" />
      )}
    </>
  );
  return (
    <li className="border-line not-last:border-b">
      {mayOpen === true ? (
        <PlainLink href={`${to}/${item.taskId}`} className={look}>
          {content}
        </PlainLink>
      ) : (
        <span className={look}>{content}</span>
      )}
    </li>
  );
}

function TodoSkeleton() {
  return (
    <div className="grid gap-6 p-5 md:grid-cols-2">
      <Skeleton height="h-24" />
      <Skeleton height="h-24" />
    </div>
  );
}
