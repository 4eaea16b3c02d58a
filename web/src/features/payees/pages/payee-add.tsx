import type { Body } from '@causeway/contract/call.ts';
import { addCryptoPayee } from '@causeway/contract/payees.ts';
import type { Chain } from '@causeway/contract/wallets.ts';
import { useRouter, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError } from '../../../lib/api-error.ts';
import { useText } from '../../../lib/locale.tsx';
import { newId } from '../../../lib/new-id.ts';
import { usePermission } from '../../../lib/permission.ts';
import { toast } from '../../../lib/toasts.ts';
import { Button, buttonClass } from '../../../ui/button.tsx';
import { byContract } from '../../../ui/by-contract.ts';
import { Card } from '../../../ui/card.tsx';
import { CardPage } from '../../../ui/card-page.tsx';
import { Form } from '../../../ui/form.tsx';
import { useFields } from '../../../ui/form-state.ts';
import { Page as Frame } from '../../../ui/page.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { SelectField } from '../../../ui/select-field.tsx';
import { ErrorState, NoPermission } from '../../../ui/states.tsx';
import { TextArea, TextField } from '../../../ui/text-field.tsx';
import { useAddPayee, usePayeeChains } from '../api.ts';
import { AddressCheck, useTypedAddress } from '../components/address-check.tsx';
import { CodeWarning } from '../components/code-warning.tsx';
import { mustCompare } from '../look-alike-check.ts';
import { payeeDraft } from '../payee-draft.ts';
import { returnPath } from '../return-path.ts';

const check = byContract(addCryptoPayee.body);

/** A new withdrawal address (decisions, "Payees"). */
export function Page() {
  const t = useText();
  const chains = usePayeeChains();
  if (usePermission('payee.manage') === false) {
    return (
      <CardPage narrow>
        <NoPermission />
      </CardPage>
    );
  }
  if (chains.data === undefined && chains.error !== null) {
    return (
      <CardPage narrow>
        <ErrorState error={chains.error} onRetry={() => void chains.refetch()} />
      </CardPage>
    );
  }
  return (
    <Frame narrow intro={t('payees.form.intro')}>
      <Card>
        <PayeeForm chains={chains.data?.items} />
      </Card>
    </Frame>
  );
}

function PayeeForm({ chains }: { chains: readonly Chain[] | undefined }) {
  const t = useText();
  const router = useRouter();
  const search = useSearch({ strict: false }) as Record<string, string>;
  const defaults = { label: '', chain: search['chain'] ?? '', coin: search['coin'] ?? '', address: '', remark: '' };
  const fields = useFields({ check, defaults, keep: payeeDraft });
  const add = useAddPayee();
  // Chosen once, so that a form sent twice is one payee.
  const [id] = useState(() => newId());
  const chain = chains?.find((candidate) => candidate.id === fields.values.chain);
  const place = { chain: fields.values.chain, coin: fields.values.coin, family: chain?.family };
  const typed = useTypedAddress(place, fields.values.address, (exact) => fields.set('address', exact));
  const address = fields.text('address');
  const back = returnPath(search['return']) ?? '/app/payee';

  const submit = async (values: Body<typeof addCryptoPayee>) => {
    if (await mustCompare(values.chain, values.coin, fields.values.address.trim(), typed.compared)) {
      typed.ask();
      throw refusedHere(t('payees.alike.mustCompare'));
    }
    const { status } = await add.mutateAsync({ body: { ...values, id } });
    toast('success', t(status === 'waiting' ? 'payees.form.addedWaiting' : 'payees.form.added'));
    router.history.push(returnPath(search['return'], id) ?? `/app/payee/${id}`);
  };
  const chooseChain = (next: string) => {
    fields.set('chain', next);
    const offered = chains?.find((candidate) => candidate.id === next)?.coins ?? [];
    if (!offered.some(({ coin, enabled }) => enabled && coin === fields.values.coin)) fields.set('coin', '');
  };
  return (
    <Form fields={fields} onSubmit={submit} label={t('payees.add')}>
      <TextField label={t('payees.label')} hint={t('payees.form.labelHint')} maxLength={60} {...fields.text('label')} />
      <div className="grid gap-5 sm:grid-cols-2">
        <SelectField
          label={t('payees.chain')}
          placeholder={t('payees.form.chainPlaceholder')}
          disabled={chains === undefined}
          options={(chains ?? []).map(({ id: value, name }) => ({ value, label: name }))}
          {...fields.value('chain')}
          onChange={chooseChain}
        />
        <SelectField
          label={t('payees.coin')}
          placeholder={t(chain === undefined ? 'payees.form.chainFirst' : 'payees.form.coinPlaceholder')}
          disabled={chain === undefined}
          options={(chain?.coins ?? [])
            .filter(({ enabled }) => enabled)
            .map(({ coin }) => ({ value: coin, label: coin }))}
          {...fields.value('coin')}
        />
      </div>
      <TextField
        label={t('payees.address')}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        maxLength={128}
        {...address}
        error={address.error ?? typed.problem}
        onBlur={() => {
          address.onBlur();
          typed.ask();
        }}
        hint={<AddressCheck typed={typed} chainName={chain?.name} />}
      />
      {typed.code !== null && <CodeWarning code={typed.code} />}
      {typed.lookAlikes}
      <TextArea label={t('payees.remark')} optional maxLength={200} {...fields.text('remark')} />
      <div className="flex flex-wrap justify-end gap-2">
        <PlainLink href={back} className={buttonClass('secondary')}>
          {t('payees.form.cancel')}
        </PlainLink>
        <Button type="submit" kind="primary" busy={fields.submitting}>
          {t('payees.form.save')}
        </Button>
      </div>
    </Form>
  );
}

/** Keeps the form as it is, with a sentence under the address. */
function refusedHere(sentence: string): ApiError {
  return new ApiError({ key: 'validationFailed', status: 0, fields: { address: sentence } });
}
