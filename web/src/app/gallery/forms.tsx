import { useState } from 'react';
import type { DateRange } from '../../lib/days.ts';
import type { UploadOptions } from '../../lib/upload.ts';
import { AmountField } from '../../ui/amount-field.tsx';
import { Button } from '../../ui/button.tsx';
import { CodeField } from '../../ui/code-field.tsx';
import { ComboboxField } from '../../ui/combobox-field.tsx';
import { DateRangeField } from '../../ui/date-range-field.tsx';
import { FileDrop, type UploadedFile } from '../../ui/file-drop.tsx';
import { Form } from '../../ui/form.tsx';
import { type Checked, useFields } from '../../ui/form-state.ts';
import { PasswordField } from '../../ui/password-field.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { SendCodeButton, useCodeWait } from '../../ui/send-code-button.tsx';
import { Checkbox, TextArea, TextField } from '../../ui/text-field.tsx';
import type { Words } from './basics.tsx';
import { RowsSamples } from './rows.tsx';
import { Columns, Section } from './section.tsx';

const coins = ['ETH', 'USDT', 'USDC', 'HKDT'].map((value) => ({ value, label: value, detail: '12,500.00' }));
const fileRules = { types: ['application/pdf', 'image/png'], largest_bytes: 10_000_000, most: 5 };

/** Takes a file after a moment, as a server would. */
async function pretendUpload(file: File, { signal, onProgress }: UploadOptions): Promise<UploadedFile> {
  for (let share = 0; share <= 1; share += 0.25) {
    signal?.throwIfAborted();
    onProgress?.(share);
    await new Promise((resolve) => setTimeout(resolve, 400));
  }
  return { id: crypto.randomUUID(), name: file.name, sizeBytes: file.size };
}

export function FormsGallery({ words }: { words: Words }) {
  return (
    <>
      <TextFields words={words} />
      <ChoiceFields words={words} />
      <Section title="Form">
        <Columns>
          <SampleForm words={words} />
        </Columns>
      </Section>
      <Section title="RowsField">
        <RowsSamples words={words} />
      </Section>
    </>
  );
}

function TextFields({ words }: { words: Words }) {
  const [password, setPassword] = useState('Abcdef');
  const [code, setCode] = useState('123');
  const [amount, setAmount] = useState('1250.5');
  const wait = useCodeWait(42_000);
  return (
    <Section title="TextField, TextArea, PasswordField, CodeField, AmountField, Checkbox">
      <Columns>
        <TextField label={words.email} hint={words.hint} defaultValue="mei.chan@example.com" />
        <TextField label={words.email} error={words.wrong} defaultValue="mei.chan@" />
        <TextField label={words.email} disabled defaultValue="mei.chan@example.com" />
        <PasswordField
          label={words.password}
          value={password}
          checklistFor={password}
          onChange={(event) => setPassword(event.target.value)}
        />
        <CodeField
          label={words.code}
          value={code}
          onChange={setCode}
          action={<SendCodeButton wait={wait} onSend={async () => ({ resendAfterMs: 60_000 })} />}
        />
        <AmountField
          label={words.amount}
          coin="USDT"
          decimals={6}
          value={amount}
          onChange={setAmount}
          onAll={() => setAmount('12500.000001')}
          aside={`${words.balance} 12,500.000001`}
        />
        <TextArea label={words.notes} optional />
        <Checkbox defaultChecked>{words.agree}</Checkbox>
        <Checkbox error={words.wrong}>{words.agree}</Checkbox>
      </Columns>
    </Section>
  );
}

function ChoiceFields({ words }: { words: Words }) {
  const [coin, setCoin] = useState('USDT');
  const [payee, setPayee] = useState('');
  const [dates, setDates] = useState<DateRange>({ from: '2026-11-01', to: '2026-11-21' });
  const [files, setFiles] = useState<readonly UploadedFile[]>([
    { id: '1', name: 'invoice-2026-118.pdf', sizeBytes: 248_113 },
  ]);
  const payees = words.departments.map((label, index) => ({
    value: String(index),
    label,
    detail: '0x52908400…98527886',
  }));
  return (
    <Section title="SelectField, ComboboxField, DateRangeField, FileDrop">
      <Columns>
        <SelectField label={words.coin} options={coins} value={coin} onChange={setCoin} />
        <SelectField label={words.coin} options={coins} value="" onChange={setCoin} error={words.wrong} />
        <ComboboxField label={words.payee} options={payees} value={payee} onChange={setPayee} />
        <DateRangeField label={words.period} value={dates} onChange={setDates} />
        <DateRangeField label={words.period} value={{ from: '', to: '' }} onChange={setDates} />
        <FileDrop
          label={words.attachments}
          optional
          value={files}
          onChange={setFiles}
          rules={fileRules}
          onUpload={pretendUpload}
        />
      </Columns>
    </Section>
  );
}

interface SampleValues {
  email: string;
  agreed: boolean;
}

function checkSample(values: SampleValues): Checked<SampleValues> {
  const problems = [
    ...(values.email.includes('@')
      ? []
      : [{ path: ['email'], message: values.email ? 'field.email' : 'field.emailRequired' }]),
    ...(values.agreed ? [] : [{ path: ['agreed'], message: 'field.agreement' }]),
  ];
  return problems.length > 0 ? { ok: false, problems } : { ok: true, values };
}

function SampleForm({ words }: { words: Words }) {
  const fields = useFields({ check: checkSample, defaults: { email: '', agreed: false } });
  return (
    <Form fields={fields} label={words.email} onSubmit={() => new Promise((resolve) => setTimeout(resolve, 800))}>
      <TextField label={words.email} hint={words.hint} {...fields.text('email')} />
      <Checkbox {...fields.box('agreed')}>{words.agree}</Checkbox>
      <Button type="submit" kind="primary" busy={fields.submitting}>
        {words.save}
      </Button>
    </Form>
  );
}
