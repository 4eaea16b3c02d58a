import { useEffect, useState } from 'react';

/** Whole seconds left until an instant (milliseconds since the epoch), by the clock and not by counted ticks: a sleeping tab wakes up right. */
export function useSecondsTo(until: number): number {
  const left = () => Math.max(0, Math.ceil((until - Date.now()) / 1000));
  const [seconds, setSeconds] = useState(left);
  useEffect(() => {
    const update = () => setSeconds(Math.max(0, Math.ceil((until - Date.now()) / 1000)));
    update();
    const timer = setInterval(update, 250);
    return () => clearInterval(timer);
  }, [until]);
  return Math.min(seconds, left());
}
