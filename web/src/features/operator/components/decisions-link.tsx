import { useText } from '../../../lib/locale.tsx';
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
      {count > 0 && (
        <span
          aria-hidden="true"
          className="figures absolute top-0.5 right-0 min-w-4 rounded-full bg-negative px-1 text-center text-12 leading-4 font-medium text-on-negative"
        >
          {count > 99 ? '99+' : count}
        </span>
      )}
    </PlainLink>
  );
}
