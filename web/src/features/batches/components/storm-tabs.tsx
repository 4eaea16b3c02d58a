import { useText } from '../../../lib/locale.tsx';
import { TabLinks } from '../../../ui/tab-links.tsx';

/** Batches and the templates that they are made from. */
export function StormTabs({ current }: { current: 'batches' | 'templates' }) {
  const t = useText();
  return (
    <TabLinks
      label={t('batches.templates.views')}
      links={[
        { label: t('batches.templates.view.batches'), href: '/app/storm', current: current === 'batches' },
        {
          label: t('batches.templates.view.templates'),
          href: '/app/storm/templates',
          current: current === 'templates',
        },
      ]}
    />
  );
}
