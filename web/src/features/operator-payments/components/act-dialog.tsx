import type { Output } from '@causeway/contract/call.ts';
import type { ExceptionChoice, getExceptionActs } from '@causeway/contract/operator-exceptions.ts';
import { useMemo } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Form } from '../../../ui/form.tsx';
import { useFields } from '../../../ui/form-state.ts';
import { RadioField } from '../../../ui/radio-field.tsx';
import { SelectField } from '../../../ui/select-field.tsx';
import { Banner } from '../../../ui/states.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { Changes } from '../../audit/index.ts';
import { DialogFoot, ReasonField, useProposed } from '../../operator/index.ts';
import { type ActValues, actCheck } from '../act-rules.ts';
import { useProposeAct } from '../api-exceptions.ts';

type Acts = Output<typeof getExceptionActs>;

interface Props {
  about: Pick<Acts, 'subject' | 'name' | 'candidates'>;
  choice: ExceptionChoice;
  /** What became of the act since the dialog opened. */
  over: string | null;
  onClose: () => void;
}

/** Proposes one act, with what it would change before and after; another operator confirms it. */
export function ActDialog({ about, choice: { act, changes }, over, onClose }: Props) {
  const t = useText();
  const propose = useProposeAct();
  const proposed = useProposed();
  const fields = useFields<ActValues, ActValues>({
    check: useMemo(() => actCheck(act), [act]),
    defaults: { reason: '', transferId: about.candidates[0]?.id ?? '', answer: 'notPaid', hash: '' },
  });
  const submit = async ({ reason, transferId, answer, hash }: ActValues) => {
    const more = act === 'payment.match' ? { transferId } : act === 'unknown.answer' ? { answer, hash } : {};
    const { proposalId } = await propose.mutateAsync({ body: { act, subjectId: about.subject.id, reason, ...more } });
    proposed(proposalId);
    onClose();
  };
  const title = t(`ops.act.${act}.title`);
  return (
    <Dialog
      open
      wide
      onOpenChange={(open) => open || fields.submitting || onClose()}
      title={title}
      description={t(`ops.act.${act}.text`)}
    >
      <Form fields={fields} onSubmit={submit} label={title}>
        <p className="m-0 font-medium wrap-anywhere">{about.name}</p>
        {act === 'payment.match' && (
          <SelectField
            {...fields.value('transferId')}
            label={t('ops.act.transfer')}
            hint={t('ops.act.transferHint')}
            options={about.candidates.map(({ id, payee, quantity, asset }) => ({
              value: id,
              label: `${quantity} ${asset}`,
              detail: `${payee} · ${id}`,
            }))}
          />
        )}
        {act === 'unknown.answer' && (
          <>
            <RadioField
              {...fields.value('answer')}
              label={t('ops.act.answer')}
              options={(['notPaid', 'paid'] as const).map((value) => ({
                value,
                label: t(`ops.act.answer.${value}`),
                detail: t(`ops.act.answer.${value}Text`),
              }))}
            />
            <TextField
              {...fields.text('hash')}
              label={t('ops.act.hash')}
              hint={t('ops.act.hashHint')}
              autoComplete="off"
              spellCheck={false}
            />
          </>
        )}
        {changes.length > 0 && (
          <Changes changes={changes.map((change) => ({ ...change, field: change.label, switched: null }))} />
        )}
        <Banner kind="notice">{t('ops.act.second')}</Banner>
        <ReasonField binding={fields.text('reason')} />
        <DialogFoot fields={fields} over={over} submitText={t('ops.propose')} onClose={onClose} />
      </Form>
    </Dialog>
  );
}
