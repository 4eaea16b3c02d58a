import { type ReactNode, useEffect, useRef } from 'react';
import { useText } from '../../../lib/locale.tsx';

const sections = ['profile', 'password', 'two-step', 'sessions'] as const;
type SectionId = (typeof sections)[number];

const texts: Record<SectionId, string> = {
  profile: 'identity.profile.title',
  password: 'identity.change.title',
  'two-step': 'identity.section.twoStep',
  sessions: 'identity.section.sessions',
};

/** The parts of the page, each a click away: a long page that one need not scroll through. */
export function SectionLinks() {
  const t = useText();
  return (
    <nav aria-label={t('identity.section.label')} className="-mb-2 flex flex-wrap gap-x-5 gap-y-1 text-13">
      {sections.map((id) => (
        <a
          key={id}
          href={`#${id}`}
          className="text-muted underline-offset-4 hover:text-text hover:underline"
          onClick={(event) => {
            event.preventDefault();
            const section = document.getElementById(id);
            section?.scrollIntoView();
            section?.focus({ preventScroll: true });
          }}
        >
          {t(texts[id])}
        </a>
      ))}
    </nav>
  );
}

/** One part; the focus can be put on it, so that the next Tab goes on from there. */
export function Section({ id, children }: { id: SectionId; children: ReactNode }) {
  const t = useText();
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    // The browser looked for the section of a link before the page had any.
    if (location.hash === `#${id}`) section.current?.scrollIntoView();
  }, [id]);
  return (
    <section
      ref={section}
      id={id}
      aria-label={t(texts[id])}
      tabIndex={-1}
      className="flex scroll-mt-6 flex-col gap-6 outline-none"
    >
      {children}
    </section>
  );
}
