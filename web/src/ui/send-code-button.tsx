import { useRef, useState } from 'react';
import { useText } from '../lib/locale.tsx';
import { Button } from './button.tsx';
import { useSecondsTo } from './seconds-to.ts';

/** When another code may be asked for. Kept by the form, so that choosing another way of proof and coming back forgets nothing. */
export interface CodeWait {
  /** In milliseconds since the epoch. */
  until: number;
  /** A code has been sent; another may be asked for this long from now. */
  start: (resendAfter_ms: number) => void;
}

/** Nothing to wait for, unless a code has been sent already, `sentBefore_ms` before another may be asked for. */
export function useCodeWait(sentBefore_ms = 0): CodeWait {
  const [until, setUntil] = useState(() => Date.now() + sentBefore_ms);
  return { until, start: (resendAfter_ms) => setUntil(Date.now() + resendAfter_ms) };
}

interface Props {
  wait: CodeWait;
  /** Asks for a code; resolves with the milliseconds until another may be asked for. Rejects when none was sent. */
  onSend: () => Promise<{ resendAfterMs: number }>;
  disabled?: boolean;
}

/**
 * Asks for a verification code, then counts down until it may be asked for again. Once the code is on its way the focus is in
 * the field that it belongs in, unless the person has gone elsewhere meanwhile.
 */
export function SendCodeButton({ wait, onSend, disabled }: Props) {
  const t = useText();
  const [sending, setSending] = useState(false);
  const place = useRef<HTMLSpanElement>(null);
  const seconds = useSecondsTo(wait.until);
  const send = async () => {
    setSending(true);
    try {
      const { resendAfterMs } = await onSend();
      wait.start(resendAfterMs);
      const isHere = place.current?.contains(document.activeElement) || document.activeElement === document.body;
      if (isHere) place.current?.closest('[data-code]')?.querySelector('input')?.focus();
    } catch {
      // The message has been shown; the button may be pressed again at once.
    } finally {
      setSending(false);
    }
  };
  return (
    <span ref={place} className="contents">
      <Button size="large" busy={sending} disabled={disabled === true || seconds > 0} onClick={() => void send()}>
        <span className="figures">{seconds > 0 ? t('ui.code.again', { seconds }) : t('ui.code.send')}</span>
      </Button>
    </span>
  );
}
