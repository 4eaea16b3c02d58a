import { passwordMaxLengthDefault } from '@causeway/contract/identity-rules.ts';
import { useEffect, useState } from 'react';

/** The longest password that the server takes: 16 until `ask`, which must be stable, has said otherwise. */
export function useLongest(ask: () => Promise<number>): number {
  const [max, setMax] = useState(passwordMaxLengthDefault);
  useEffect(() => {
    let gone = false;
    const asked = async () => {
      const answer = await ask();
      if (!gone) setMax(answer);
    };
    // The server checks the length again, so that not knowing it yet costs nothing.
    asked().catch(() => undefined);
    return () => {
      gone = true;
    };
  }, [ask]);
  return max;
}
