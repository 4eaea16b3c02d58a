import type { ReactNode } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { differingStretches } from '../differing.ts';

interface LookAlike {
  address: string;
  label: string;
}

interface Props {
  address: string;
  lookAlikes: readonly LookAlike[];
  /** What the reader can do about it. */
  children?: ReactNode;
}

/** An address beside those it could be mistaken for, with what differs emphasised in both. */
export function LookAlikes({ address, lookAlikes, children }: Props) {
  const t = useText();
  const [first] = lookAlikes;
  if (first === undefined) return null;
  return (
    <div role="alert" className="flex flex-col gap-3 rounded-10 bg-pending-soft px-4 py-3">
      <div className="flex items-start gap-2">
        <Icon name="warning" className="mt-0.5 shrink-0 text-pending" />
        <div className="min-w-0">
          <p className="m-0 font-medium">{t('payees.alike.title', { count: lookAlikes.length })}</p>
          <p className="m-0 text-13 text-muted">{t('payees.alike.text')}</p>
        </div>
      </div>
      <dl className="m-0 flex flex-col gap-2.5">
        <Compared term={t('payees.alike.this')} address={address} other={first.address} />
        {lookAlikes.map((other) => (
          <Compared key={other.address} term={other.label} address={other.address} other={address} />
        ))}
      </dl>
      {children}
    </div>
  );
}

function Compared({ term, address, other }: { term: string; address: string; other: string }) {
  return (
    <div className="min-w-0">
      <dt className="truncate text-12 text-muted">{term}</dt>
      <dd className="m-0 font-mono text-13 break-all">
        {differingStretches(address, other).map((stretch, index) =>
          stretch.same ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: stretches of one address have no other identity
            <span key={index} className="text-muted">
              {stretch.text}
            </span>
          ) : (
            // biome-ignore lint/suspicious/noArrayIndexKey: stretches of one address have no other identity
            <mark key={index} className="rounded-[2px] bg-pending font-semibold text-surface">
              {stretch.text}
            </mark>
          ),
        )}
      </dd>
    </div>
  );
}
