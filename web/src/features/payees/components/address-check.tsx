import { addressTypeOf, isWholeAddress } from '@causeway/contract/address-forms.ts';
import type { AddressCode } from '@causeway/contract/payees.ts';
import { type ReactNode, useEffect, useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { messageOf } from '../../../lib/report-error.ts';
import { Icon } from '../../../ui/icon.tsx';
import { Spinner } from '../../../ui/spinner.tsx';
import { Checkbox } from '../../../ui/text-field.tsx';
import { useAddressCheck } from '../api.ts';
import { LookAlikes } from './look-alikes.tsx';

/** What is known about the address in the field. */
export interface TypedAddress {
  state: 'empty' | 'checking' | 'valid' | 'wrong' | 'unchecked';
  /** The sentence under the field when its chain refuses the address. */
  problem: string | undefined;
  /** The label of the payee that has it already. */
  knownAs: string | null;
  /** What is at the address; null until it was checked. */
  code: AddressCode | null;
  /** Addresses that it could be mistaken for, and the box to tick; null when there are none. */
  lookAlikes: ReactNode;
  /** The field was left: have it checked. */
  ask: () => void;
  /** The address that the user has confirmed as compared with its look-alikes; empty when none. */
  compared: string;
  /** Its type, where its family has several: a text id. */
  type: string | null;
}

/** The errors that are about the address itself; anything else only means that it could not be checked. */
const addressErrors = [
  'accountBlacklisted',
  'payeeExists',
  'addressInvalid',
  'addressChecksum',
  'addressNetwork',
  'addressNetwork',
  'addressOwn',
  'addressReserved',
  'addressIsToken',
  'validationFailed',
];

/**
 * Has the address checked as soon as it is whole, or when its field is left; and at once when the chain changes after
 * that. `onExact` hands back the address as its chain writes it, for the field. `family`: of the chain, once it is known.
 */
export function useTypedAddress(
  { chain, coin, family = '' }: { chain: string; coin: string; family: string | undefined },
  typed: string,
  onExact: (address: string) => void,
): TypedAddress {
  const t = useText();
  const address = typed.trim();
  const [asked, setAsked] = useState(address);
  const [compared, setCompared] = useState('');
  const current = address !== '' && (asked === address || isWholeAddress(address, family));
  const check = useAddressCheck(chain, coin, current ? address : '');
  const { data, error } = check;
  const exact = current ? data?.address : undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the answer is the reason, not a new drawing of the form
  useEffect(() => {
    if (exact === undefined || exact === typed) return;
    setAsked(exact);
    onExact(exact);
  }, [exact]);
  const refused = error !== null && addressErrors.includes(error.key);
  const alike = current ? (data?.lookAlikes ?? []) : [];
  const confirmed = compared === address;
  return {
    state:
      !current || chain === ''
        ? 'empty'
        : data !== undefined
          ? 'valid'
          : refused
            ? 'wrong'
            : error !== null
              ? 'unchecked'
              : 'checking',
    problem: current && refused ? (error.fields['address'] ?? messageOf(error)) : undefined,
    knownAs: current ? (data?.knownAs ?? null) : null,
    code: current ? (data?.code ?? null) : null,
    ask: () => setAsked(address),
    compared,
    type: typeText(address, family),
    lookAlikes:
      alike.length === 0 ? null : (
        <LookAlikes address={address} lookAlikes={alike}>
          <Checkbox checked={confirmed} onChange={(event) => setCompared(event.target.checked ? address : '')}>
            {t('payees.alike.compared')}
          </Checkbox>
        </LookAlikes>
      ),
  };
}

function typeText(address: string, family: string): string | null {
  const type = family === 'bitcoin' ? addressTypeOf(address) : null;
  return type && `payees.addressType.${type}`;
}

/** The line under the address: what its chain says about it. */
export function AddressCheck({ typed, chainName }: { typed: TypedAddress; chainName: string | undefined }) {
  const t = useText();
  if (chainName === undefined) return t('payees.form.chainFirst');
  const chain = { chain: chainName };
  const type = typed.type === null ? null : <span className="text-faint"> · {t(typed.type)}</span>;
  if (typed.knownAs !== null) return t('payees.form.known', { label: typed.knownAs });
  switch (typed.state) {
    case 'checking':
      return (
        <span className="inline-flex items-center gap-1.5">
          <Spinner />
          {t('payees.form.checking')}
          {type}
        </span>
      );
    case 'valid':
      return (
        <span className="inline-flex items-center gap-1.5 text-positive">
          <Icon name="check" size={14} />
          {t('payees.form.valid', chain)}
          {type}
        </span>
      );
    case 'unchecked':
      return t('payees.form.unchecked');
    default:
      return type === null ? (
        t('payees.form.addressHint', chain)
      ) : (
        <>
          {t('payees.form.addressHint', chain)}
          {type}
        </>
      );
  }
}
