import { type BatchEncoding, type BatchField, batchFields, isMapped } from '@causeway/contract/batches-rules.ts';
import { useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { SelectField } from '../../../ui/select-field.tsx';
import { Banner } from '../../../ui/states.tsx';
import { type Batch, useMapBatch } from '../api.ts';

type Mapping = Partial<Record<BatchField, number>>;

/** Which column of the file is which field, with what the file says in each; and its encoding where more than one fits. */
export function MappingForm({ batch, onDone }: { batch: Batch; onDone: (() => void) | null }) {
  const t = useText();
  const map = useMapBatch();
  const [mapping, setMapping] = useState<Mapping>(batch.mapping);
  const { preview, rows } = batch;
  if (preview === null) return null;
  const choose = (place: number, field: BatchField | 'none') =>
    setMapping((old) => {
      const kept = Object.entries(old).filter(([name, at]) => at !== place && name !== field);
      return { ...Object.fromEntries(kept), ...(field !== 'none' && { [field]: place }) };
    });
  const save = (encoding?: BatchEncoding) =>
    map.mutate(
      { body: { id: batch.id, version: batch.version, mapping, ...(encoding && { encoding }) } },
      { onSuccess: () => onDone?.() },
    );
  const options = [
    { value: 'none' as const, label: t('batches.map.none') },
    ...batchFields.map((field) => ({ value: field, label: t(`batches.column.${field}`) })),
  ];
  const isReady = isMapped(mapping);
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
              onChange={(encoding) => save(encoding)}
              disabled={map.isPending}
            />
          </div>
        )}
        <ul className="m-0 grid list-none gap-4 p-0 sm:grid-cols-2 lg:grid-cols-3">
          {preview.columns.map(({ name, samples }, place) => (
            <li key={name + String(place)} className="flex min-w-0 flex-col gap-1.5 rounded-6 border border-line p-3">
              <SelectField
                label={name}
                value={batchFields.find((field) => mapping[field] === place) ?? 'none'}
                options={options}
                onChange={(field) => choose(place, field)}
              />
              <span className="line-clamp-3 text-12 break-words text-faint">
                {samples.filter((sample) => sample !== '').join(' · ') || t('batches.map.noSample')}
              </span>
            </li>
          ))}
        </ul>
        {!isReady && <p className="m-0 text-13 text-muted">{t('batches.map.needs')}</p>}
        {rows > 0 && <Banner kind="notice">{t('batches.map.again')}</Banner>}
        <div className="flex flex-wrap gap-2">
          <Button kind="primary" disabled={!isReady} busy={map.isPending} onClick={() => save()}>
            {t('batches.map.save')}
          </Button>
          {onDone !== null && <Button onClick={onDone}>{t('ui.cancel')}</Button>}
        </div>
      </div>
    </Card>
  );
}
