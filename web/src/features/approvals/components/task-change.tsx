import type { ChangeContent } from '@causeway/contract/approvals.ts';
import { useText } from '../../../lib/locale.tsx';

/** Settings as they are and as they would be, side by side. */
export function ChangeDifference({ change: { before, after } }: { change: ChangeContent }) {
  const t = useText();
  if (before.length === 0 && after.length === 0) return null;
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <Side title={t('approvals.change.before')} lines={before} />
      <Side title={t('approvals.change.after')} lines={after} />
    </div>
  );
}

function Side({ title, lines }: { title: string; lines: ChangeContent['before'] }) {
  const t = useText();
  return (
    <fieldset aria-label={title} className="m-0 min-w-0 rounded-10 border border-line bg-sunken px-4 py-3">
      <h3 className="m-0 mb-2 text-12 font-medium text-faint">{title}</h3>
      {lines.length === 0 ? (
        <p className="m-0 text-13 text-faint">{t('approvals.change.nothing')}</p>
      ) : (
        <ul className="m-0 flex list-none flex-col gap-1 p-0 text-13 break-words">
          {lines.map(({ text, changed }) => (
            <li key={text} className={`whitespace-pre-line ${changed ? 'font-medium' : 'text-muted'}`}>
              {text}
            </li>
          ))}
        </ul>
      )}
    </fieldset>
  );
}
