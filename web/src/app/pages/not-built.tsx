import { useText } from '../../lib/locale.tsx';
import { usePageTitle } from '../../shell/page-title.ts';
import { Card } from '../../ui/card.tsx';
import { Page as Frame } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/states.tsx';

/** Says plainly that a page is not there yet. */
export function Page() {
  const t = useText();
  const page = usePageTitle();
  return (
    <Frame>
      <Card>
        <EmptyState icon="clock" title={t('app.notBuilt.title')} text={t('app.notBuilt.text', { page })} />
      </Card>
    </Frame>
  );
}
