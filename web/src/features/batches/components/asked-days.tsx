import { isoOf } from '../../../lib/days.ts';
import { useFormats } from '../../../lib/format.ts';
import { useText } from '../../../lib/locale.tsx';
import { Banner } from '../../../ui/states.tsx';
import type { Batch } from '../api.ts';
import { sayDay } from '../template-words.ts';

/** A file that asks for payment later: the batch goes out when it is submitted, so that a person waits with it. */
export function AskedDays({ asked }: Pick<Batch, 'asked'>) {
  const t = useText();
  const formats = useFormats();
  if (asked === null || asked.to <= isoOf(new Date())) return null;
  const [from, to] = [sayDay(formats, asked.from), sayDay(formats, asked.to)];
  return (
    <Banner kind="pending">
      {asked.from === asked.to ? t('batches.asked.day', { day: to }) : t('batches.asked.days', { from, to })}
    </Banner>
  );
}
