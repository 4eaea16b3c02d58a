import type { ReactNode } from 'react';

/** The buttons of a form in a side panel: in sight for as long as a part of the form is, whatever its length. */
export function PanelFormFoot({ children }: { children: ReactNode }) {
  return (
    <div className="sticky bottom-0 z-10 -mx-5 flex flex-wrap items-center justify-end gap-x-4 gap-y-2 border-t border-line bg-raised px-5 py-3">
      {children}
    </div>
  );
}
