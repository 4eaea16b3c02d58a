import type { ComponentProps, ReactNode } from 'react';
import { Dialog } from '../../../ui/dialog.tsx';
import { ProofForm } from './proof-form.tsx';

interface Props extends Omit<ComponentProps<typeof ProofForm>, 'onCancel'> {
  open: boolean;
  onClose: () => void;
  title: string;
  /** What will be so afterwards. */
  description: ReactNode;
}

/** Asks for a proof before a change of one's own sign-in, and says what will change. */
export function ProofDialog({ open, onClose, title, description, ...form }: Props) {
  return (
    <Dialog open={open} onOpenChange={(next) => next || onClose()} title={title} description={description}>
      <ProofForm {...form} onCancel={onClose} />
    </Dialog>
  );
}
