import type { ListEntry } from '@causeway/contract/risk-lists.ts';
import type { ListKind } from '@causeway/contract/risk-rules.ts';
import { lazy } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { whenIdle } from '../../../ui/deferred.ts';
import { ConfirmDialog, Dialog } from '../../../ui/dialog.tsx';
import { useTellChange } from '../../control/index.ts';
import { useDeleteEntry, useRiskSetting } from '../api.ts';
import { accountTypeTexts, listTexts } from '../words.ts';

const load = () => import('./entry-form.tsx');
/** With the contract's schemas, which the list itself does without. The dialog opens once the form is loaded, with focus in its first field. */
const EntryForm = lazy(async () => ({ default: (await load()).EntryForm }));

/** What is being done to a list. */
export type EntryStep = { step: 'add' } | { step: 'edit' | 'delete'; entry: ListEntry };

interface Props {
  kind: ListKind;
  step: EntryStep | null;
  onClose: () => void;
}

export function EntryDialogs({ kind, step, onClose }: Props) {
  const t = useText();
  whenIdle(load);
  if (step === null) return null;
  if (step.step === 'delete') return <DeleteEntry kind={kind} entry={step.entry} onClose={onClose} />;
  const title =
    step.step === 'edit'
      ? t('risk.entry.editTitle')
      : t(kind === 'white' ? 'risk.white.addTitle' : 'risk.black.addTitle');
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={title}
      {...(kind === 'black' && step.step === 'add' && { description: t('risk.black.addText') })}
    >
      <EntryForm kind={kind} entry={step.step === 'edit' ? step.entry : null} onClose={onClose} />
    </Dialog>
  );
}

/** Says what the account becomes before it is taken off the list. */
function DeleteEntry({ kind, entry, onClose }: { kind: ListKind; entry: ListEntry; onClose: () => void }) {
  const t = useText();
  const remove = useDeleteEntry();
  const tell = useTellChange();
  const setting = useRiskSetting();
  const confirm = () =>
    remove.mutate(
      { params: { id: entry.id } },
      {
        onSuccess: (effect) => {
          tell(effect, t('risk.deleted'));
          onClose();
        },
      },
    );
  const consequence =
    kind === 'black'
      ? 'risk.black.deleteText'
      : setting.data?.onlyWhitelisted
        ? 'risk.white.deleteTextOnly'
        : 'risk.white.deleteText';
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => open || onClose()}
      title={t(kind === 'white' ? 'risk.white.deleteTitle' : 'risk.black.deleteTitle')}
      description={t(consequence)}
      facts={[
        { term: t('risk.entry.list'), value: t(listTexts[kind]) },
        { term: t('risk.entry.type'), value: t(accountTypeTexts[entry.payeeType]) },
        { term: t('risk.entry.account'), value: <span className="font-mono text-13 break-all">{entry.account}</span> },
        ...(entry.remark === '' ? [] : [{ term: t('risk.entry.remark'), value: entry.remark }]),
      ]}
      confirmText={t('risk.entry.delete')}
      negative
      busy={remove.isPending}
      onConfirm={confirm}
    />
  );
}
