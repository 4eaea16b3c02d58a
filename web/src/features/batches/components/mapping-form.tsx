import { type BatchEncoding, type BatchField, batchFields, isMapped } from '@causeway/contract/batches-rules.ts';
import { useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { SelectField } from '../../../ui/select-field.tsx';
import { Banner } from '../../../ui/states.tsx';
import { type Batch, useMapBatch } from '../api.ts';

/** What a column is: a field, nothing that is used, or not chosen yet. */
type Choice = BatchField | 'none' | '';

/** Columns whose names say nothing are for a person to choose while the file waits for that; an empty one says nothing that could be missed. */
function firstChoices({ mapping, state, preview }: Batch): Choice[] {
  return (preview?.columns ?? []).map(({ samples }, place) => {
    const field = batchFields.find((each) => mapping[each] === place);
    return field ?? (state === 'mapping' && hasValues(samples) ? '' : 'none');
  });
}

function hasValues(samples: readonly string[]): boolean {
  return samples.some((sample) => sample !== '');
}

/** Which column of the file is which field, with what the file says in each; and its encoding where more than one fits. */
export function MappingForm({ batch, onDone }: { batch: Batch; onDone: (() => void) | null }) {
  const t = useText();
  const map = useMapBatch();
  const [choices, setChoices] = useState(() => firstChoices(batch));
  const { preview, rows, state } = batch;
  if (preview === null) return null;
  /** A field is one column's: the column that had it is to be chosen again. */
  const choose = (place: number, chosen: Choice) =>
    setChoices((old) =>
      old.map((choice, at) => {
        if (at === place) return chosen;
        return choice === chosen && choice !== 'none' ? '' : choice;
      }),
    );
  const mapping = Object.fromEntries(
    choices.flatMap((choice, place) => (choice === 'none' || choice === '' ? [] : [[choice, place]])),
  );
  const save = () =>
    map.mutate({ body: { id: batch.id, version: batch.version, mapping } }, { onSuccess: () => onDone?.() });
  /** Until the columns are matched, the names in the other encoding may say which is which. */
  const decode = (encoding: BatchEncoding) =>
    map.mutate(
      { body: { id: batch.id, version: batch.version, mapping: state === 'mapping' ? {} : mapping, encoding } },
      { onSuccess: () => onDone?.() },
    );
  const options = [
    { value: 'none' as const, label: t('batches.map.none') },
    ...batchFields.map((field) => ({ value: field, label: t(`batches.column.${field}`) })),
  ];
  const open = choices.filter((choice) => choice === '').length;
  const isReady = isMapped(mapping) && open === 0;
  return (
    <Card title={t('batches.map.title')}>
      <div className="flex flex-col gap-4">
        <p className="m-0 text-muted">{t('batches.map.text')}</p>
        {!preview.encodingSure && <Banner kind="pending">{t('batches.map.unsure')}</Banner>}
        {preview.encodings.length > 1 && (
          <div className="max-w-70">
            <SelectField
              label={t('batches.map.encoding')}
              hint={t('batches.map.encodingHint')}
              value={preview.encoding}
              options={preview.encodings.map((encoding) => ({
                value: encoding,
                label: t(`batches.encoding.${encoding}`),
              }))}
              onChange={decode}
              disabled={map.isPending}
            />
          </div>
        )}
        <ul className="m-0 grid list-none gap-4 p-0 sm:grid-cols-2 lg:grid-cols-3">
          {preview.columns.map(({ name, samples }, place) => (
            <li key={name + String(place)} className="flex min-w-0 flex-col gap-1.5 rounded-6 border border-line p-3">
              <SelectField
                label={name}
                value={choices[place] ?? 'none'}
                options={options}
                onChange={(field) => choose(place, field)}
              />
              <span className="line-clamp-3 text-12 break-words text-faint">
                {samples.filter((sample) => sample !== '').join(' · ') || t('batches.map.noSample')}
              </span>
            </li>
          ))}
        </ul>
        {!isMapped(mapping) && <p className="m-0 text-13 text-muted">{t('batches.map.needs')}</p>}
        {open > 0 && <p className="m-0 text-13 text-muted">{t('batches.map.open', { count: open })}</p>}
        {rows > 0 && <Banner kind="notice">{t('batches.map.again')}</Banner>}
        <div className="flex flex-wrap gap-2">
          <Button kind="primary" disabled={!isReady} busy={map.isPending} onClick={save}>
            {t('batches.map.save')}
          </Button>
          {onDone !== null && <Button onClick={onDone}>{t('ui.cancel')}</Button>}
        </div>
      </div>
    </Card>
  );
}
