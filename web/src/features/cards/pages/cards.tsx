import { useList } from '../../../lib/list.ts';
import { useText } from '../../../lib/locale.tsx';
import { ListView } from '../../../ui/list-view.tsx';
import { Page as Frame } from '../../../ui/page.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { Stat } from '../../../ui/stat.tsx';
import { Banner } from '../../../ui/states.tsx';
import { useCardSummary } from '../api.ts';
import { CardTabs } from '../components/card-tabs.tsx';
import { cardList } from '../lists/card-list.tsx';
import { cardsPath } from '../paths.ts';

/** Company cards: all of them, or a member's own. */
export function Page() {
  const t = useText();
  const read = useList(cardList);
  const data = useCardSummary();
  const { active = null, frozen = null, receiptsMissing = null } = data?.summary ?? {};
  return (
    <Frame intro={t('cards.intro')}>
      <CardTabs />
      {data?.connected === false && <Banner kind="notice">{t('cards.notConnected')}</Banner>}
      <div className="grid grid-cols-2 gap-4 sm:grid-cols-3">
        <Stat label={t('cards.summary.active')} value={active} />
        <Stat label={t('cards.summary.frozen')} value={frozen} />
        <Stat
          label={t('cards.summary.receipts')}
          value={receiptsMissing}
          {...(receiptsMissing !== null &&
            receiptsMissing > 0 && {
              detail: (
                <PlainLink href={`${cardsPath}/payments?receipt=missing`} className="text-accent">
                  {t('cards.summary.addReceipts')}
                </PlainLink>
              ),
            })}
        />
      </div>
      <ListView list={cardList} read={read} />
    </Frame>
  );
}
