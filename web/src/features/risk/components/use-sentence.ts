import type { PolicyDefinition } from '@causeway/contract/risk.ts';
import { useMemo } from 'react';
import { useLocaleTag, useText } from '../../../lib/locale.tsx';
import { useRiskChains } from '../api.ts';
import { policySentence } from '../policy-sentence.ts';

/** The sentence of a policy in the reader's language, with chains by their names. */
export function useSentence(): (policy: PolicyDefinition) => string {
  const t = useText();
  const tag = useLocaleTag();
  const chains = useRiskChains().data?.items;
  return useMemo(() => {
    const names = new Map((chains ?? []).map(({ id, name }) => [id, name]));
    return (policy) => policySentence(policy, { t, tag, chainName: (id) => names.get(id) ?? id });
  }, [t, tag, chains]);
}
