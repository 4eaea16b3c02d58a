import { useRouter } from '@tanstack/react-router';
import type { ReactNode } from 'react';
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
 * is open for as long as its address is; closing goes back to the list.
 */
export function SidePanel({ title, backTo, children, actions }: Props) {
  const router = useRouter();
  return (
    <Drawer
      open
      side="right"
      title={title}
      onOpenChange={(open) => {
        if (!open) router.history.push(`${backTo}${router.state.location.searchStr}`);
      }}
      {...(actions !== undefined && { actions })}
    >
      <div className="p-5">{children}</div>
    </Drawer>
  );
}

/** A part of such a detail under a heading of its own; `aside` stands beside the heading. */
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
