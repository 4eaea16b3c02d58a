import { useText } from '../../../lib/locale.tsx';
import { StatusDot } from '../../../ui/status-dot.tsx';
import type { FeePayment } from '../api.ts';
import { paymentTones } from '../words.ts';

export function PaymentState({ payment: { state, problem } }: { payment: Pick<FeePayment, 'state' | 'problem'> }) {
  const t = useText();
  return (
    <StatusDot tone={paymentTones[state]} {...(problem !== null && { detail: problem })}>
      {t(`ops.payment.${state}`)}
    </StatusDot>
  );
}
