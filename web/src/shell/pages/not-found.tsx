import { Link } from '@tanstack/react-router';
import { useText } from '../../lib/locale.tsx';
import { buttonClass } from '../../ui/button.tsx';

/** An unknown address outside the console (decisions, "Screens"). */
export function Page() {
  const t = useText();
  return (
    <main id="content" className="flex min-h-dvh flex-col items-center justify-center gap-3 px-6 text-center">
      <p className="figures m-0 text-13 font-medium text-faint">404</p>
      <h1 data-heading tabIndex={-1} className="m-0 text-20 font-semibold">
        {t('app.notFound.title')}
      </h1>
      <p className="m-0 text-muted">{t('app.notFound.text')}</p>
      <Link to="/app/home" className={`mt-3 ${buttonClass('primary')}`}>
        {t('app.notFound.home')}
      </Link>
    </main>
  );
}
