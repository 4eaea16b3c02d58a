import { useText } from '../../../lib/locale.tsx';
import { Card } from '../../../ui/card.tsx';
import { DescriptionList } from '../../../ui/description-list.tsx';
import { Banner } from '../../../ui/states.tsx';
import { useSupportShown } from '../api.ts';

/** Whom frozen companies can contact, as the installation is set up. */
export function SupportCard() {
  const t = useText();
  const support = useSupportShown().data;
  if (!support) return null;
  const { email, phone } = support;
  return (
    <Card title={t('ops.health.support')}>
      {email === null && phone === null ? (
        <Banner kind="pending">{t('ops.health.supportMissing')}</Banner>
      ) : (
        <DescriptionList
          facts={[
            { term: t('ops.health.supportEmail'), value: email ?? t('ops.health.supportNone') },
            { term: t('ops.health.supportPhone'), value: phone ?? t('ops.health.supportNone') },
          ]}
        />
      )}
    </Card>
  );
}
