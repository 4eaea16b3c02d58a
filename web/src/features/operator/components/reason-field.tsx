import { operatorReasonMaxLength } from '@causeway/contract/operator-rules.ts';
import { useText } from '../../../lib/locale.tsx';
import type { TextBinding } from '../../../ui/form-state.ts';
import { TextArea } from '../../../ui/text-field.tsx';

interface Props {
  binding: TextBinding;
  /** No second operator reads it: it is done at once. */
  alone?: boolean;
}

/** Why something is done: kept in the audit log, and shown to the colleague who confirms what is only proposed. */
export function ReasonField({ binding, alone = false }: Props) {
  const t = useText();
  return (
    <TextArea
      {...binding}
      label={t('ops.field.reason')}
      hint={t(alone ? 'ops.reason.hintAlone' : 'ops.reason.hint')}
      maxLength={operatorReasonMaxLength}
    />
  );
}
