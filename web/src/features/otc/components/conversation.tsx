import type { OtcKind, OtcMessage, OtcRequest } from '@causeway/contract/otc.ts';
import { useText } from '../../../lib/locale.tsx';
import { amountLine } from '../../../ui/amount-parts.ts';
import { rateText } from '../../../ui/rate-text.ts';
import type { Tone } from '../../../ui/status-dot.tsx';
import { Time } from '../../../ui/time.tsx';
import { Timeline } from '../../../ui/timeline.tsx';

const tones: Record<OtcKind, Tone> = {
  asked: 'progress',
  note: 'neutral',
  quoted: 'notice',
  countered: 'progress',
  accepted: 'positive',
  declined: 'negative',
  withdrawn: 'neutral',
  lapsed: 'neutral',
};

interface Props {
  request: Pick<OtcRequest, 'sell' | 'buy' | 'fixed'>;
  messages: readonly OtcMessage[];
}

/** Who said what of a request, the oldest first. */
export function Conversation({ request, messages }: Props) {
  const t = useText();
  return (
    <Timeline
      label={t('otc.conversation')}
      stages={messages.map((message) => ({
        key: String(message.seq),
        title: t(`otc.step.${message.kind}`),
        detail: <Said request={request} message={message} />,
        at: message.at,
        tone: tones[message.kind],
      }))}
    />
  );
}

function Said({ request: { sell, buy, fixed }, message }: { request: Props['request']; message: OtcMessage }) {
  const t = useText();
  const { side, author, text, rate, sold, fee, bought, validUntil, wanted } = message;
  const speaker =
    side === 'system' ? null : [side === 'desk' ? t('otc.desk') : null, author].filter(Boolean).join(' · ');
  return (
    <span className="flex flex-col gap-1">
      {speaker !== null && <span>{speaker}</span>}
      {rate !== null && (
        <span className="figures">{t('otc.rateOf', { from: sell.asset, rate: rateText(rate), to: buy.asset })}</span>
      )}
      {wanted !== null && (
        <span className="figures">
          {t('otc.step.wanted', { amount: amountLine(wanted, (fixed === 'sell' ? buy : sell).asset) })}
        </span>
      )}
      {sold !== null && bought !== null && (
        <span className="figures">
          {t('otc.step.amounts', {
            sold: amountLine(sold, sell.asset),
            fee: amountLine(fee ?? '0', sell.asset),
            bought: amountLine(bought, buy.asset),
          })}
        </span>
      )}
      {validUntil !== null && (
        <span>
          {t('otc.step.validUntil')} <Time at={validUntil} />
        </span>
      )}
      {text !== '' && <span className="whitespace-pre-line text-text">{text}</span>}
    </span>
  );
}
