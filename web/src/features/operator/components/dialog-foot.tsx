import { useEffect, useRef, useState } from 'react';
import { lastFailure, useChangeFailure } from '../../../lib/failure.ts';
import { useText } from '../../../lib/locale.tsx';
import { Button } from '../../../ui/button.tsx';
import { copyText } from '../../../ui/copy-button.tsx';
import { Banner } from '../../../ui/states.tsx';
import { isOvertaken } from '../overtaken.ts';

interface Props {
  /** The form of the dialog: what was typed in it can be copied once it is of no use here. */
  fields: { submitting: boolean; values: object };
  submitText: string;
  negative?: boolean;
  /** What happened to the subject since the dialog opened, as a sentence; null while the step is still possible. */
  over?: string | null;
  onClose: () => void;
}

/**
 * The foot of a dialog: cancel and submit. Once a colleague was faster it says what happened, offers to close, and to copy the words typed:
 * by what has been read again meanwhile (`over`), or by the server's refusal, which the dialog shows above.
 */
export function DialogFoot({ fields, submitText, negative = false, over = null, onClose }: Props) {
  const t = useText();
  const isRefused = useRefusal();
  const words = wordsIn(fields.values);
  // The answer to one's own submit closes the dialog itself.
  if (fields.submitting || (over === null && !isRefused)) {
    return (
      <div className="flex flex-wrap justify-end gap-2">
        <Button disabled={fields.submitting} onClick={onClose}>
          {t('ui.cancel')}
        </Button>
        <Button type="submit" kind={negative ? 'negative' : 'primary'} busy={fields.submitting}>
          {submitText}
        </Button>
      </div>
    );
  }
  return (
    <>
      {!isRefused && (
        <div role="status">
          <Banner kind="pending">{over}</Banner>
        </div>
      )}
      <div className="flex flex-wrap justify-end gap-2">
        {words !== '' && <Button onClick={() => void copyText(words)}>{t('ops.over.copy')}</Button>}
        <Button kind="primary" onClick={onClose}>
          {t('ui.close')}
        </Button>
      </div>
    </>
  );
}

/** Whether a change was refused since the dialog opened because its subject has moved on. */
function useRefusal(): boolean {
  const before = useRef(lastFailure());
  const failure = useChangeFailure();
  const [isRefused, setRefused] = useState(false);
  useEffect(() => {
    if (failure !== null && failure !== before.current && isOvertaken(failure.key)) setRefused(true);
  }, [failure]);
  return isRefused;
}

/** Fields in which people write sentences. */
const wordy = ['reason', 'comment', 'note'];

function wordsIn(values: object): string {
  return Object.entries(values)
    .flatMap(([name, value]) => (wordy.includes(name) && typeof value === 'string' ? [value.trim()] : []))
    .filter((text) => text !== '')
    .join('\n\n');
}
