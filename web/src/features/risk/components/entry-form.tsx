import type { ListEntry } from '@causeway/contract/risk-lists.ts';
import { type ListKind, remarkMaxLength } from '@causeway/contract/risk-rules.ts';
import { useMemo, useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { newId } from '../../../lib/new-id.ts';
import { AmountField } from '../../../ui/amount-field.tsx';
import { DescriptionList } from '../../../ui/description-list.tsx';
import { Form } from '../../../ui/form.tsx';
import { FormFoot } from '../../../ui/form-foot.tsx';
import { type Fields, useFields } from '../../../ui/form-state.ts';
import { RadioField } from '../../../ui/radio-field.tsx';
import { TextArea, TextField } from '../../../ui/text-field.tsx';
import { ControlNote, useTellChange } from '../../control/index.ts';
import { useAddEntry, useEditEntry } from '../api.ts';
import { checkEntryChange, checkNewEntry, type EntryValues, entryValuesOf } from '../entry-values.ts';
import { accountTypeTexts } from '../words.ts';
import { useTypedAccount } from './account-check.tsx';

interface Props {
  kind: ListKind;
  /** Null: a new one. */
  entry: ListEntry | null;
  onClose: () => void;
}

export function EntryForm({ entry, ...props }: Props) {
  return entry === null ? <AddForm {...props} /> : <ChangeForm {...props} entry={entry} />;
}

/** A new entry: what kind of account, the account (checked as one types), remark, and the limits of a white one. */
function AddForm({ kind, onClose }: Omit<Props, 'entry'>) {
  const t = useText();
  // Chosen once, so that a form sent twice is one entry.
  const [id] = useState(() => newId());
  const check = useMemo(() => checkNewEntry(kind), [kind]);
  const fields = useFields({ check, defaults: entryValuesOf(null) });
  const { payeeType, account } = fields.values;
  const typed = useTypedAccount(payeeType, account);
  const add = useAddEntry();
  const tell = useTellChange();
  const bound = fields.text('account');
  return (
    <Form
      fields={fields}
      onSubmit={async (values) => {
        tell(await add.mutateAsync({ body: { ...values, id } }), t('risk.added'));
        onClose();
      }}
      label={t('risk.entry.add')}
    >
      <RadioField
        label={t('risk.entry.type')}
        options={(['crypto_address', 'bank_no'] as const).map((value) => ({
          value,
          label: t(accountTypeTexts[value]),
        }))}
        {...fields.value('payeeType')}
      />
      <TextField
        label={t(payeeType === 'bank_no' ? 'risk.entry.bankAccount' : 'risk.entry.address')}
        autoComplete="off"
        spellCheck={false}
        hint={typed.hint}
        {...bound}
        error={bound.error ?? typed.problem}
        onBlur={() => {
          bound.onBlur();
          typed.ask();
        }}
      />
      <EntryFields kind={kind} fields={fields} />
      {kind === 'white' && <ControlNote permission="list.manage" />}
      <FormFoot busy={fields.submitting} submitText={t('risk.entry.add')} onCancel={onClose} />
    </Form>
  );
}

function ChangeForm({ kind, entry, onClose }: Props & { entry: ListEntry }) {
  const t = useText();
  const check = useMemo(() => checkEntryChange(kind, entry.id), [kind, entry.id]);
  const fields = useFields({ check, defaults: entryValuesOf(entry) });
  const edit = useEditEntry();
  const tell = useTellChange();
  return (
    <Form
      fields={fields}
      onSubmit={async (body) => {
        tell(await edit.mutateAsync({ body }), t('risk.edited'));
        onClose();
      }}
      label={t('risk.entry.editTitle')}
    >
      <DescriptionList
        framed
        facts={[
          { term: t('risk.entry.type'), value: t(accountTypeTexts[entry.payeeType]) },
          {
            term: t('risk.entry.account'),
            value: <span className="font-mono text-13 break-all">{entry.account}</span>,
          },
        ]}
      />
      <EntryFields kind={kind} fields={fields} />
      {kind === 'white' && <ControlNote permission="list.manage" />}
      <FormFoot busy={fields.submitting} submitText={t('risk.save')} onCancel={onClose} />
    </Form>
  );
}

function EntryFields<Output>({ kind, fields }: { kind: ListKind; fields: Fields<EntryValues, Output> }) {
  const t = useText();
  return (
    <>
      {kind === 'white' && (
        <div className="grid items-start gap-4 sm:grid-cols-3">
          {(['single', 'daily', 'cumulative'] as const).map((name) => (
            <AmountField
              key={name}
              label={t(`risk.limit.${name}`)}
              hint={t(`risk.limitHint.${name}`)}
              coin="USD"
              decimals={2}
              {...fields.value(name)}
            />
          ))}
        </div>
      )}
      <TextArea
        label={t('risk.entry.remark')}
        optional
        rows={2}
        maxLength={remarkMaxLength}
        {...fields.text('remark')}
      />
    </>
  );
}
