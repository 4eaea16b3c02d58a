import { lazy, type ReactNode, Suspense } from 'react';
import { useText } from '../lib/locale.tsx';
import { Button } from './button.tsx';
import { useOpenedOnce, whenIdle } from './deferred.ts';
import { DescriptionList, type Fact } from './description-list.tsx';
import type { DialogProps } from './dialog-surface.tsx';

const load = () => import('./dialog-surface.tsx');
const Surface = lazy(async () => ({ default: (await load()).DialogSurface }));

/** A dialog: focus begins in the first field of a form, stays inside and goes back where it came from; Esc and a click beside it close. */
export function Dialog(props: DialogProps) {
  const needed = useOpenedOnce(props.open);
  whenIdle(load);
  return needed ? (
    <Suspense>
      <Surface {...props} />
    </Suspense>
  ) : null;
}

interface ConfirmDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description?: ReactNode;
  /** Who, how much, where: what is about to happen, once more. */
  facts?: readonly Fact[];
  confirmText: string;
  cancelText?: string;
  /** Destroys something or sends money out. */
  negative?: boolean;
  busy?: boolean;
  /** The step cannot be taken at this moment; why is said in the dialog. */
  disabled?: boolean;
  /** What happened meanwhile, so that the step is of no use any more: only closing is offered. */
  over?: string | null;
  onConfirm: () => void;
  children?: ReactNode;
}

/** Asks before a step that cannot be taken back, repeating its facts. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const {
    open,
    onOpenChange,
    title,
    description,
    facts,
    confirmText,
    cancelText,
    negative,
    busy = false,
    disabled = false,
    over: happened = null,
    onConfirm,
  } = props;
  const t = useText();
  // The answer to one's own step closes the dialog itself.
  const over = busy ? null : happened;
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => busy || onOpenChange(next)}
      title={title}
      {...(description !== undefined && { description })}
      actions={
        <>
          <Button disabled={busy} onClick={() => onOpenChange(false)}>
            {over === null ? (cancelText ?? t('ui.cancel')) : t('ui.close')}
          </Button>
          {over === null && (
            <Button kind={negative ? 'negative' : 'primary'} busy={busy} disabled={disabled} onClick={onConfirm}>
              {confirmText}
            </Button>
          )}
        </>
      }
    >
      {facts && <DescriptionList facts={facts} framed />}
      {props.children}
      {over !== null && (
        <p role="status" className="mt-4 mb-0">
          {over}
        </p>
      )}
    </Dialog>
  );
}
