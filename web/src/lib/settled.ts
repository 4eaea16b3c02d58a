import { useEffect, useState } from 'react';

/** The value as it was when it last stayed the same for `delay_ms`: for calls that need not follow every key. */
export function useSettled<Value extends string | undefined>(value: Value, delay_ms: number): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), delay_ms);
    return () => clearTimeout(timer);
  }, [value, delay_ms]);
  return settled;
}
