import type { NamedInPolicy, PolicyDefinition } from '@causeway/contract/risk.ts';
import { useMemo } from 'react';
import { useLocaleTag, useText } from '../../../lib/locale.tsx';
import { useNamedOptions } from '../../organisation/index.ts';
import { useRiskChains } from '../api.ts';
import { policySentence } from '../policy-sentence.ts';

/** A policy as it was read, with the names of those whom it names; a draft has none. */
export type Said = PolicyDefinition & { named?: readonly NamedInPolicy[] };

/** The sentence of a policy in the reader's language, with chains, members, departments and roles by their names. */
export function useSentence(): (policy: Said) => string {
  const t = useText();
  const tag = useLocaleTag();
  const chains = useRiskChains().data?.items;
  const { members, departments, roles } = useNamedOptions();
  return useMemo(() => {
    const names = new Map((chains ?? []).map(({ id, name }) => [id, name]));
    const choices = new Map([...members, ...departments, ...roles].map(({ value, label }) => [value, label]));
    return (policy) => {
      const named = new Map(
        (policy.named ?? []).map(({ id, name, gone }) => [id, gone ? t('risk.policy.gone', { name }) : name]),
      );
      return policySentence(policy, {
        t,
        tag,
        chainName: (id) => names.get(id) ?? id,
        nameOf: (id) => named.get(id) ?? choices.get(id) ?? '…',
      });
    };
  }, [t, tag, chains, members, departments, roles]);
}
