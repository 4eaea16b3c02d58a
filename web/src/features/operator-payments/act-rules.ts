import type { ExceptionAct, UnknownAnswer } from '@causeway/contract/operator-exceptions-rules.ts';
import type { Checked } from '../../ui/form-state.ts';
import { checked } from '../identity/index.ts';
import { reasonRule } from '../operator/index.ts';

/** The rules of the dialog that proposes an act; the server checks everything again. Messages are text ids. */

export interface ActValues {
  reason: string;
  transferId: string;
  answer: UnknownAnswer;
  hash: string;
}

const transactionHash = /^0x[0-9a-fA-F]{64}$/;

/** A match needs its transfer, an answer its proof; every act a reason. */
export function actCheck(act: ExceptionAct): (values: ActValues) => Checked<ActValues> {
  return (values) => {
    const hash = values.hash.trim();
    return checked(
      { ...values, reason: values.reason.trim(), hash },
      {
        reason: reasonRule(values.reason),
        transferId: act === 'payment.match' && values.transferId === '' ? 'field.required' : null,
        hash: act === 'unknown.answer' ? hashRule(hash) : null,
      },
    );
  };
}

function hashRule(hash: string): string | null {
  if (hash === '') return 'field.required';
  return transactionHash.test(hash) ? null : 'ops.rule.hash';
}
