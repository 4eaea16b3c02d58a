import { useText } from '../../../lib/locale.tsx';
import { CountBadge } from '../../../ui/count-badge.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { useMe } from '../me.ts';

/** How many proposals wait for the reader, on every page. Not shown to those who decide on none. */
export function DecisionsLink() {
  const t = useText();
  const me = useMe();
  if (!me?.permissions.includes('operator.confirm')) return null;
  const count = me.openProposals;
  const label = t('ops.decisions', { count });
  return (
    <PlainLink
      href="/app/confirmations?state=open&mine=decide"
      aria-label={label}
      title={label}
      className="relative inline-flex size-9 shrink-0 items-center justify-center rounded-6 text-muted hover:bg-hover hover:text-text"
    >
      <Icon name="approval" />
      <CountBadge count={count} />
    </PlainLink>
  );
}
