import { Link } from '@tanstack/react-router';
import { useText } from '../../lib/locale.tsx';
import { buttonClass } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Page as Frame } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/states.tsx';

/** An unknown address inside the console: the menu and the header, which has its title, lead on. */
export function Page() {
  const t = useText();
  return (
    <Frame>
      <Card>
        <EmptyState
          icon="search"
          title={t('app.notFound.text')}
          action={
            <Link to="/app/home" className={buttonClass('primary')}>
              {t('app.notFound.home')}
            </Link>
          }
        />
      </Card>
    </Frame>
  );
}
