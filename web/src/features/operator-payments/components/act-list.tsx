import type { Output } from '@causeway/contract/call.ts';
import type { ExceptionChoice, getExceptionActs } from '@causeway/contract/operator-exceptions.ts';
import { useState } from 'react';
import { type Translate, useText } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';
import { Button } from '../../../ui/button.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { ActDialog } from './act-dialog.tsx';

/**
 * Everything that could be done about a subject: what is possible with its button, the rest with why not. Where all of it is impossible for
 * one reason, only that reason.
 */
export function ActList({ about }: { about: Output<typeof getExceptionActs> }) {
  const t = useText();
  const [asked, setAsked] = useState<ExceptionChoice | null>(null);
  const may = usePermission('operator.exception');
  const reason = commonReason(about.acts);
  if (reason !== null && asked === null)
    return <p className="m-0 rounded-10 border border-line px-4 py-3 text-13 text-faint">{reason}</p>;
  return (
    <>
      <ul className="m-0 list-none rounded-10 border border-line p-0">
        {about.acts.map((choice) => (
          <li
            key={choice.act}
            className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-line px-4 py-3 not-last:border-b"
          >
            <div className="min-w-0 flex-1 basis-60">
              <p className={`m-0 font-medium ${choice.why === null ? '' : 'text-muted'}`}>
                {t(`ops.act.${choice.act}.title`)}
              </p>
              <p className="m-0 text-13 text-faint">{choice.why ?? t(`ops.act.${choice.act}.text`)}</p>
            </div>
            {choice.proposalId !== null ? (
              <PlainLink href={`/app/confirmations/${choice.proposalId}`} className="text-13 font-medium text-accent">
                {t('ops.act.waiting')}
              </PlainLink>
            ) : (
              choice.why === null &&
              may === true && <Button onClick={() => setAsked(choice)}>{t('ops.act.propose')}</Button>
            )}
          </li>
        ))}
      </ul>
      {may === false && <p className="m-0 text-13 text-faint">{t('ops.act.noPermission')}</p>}
      {asked !== null && (
        <ActDialog about={about} choice={asked} over={overOf(asked, about.acts, t)} onClose={() => setAsked(null)} />
      )}
    </>
  );
}

/** What became of the act while its dialog was open: a colleague proposed it, or it is possible no more, with why. */
function overOf({ act }: ExceptionChoice, acts: readonly ExceptionChoice[], t: Translate): string | null {
  const now = acts.find((choice) => choice.act === act);
  if (now === undefined) return null;
  return now.proposalId === null ? now.why : t('ops.over.proposed');
}

function commonReason(acts: readonly ExceptionChoice[]): string | null {
  const [first] = acts;
  if (first === undefined || first.why === null) return null;
  return acts.every(({ why, proposalId }) => why === first.why && proposalId === null) ? first.why : null;
}
