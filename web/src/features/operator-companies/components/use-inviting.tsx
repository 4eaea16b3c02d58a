import { lazy, type ReactNode, Suspense, useState } from 'react';

// Dialogs weigh more than the list itself, and most visits open none.
const InviteCompany = lazy(async () => ({ default: (await import('./invite-company.tsx')).InviteCompany }));

/** The dialog that makes an invitation, and what opens it. */
export function useInviting(): { open: () => void; dialog: ReactNode } {
  const [isOpen, setOpen] = useState(false);
  const dialog = isOpen && (
    <Suspense>
      <InviteCompany onClose={() => setOpen(false)} />
    </Suspense>
  );
  return { open: () => setOpen(true), dialog };
}
