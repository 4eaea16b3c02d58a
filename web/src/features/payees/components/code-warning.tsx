import type { AddressCode } from '@causeway/contract/payees.ts';
import { useText } from '../../../lib/locale.tsx';
import { Banner } from '../../../ui/states.tsx';

const texts = {
  token: 'payees.code.token',
  contract: 'payees.code.contract',
  unknown: 'payees.code.unknown',
} as const;

/** What is at an address, where a person should know it before coins go there. */
export function CodeWarning({ code }: { code: AddressCode }) {
  const t = useText();
  if (code === 'none') return null;
  return <Banner kind={code === 'unknown' ? 'notice' : 'pending'}>{t(texts[code])}</Banner>;
}
