import { classNames } from './class-names.ts';
import { PlainLink } from './plain-link.tsx';

interface TabLink {
  label: string;
  href: string;
  current: boolean;
}

/** Views of one thing side by side, each at an address of its own. They look like tabs and are links: lighter, and each can be opened beside. */
export function TabLinks({ label, links }: { label: string; links: readonly TabLink[] }) {
  return (
    <nav aria-label={label} className="border-b border-line">
      <ul className="m-0 flex list-none gap-5 overflow-x-auto p-0">
        {links.map(({ label: text, href, current }) => (
          <li key={href}>
            <PlainLink
              href={href}
              aria-current={current ? 'page' : undefined}
              className={classNames(
                'flex h-10 items-center border-b-2 text-14 whitespace-nowrap no-underline -outline-offset-2 hover:text-text',
                current ? 'border-accent font-medium text-text' : 'border-transparent text-muted',
              )}
            >
              {text}
            </PlainLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}
