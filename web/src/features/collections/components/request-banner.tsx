import { useText } from '../../../lib/locale.tsx';
import { amountLine } from '../../../ui/amount-parts.ts';
import { Banner } from '../../../ui/states.tsx';
import type { Request } from '../api.ts';
import { underpaidText } from '../words.ts';

/** What the request waits for, and on whom; why it needs a decision. */
export function RequestBanner({ request }: { request: Request }) {
  const t = useText();
  const { state, causes, remaining, asset, kind } = request;
  if (state === 'unresolved') {
    // Of a reusable request no sum lacks: one of its payments is below the amount.
    const underpaid =
      remaining !== null && asset !== null
        ? t(underpaidText(request), {
            rest: amountLine(remaining, asset),
          })
        : t('collections.causeText.underpaidOne');
    return (
      <Banner kind="pending">
        <p className="m-0 font-medium">{t('collections.banner.unresolved')}</p>
        {causes.map((cause) => (
          <p key={cause} className="m-0">
            {cause === 'underpaid' ? underpaid : t(`collections.causeText.${cause}`)}
          </p>
        ))}
      </Banner>
    );
  }
  if (state === 'preparing') return <Banner kind="notice">{t('collections.banner.preparing')}</Banner>;
  if (state === 'processing') return <Banner kind="notice">{t('collections.banner.processing')}</Banner>;
  if (state === 'open' && kind === 'single' && causes.length > 0)
    return <Banner kind="notice">{t('collections.banner.partial')}</Banner>;
  return null;
}
