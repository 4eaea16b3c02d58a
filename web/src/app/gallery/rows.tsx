import { useEffect } from 'react';
import { Form } from '../../ui/form.tsx';
import { useRows } from '../../ui/form-rows.ts';
import { type Checked, useFields } from '../../ui/form-state.ts';
import { RowsField } from '../../ui/rows-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import type { Words } from './basics.tsx';
import { Columns } from './section.tsx';

interface Line {
  payee: string;
  amount: string;
}

/** Rows in a form: valid, with an error in one row, and with an error of all rows together. */
export function RowsSamples({ words }: { words: Words }) {
  return (
    <Columns>
      <RowsSample words={words} lines={[{ payee: words.departments[1] ?? '', amount: '120' }]} />
      <RowsSample
        words={words}
        lines={[
          { payee: words.departments[1] ?? '', amount: '120' },
          { payee: '', amount: '80' },
        ]}
      />
      <RowsSample words={words} lines={[]} />
    </Columns>
  );
}

function RowsSample({ words, lines }: { words: Words; lines: Line[] }) {
  const fields = useFields({ check: checkLines, defaults: { lines } });
  const rows = useRows(fields, 'lines');
  const { checkAll } = fields;
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is wrong is shown from the start
  useEffect(() => void checkAll(), []);
  return (
    <Form fields={fields} onSubmit={() => undefined} label={words.payee}>
      <RowsField
        legend={words.payee}
        of={rows}
        rowName={(number) => `${words.payee} ${number}`}
        addText={words.payee}
        make={() => ({ payee: '', amount: '' })}
        least={0}
        most={4}
      >
        {(_, index) => (
          <div className="grid gap-4 sm:grid-cols-2">
            <TextField label={words.payee} {...rows.text(index, 'payee')} />
            <TextField label={words.amount} inputMode="decimal" {...rows.text(index, 'amount')} />
          </div>
        )}
      </RowsField>
    </Form>
  );
}

function checkLines(values: { lines: Line[] }): Checked<{ lines: Line[] }> {
  const problems = values.lines.flatMap(({ payee }, index) =>
    payee === '' ? [{ path: ['lines', index, 'payee'], message: 'field.required' }] : [],
  );
  if (values.lines.length === 0) problems.push({ path: ['lines'], message: 'field.required' });
  return problems.length === 0 ? { ok: true, values } : { ok: false, problems };
}
