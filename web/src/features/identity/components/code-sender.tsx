import { useEffect, useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { Button } from '../../../ui/button.tsx';

interface CodeSender {
  sending: boolean;
  /** At least one code has been sent. */
  sent: boolean;
  /** Whole seconds until another may be asked for; 0 when one may. */
  seconds: number;
  start: () => Promise<void>;
}

/**
 * Asks for a code and counts down until another may be asked for. `send` has said what went wrong when it rejects;
 * `resendAt` (milliseconds since the epoch) is for a code that was asked for before this was drawn.
 */
export function useCodeSender(send: () => Promise<{ resendAfterMs: number } | null>, resendAt = 0): CodeSender {
  const [sending, setSending] = useState(false);
  const [until, setUntil] = useState(resendAt);
  const seconds = useSecondsUntil(until);
  async function start(): Promise<void> {
    if (sending || seconds > 0) return;
    setSending(true);
    try {
      const answer = await send();
      if (answer !== null) setUntil(Date.now() + answer.resendAfterMs);
    } catch {
      // Said already; the button is free again.
    } finally {
      setSending(false);
    }
  }
  return { sending, sent: until > 0, seconds, start };
}

/** Counts by the clock, not by its own ticks: a sleeping tab shows the right figure when it wakes. */
function useSecondsUntil(until: number): number {
  const [now, setNow] = useState(Date.now);
  const seconds = Math.max(0, Math.ceil((until - now) / 1000));
  useEffect(() => {
    setNow(Date.now());
    if (until <= Date.now()) return undefined;
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, [until]);
  return seconds;
}

/** The button beside a code field: send, on its way, again in so many seconds, again. */
export function CodeSenderButton({ sender }: { sender: CodeSender }) {
  const t = useText();
  const waiting = sender.seconds > 0;
  return (
    <Button size="large" busy={sender.sending} disabled={waiting} onClick={() => void sender.start()}>
      {waiting
        ? t('ui.countdown.again', { seconds: sender.seconds })
        : t(sender.sent ? 'identity.code.again' : 'identity.code.send')}
    </Button>
  );
}
