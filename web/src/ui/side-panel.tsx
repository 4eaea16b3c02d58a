import { useMatch, useRouter } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { Drawer } from './drawer.tsx';

interface Props {
  title: ReactNode;
  /** Where closing leads: the list beneath, with the filters it had. */
  backTo: string;
  children: ReactNode;
  actions?: ReactNode;
}

/**
 * A detail beside its list, at an address of its own: a route inside the list's route, drawn in the list's `<Outlet/>`. It
 * is open for as long as its address is; closing goes back to the list. The focus goes back where it came from; where it
 * came from nowhere, since the address itself was opened, it goes to the panel's link in the list or the page's heading.
 */
export function SidePanel({ title, backTo, children, actions }: Props) {
  const router = useRouter();
  const address = useMatch({ strict: false, select: ({ pathname }) => pathname });
  // As long as it is drawn first, the panel does not have the focus itself.
  const [hasOpener] = useState(() => document.activeElement !== document.body);
  return (
    <Drawer
      open
      side="right"
      title={title}
      onOpenChange={(open) => {
        if (!open) router.history.push(`${backTo}${router.state.location.searchStr}`);
      }}
      {...(actions !== undefined && { actions })}
      {...(!hasOpener && {
        finalFocus: () => linkTo(address) ?? document.querySelector<HTMLElement>('[data-heading]'),
      })}
    >
      <div className="p-5">{children}</div>
    </Drawer>
  );
}

/** The first link of the page that leads to an address, whatever filters it keeps. */
function linkTo(address: string): HTMLElement | null {
  const links = document.querySelectorAll<HTMLAnchorElement>('main a[href]');
  return [...links].find(({ pathname }) => pathname === address) ?? null;
}

/** A part of such a detail under a heading of its own; `aside` is beside the heading. */
export function PanelSection({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) {
  return (
    <section className="flex flex-col gap-3">
      <div className="flex items-center justify-between gap-3">
        <h3 className="m-0 text-14 font-semibold">{title}</h3>
        {aside}
      </div>
      {children}
    </section>
  );
}
