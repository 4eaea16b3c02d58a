import { operatorReasonMaxLength } from '@causeway/contract/operator-rules.ts';
import { useText } from '../../../lib/locale.tsx';
import type { TextBinding } from '../../../ui/form-state.ts';
import { TextArea } from '../../../ui/text-field.tsx';

/** Why something is done: kept in the audit log, and shown to whom it concerns. */
export function ReasonField({ binding }: { binding: TextBinding }) {
  const t = useText();
  return (
    <TextArea
      {...binding}
      label={t('ops.field.reason')}
      hint={t('ops.reason.hint')}
      maxLength={operatorReasonMaxLength}
    />
  );
}
