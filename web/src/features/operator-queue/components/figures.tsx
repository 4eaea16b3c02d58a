import type { Output } from '@causeway/contract/call.ts';
import type { summariseQueue } from '@causeway/contract/operator-queue.ts';
import type { ReactNode } from 'react';
import { useListState } from '../../../lib/list-state.ts';
import { useText } from '../../../lib/locale.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { Money } from '../../../ui/money.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { StatusDot } from '../../../ui/status-dot.tsx';
import { urgencyTones } from '../words.ts';
import { Age } from './age.tsx';

type Summary = Output<typeof summariseQueue>;

const names = ['kind', 'owner', 'companyId', 'keyword', 'state'] as const;

/** How much of each kind is open, what it is worth and how old the oldest is; each figure leads to its rows. */
export function Figures({ summary: { kinds, mine } }: { summary: Summary }) {
  const t = useText();
  const { filters } = useListState(names);
  const total = kinds.reduce((sum, { open }) => sum + open, 0);
  const free = kinds.reduce((sum, { unowned }) => sum + unowned, 0);
  const isOnly = (name: 'kind' | 'owner', value: string) =>
    filters[name] === value && Object.keys(filters).length === 1;
  return (
    <nav aria-label={t('ops.queue.figures')} className="flex flex-col gap-3">
      <ul className="m-0 flex list-none flex-wrap gap-2 p-0">
        <Chip href="/app/home" current={Object.keys(filters).length === 0} label={t('ops.queue.all')} count={total} />
        <Chip href="/app/home?owner=me" current={isOnly('owner', 'me')} label={t('ops.queue.owner.me')} count={mine} />
        <Chip
          href="/app/home?owner=none"
          current={isOnly('owner', 'none')}
          label={t('ops.queue.owner.none')}
          count={free}
        />
      </ul>
      <ul className="m-0 grid list-none grid-cols-2 gap-2 p-0 sm:grid-cols-3 lg:grid-cols-4 xl:grid-cols-5">
        {kinds.map(({ kind, urgency, open, usd, oldestAt }) => (
          <li key={kind} className="min-w-0">
            <PlainLink
              href={`/app/home?kind=${kind}`}
              aria-current={isOnly('kind', kind) || undefined}
              className={classNames(
                'flex h-full flex-col gap-1 rounded-10 border bg-surface px-3.5 py-3 text-text no-underline hover:bg-hover',
                isOnly('kind', kind) ? 'border-accent' : 'border-line',
              )}
            >
              <span className="text-13 text-muted">
                <StatusDot tone={urgencyTones[urgency]}>
                  <span className="whitespace-normal">{t(`ops.queue.kind.${kind}`)}</span>
                </StatusDot>
              </span>
              <span className="figures text-20 font-semibold">{open}</span>
              <span className="mt-auto flex flex-col text-12 text-faint">
                {usd !== null && <Money amount={usd} coin="USD" />}
                <span>
                  {t('ops.queue.oldest')} <Age at={oldestAt} />
                </span>
              </span>
            </PlainLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Chip({ href, current, label, count }: { href: string; current: boolean; label: string; count: ReactNode }) {
  return (
    <li>
      <PlainLink
        href={href}
        aria-current={current || undefined}
        className={classNames(
          'inline-flex h-9 items-center gap-2 rounded-6 border px-3 text-13 no-underline hover:bg-hover',
          current ? 'border-accent font-medium text-accent' : 'border-line bg-surface text-text',
        )}
      >
        {label}
        <span className="figures font-semibold">{count}</span>
      </PlainLink>
    </li>
  );
}
