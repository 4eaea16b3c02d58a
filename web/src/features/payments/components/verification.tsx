import type { VerificationAnswer } from '@causeway/contract/bank-payees-rules.ts';
import { useText } from '../../../lib/locale.tsx';
import { Banner } from '../../../ui/states.tsx';

const kinds = { close: 'pending', none: 'negative', impossible: 'notice' } as const;

/** What the payee's bank says of the name, where it is not simply right. Null: it has not been asked yet. */
export function Verification({ of }: { of: { answer: VerificationAnswer; bankName: string | null } | null }) {
  const t = useText();
  if (of === null) return <Banner kind="notice">{t('payments.verification.asking')}</Banner>;
  if (of.answer === 'match') return <Banner kind="positive">{t('payments.verification.match')}</Banner>;
  return (
    <Banner kind={kinds[of.answer]}>{t(`payments.verification.${of.answer}`, { name: of.bankName ?? '' })}</Banner>
  );
}
