import { Link } from '@tanstack/react-router';
import { useText } from '../../lib/locale.tsx';
import { PublicLayout } from '../../ui/public-layout.tsx';

/** The three agreements: the address of each and its number of sections. */
const agreements = {
  terms: { path: '/terms', sections: 10 },
  paymentTerms: { path: '/payment-terms', sections: 8 },
  privacy: { path: '/privacy', sections: 9 },
} as const;

type AgreementName = keyof typeof agreements;
const names = Object.keys(agreements) as AgreementName[];

const link = 'text-accent no-underline hover:underline';

/** One agreement: contents, numbered sections that can be linked to, the way to the other two. */
export function LegalPage({ name }: { name: AgreementName }) {
  const t = useText();
  const numbers = Array.from({ length: agreements[name].sections }, (_, index) => index + 1);
  return (
    <PublicLayout wide title={t(`legal.${name}.title`)} intro={t('legal.version')} footer={<Others than={name} />}>
      <p className="mt-0 mb-6 text-16">{t(`legal.${name}.intro`)}</p>
      <nav aria-label={t('legal.contents')} className="mb-8 rounded-10 bg-sunken px-5 py-4">
        <h2 className="mt-0 mb-2 text-13 font-medium text-muted">{t('legal.contents')}</h2>
        <ol className="m-0 grid gap-x-8 gap-y-1 pl-5 text-13 sm:grid-cols-2">
          {numbers.map((number) => (
            <li key={number}>
              <a href={`#section-${number}`} className={link}>
                {t(`legal.${name}.${number}.title`)}
              </a>
            </li>
          ))}
        </ol>
      </nav>
      {numbers.map((number) => (
        <section key={number} id={`section-${number}`} className="mb-7 scroll-mt-6 last:mb-0">
          <h2 className="mt-0 mb-2 text-16 font-semibold">
            <span className="figures mr-2 text-faint">{number}</span>
            {t(`legal.${name}.${number}.title`)}
          </h2>
          {t(`legal.${name}.${number}.text`)
            .split('\n\n')
            .map((paragraph) => (
              <p key={paragraph} className="mt-0 mb-3 leading-6 text-muted last:mb-0">
                {paragraph}
              </p>
            ))}
        </section>
      ))}
    </PublicLayout>
  );
}

function Others({ than }: { than: AgreementName }) {
  const t = useText();
  return (
    <span className="flex flex-wrap justify-center gap-x-4 gap-y-1">
      {names
        .filter((name) => name !== than)
        .map((name) => (
          <Link key={name} to={agreements[name].path} className={link}>
            {t(`legal.${name}.title`)}
          </Link>
        ))}
      <Link to="/sign-up" className={link}>
        {t('legal.back')}
      </Link>
    </span>
  );
}
