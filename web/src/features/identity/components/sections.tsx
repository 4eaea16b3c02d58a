import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { classNames } from '../../../ui/class-names.ts';

const sections = ['profile', 'password', 'two-step', 'sessions'] as const;
type SectionId = (typeof sections)[number];

const texts: Record<SectionId, string> = {
  profile: 'identity.profile.title',
  password: 'identity.change.title',
  'two-step': 'identity.section.twoStep',
  sessions: 'identity.section.sessions',
};

/** Beneath the header and these links, in pixels: what has scrolled past this line is what one reads. */
const readingLine = 140;

/** The parts of the page, each a click away, always in sight; the one that is being read is marked. */
export function SectionLinks() {
  const t = useText();
  const shown = useShown();
  return (
    <nav
      aria-label={t('identity.section.label')}
      className="sticky top-15 z-10 -mx-4 -mt-6 flex gap-x-5 overflow-x-auto border-b border-line bg-ground px-4 pt-3 text-13 whitespace-nowrap md:mx-0 md:px-0"
    >
      {sections.map((id) => (
        <a
          key={id}
          href={`#${id}`}
          aria-current={id === shown ? 'true' : undefined}
          className={classNames(
            '-mb-px flex h-10 items-center border-b-2 no-underline -outline-offset-2 hover:text-text',
            id === shown ? 'border-accent font-medium text-text' : 'border-transparent text-muted',
          )}
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

/** The section that is being read: the last whose beginning has passed the reading line; at the page's end the last of all. */
function useShown(): SectionId {
  const [shown, setShown] = useState<SectionId>('profile');
  useEffect(() => {
    const update = () => {
      const atEnd = window.innerHeight + window.scrollY >= document.documentElement.scrollHeight - 2;
      const passed = sections.filter((id) => {
        const top = document.getElementById(id)?.getBoundingClientRect().top;
        return top !== undefined && top <= readingLine;
      });
      setShown((atEnd && window.scrollY > 0 ? sections : passed).at(-1) ?? 'profile');
    };
    update();
    document.addEventListener('scroll', update, { passive: true });
    window.addEventListener('resize', update);
    return () => {
      document.removeEventListener('scroll', update);
      window.removeEventListener('resize', update);
    };
  }, []);
  return shown;
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
      className="flex scroll-mt-32 flex-col gap-6 outline-none"
    >
      {children}
    </section>
  );
}
