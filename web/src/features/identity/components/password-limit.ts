import { passwordMaxLengthDefault } from '@causeway/contract/identity-rules.ts';
import { useEffect, useState } from 'react';
import { loadPublicCalls } from '../load-public-calls.ts';

/** The longest password that the server takes: 16 until the server has said otherwise. */
export function usePasswordMaxLength(): number {
  const [max, setMax] = useState(passwordMaxLengthDefault);
  useEffect(() => {
    let gone = false;
    const ask = async () => {
      const { passwordMaxLength } = await loadPublicCalls();
      const answer = await passwordMaxLength();
      if (!gone) setMax(answer);
    };
    // The server checks the length again, so that not knowing it yet costs nothing.
    ask().catch(() => undefined);
    return () => {
      gone = true;
    };
  }, []);
  return max;
}
